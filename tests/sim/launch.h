/* launch.h - for tests: launch a compiled kernel on the simulator's inside,
 * without the HIP API.
 */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_launch_h
#define tests_sim_launch_h

#include "runtimes/sim/run/exec.h"
#include "runtimes/sim/run/hidden.h"
#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/model.h"
#include "tests/sim/rtc.h"

/* A device with one loaded program. */
struct device {
  struct arena *arena;
  struct object *object;
};

static inline int device_open_for(struct device *d, const struct rtc *r,
                                  const struct isa *isa, const char *text)
{
  size_t n;
  struct err e = {0};
  char target[64];
  const char *options[] = {target, "-O3"};
  snprintf(target, sizeof target, "--gpu-architecture=%s", isa->name);
  char *code = rtc_compile_with(r, text, options, 2, &n);
  if (!code)
    return -1;
  d->arena = arena_open((uint64_t)16 << 30);
  int bad = !d->arena || object_load(&d->object, d->arena, isa, code, n,
                                     exec_bind, &e);
  free(code);
  if (bad)
    fprintf(stderr, "%s\n", e.text);
  return bad ? -1 : 0;
}

static inline int device_open(struct device *d, const struct rtc *r,
                              const char *text)
{
  return device_open_for(d, r, isa_at(0), text);
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
  hidden_fill(d, 0);
  return 0;
}

static inline void device_finish(struct dispatch *d)
{
  arena_free(d->arena, (void *)(uintptr_t)d->kernarg);
  arena_free(d->arena, (void *)(uintptr_t)d->packet);
}

#endif
