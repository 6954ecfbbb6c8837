/* library.h - for tests: libhipsim as a program meets it, by dlsym().
 *
 * Before it is included CALLS(X) lists the functions that the test calls:
 * hipGetErrorName, hipMalloc and hipsimError among them. library_open() finds
 * them, h.NAME() calls one.
 */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_library_h
#define tests_sim_library_h

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/hip_versions.h"
#include "runtimes/sim/hipsim.h"

static struct {
#define X(name) __typeof__(&name) name;
  CALLS(X)
#undef X
} h;

static inline int library_open(void)
{
  void *library = dlopen(BUILD_DIR "/libhipsim.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return -1;
  }
  const struct { const char *name; void *at; } functions[] = {
/* by the name that it has in the library, where the header's is a macro */
#define TEXT(name) #name
#define X(name) {TEXT(name), &h.name},
      CALLS(X)
#undef X
  };
  for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
    void *f = dlsym(library, functions[n].name);
    if (!f) {
      fprintf(stderr, "libhipsim.so has no %s\n", functions[n].name);
      return -1;
    }
    memcpy(functions[n].at, &f, sizeof f);
  }
  return 0;
}

static inline void check(hipError_t error)
{
  if (error)
    fail_msg("%s: %s", h.hipGetErrorName(error), h.hipsimError());
}

static inline void *device_alloc(size_t n)
{
  void *p;
  check(h.hipMalloc(&p, n));
  return p;
}

#endif
