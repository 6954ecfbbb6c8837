/* rtc.h - for tests: hiprtc, as far as they need it.
 *
 * hiprtc is in libamdhip64.so.5 or libhiprtc.so.{6,7}; a machine without any
 * cannot run these tests (Debian: libamdhip64-5).
 */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_rtc_h
#define tests_sim_rtc_h

#include <dlfcn.h>
#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rocm.h"

struct rtc {
  void *library;
  __typeof__(&hiprtcCreateProgram) create;
  __typeof__(&hiprtcCompileProgram) compile;
  __typeof__(&hiprtcGetCodeSize) size;
  __typeof__(&hiprtcGetCode) code;
  __typeof__(&hiprtcGetProgramLogSize) log_size;
  __typeof__(&hiprtcGetProgramLog) log;
  __typeof__(&hiprtcDestroyProgram) destroy;
};

static inline int rtc_open(struct rtc *r)
{
  static const char *const names[] = {"libhiprtc.so.7", "libhiprtc.so.6",
                                      "libamdhip64.so.5", NULL};
  r->library = rocm_open(names, NULL);
  if (!r->library)
    return -1;
  const struct { const char *name; void *at; } functions[] = {
      {"hiprtcCreateProgram", &r->create},
      {"hiprtcCompileProgram", &r->compile},
      {"hiprtcGetCodeSize", &r->size},
      {"hiprtcGetCode", &r->code},
      {"hiprtcGetProgramLogSize", &r->log_size},
      {"hiprtcGetProgramLog", &r->log},
      {"hiprtcDestroyProgram", &r->destroy},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *f = dlsym(r->library, functions[i].name);
    memcpy(functions[i].at, &f, sizeof f);
    if (!f)
      return -1;
  }
  return 0;
}

/* The code object by the compiler's options, free() it; NULL with the log
 * printed. */
static inline char *rtc_compile_with(const struct rtc *r, const char *text,
                                     const char **options, int noptions,
                                     size_t *n)
{
  hiprtcProgram p;
  char *code = NULL;
  if (r->create(&p, text, "test.hip", 0, NULL, NULL) != HIPRTC_SUCCESS)
    return NULL;
  if (r->compile(p, noptions, options) == HIPRTC_SUCCESS &&
      r->size(p, n) == HIPRTC_SUCCESS) {
    code = malloc(*n);
    r->code(p, code);
  } else if (r->log_size(p, n) == HIPRTC_SUCCESS) {
    char *log = malloc(*n + 1);
    r->log(p, log);
    fprintf(stderr, "%.*s\n", (int)*n, log);
    free(log);
  }
  r->destroy(&p);
  return code;
}

static inline char *rtc_compile(const struct rtc *r, const char *text,
                                size_t *n)
{
  const char *options[] = {"--gpu-architecture=gfx906", "-O3"};
  return rtc_compile_with(r, text, options, 2, n);
}

#endif
