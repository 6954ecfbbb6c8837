/* launch.h - for tests: compile HIP text with hiprtc for gfx906 and launch it
 * on the simulator's inside, without the HIP API.
 *
 * hiprtc is in libamdhip64.so.5 or libhiprtc.so.{6,7}; a machine without any
 * cannot run these tests (Debian: libamdhip64-5).
 */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_launch_h
#define tests_sim_launch_h

#include <dlfcn.h>
#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/sim/model.h"

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
                                      "libamdhip64.so.5"};
  r->library = NULL;
  for (size_t i = 0; i < 3 && !r->library; i++)
    r->library = dlopen(names[i], RTLD_NOW);
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

/* The code object, free() it; NULL with the log printed. */
static inline char *rtc_compile(const struct rtc *r, const char *text,
                                size_t *n)
{
  const char *options[] = {"--gpu-architecture=gfx906", "-O3"};
  hiprtcProgram p;
  char *code = NULL;
  if (r->create(&p, text, "test.hip", 0, NULL, NULL) != HIPRTC_SUCCESS)
    return NULL;
  if (r->compile(p, 2, options) == HIPRTC_SUCCESS &&
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

/* A device with one loaded program. */
struct device {
  struct arena *arena;
  struct object *object;
};

static inline int device_open(struct device *d, const struct rtc *r,
                              const char *text)
{
  size_t n;
  struct err e = {0};
  char *code = rtc_compile(r, text, &n);
  if (!code)
    return -1;
  d->arena = arena_open((uint64_t)16 << 30);
  int bad = !d->arena || object_load(&d->object, d->arena, code, n, &e);
  free(code);
  if (bad)
    fprintf(stderr, "%s\n", e.text);
  return bad ? -1 : 0;
}

static inline void device_close(struct device *d)
{
  object_free(d->object);
  arena_close(d->arena);
}

/* What a packet of the "HSA Platform System Architecture" says of a launch,
 * as far as kernels read it. */
struct packet {
  uint16_t header, setup, workgroup[3], reserved;
  uint32_t grid[3], private_bytes, group_bytes;
  uint64_t object, kernarg, reserved2, signal;
};

static inline int device_prepare(const struct device *dev, struct dispatch *d,
                          const char *kernel, uint32_t groups,
                          uint32_t threads, const void *args, size_t bytes)
{
  const struct kernel *k = object_kernel(dev->object, kernel);
  if (!k)
    return -1;
  *d = (struct dispatch){.kernel = k, .arena = dev->arena,
                         .grid = {groups, 1, 1}, .block = {threads, 1, 1},
                         .lds = k->lds};
  uint8_t *kernarg = arena_alloc(dev->arena, 4096);
  struct packet *p = arena_alloc(dev->arena, sizeof *p);
  memset(kernarg, 0, 4096);
  memcpy(kernarg, args, bytes);
  *p = (struct packet){.workgroup = {(uint16_t)threads, 1, 1},
                       .grid = {groups * threads, 1, 1}};
  d->kernarg = (uint64_t)(uintptr_t)kernarg;
  d->packet = (uint64_t)(uintptr_t)p;
  return 0;
}

static inline void device_finish(struct dispatch *d)
{
  arena_free(d->arena, (void *)(uintptr_t)d->kernarg);
  arena_free(d->arena, (void *)(uintptr_t)d->packet);
}

#endif
