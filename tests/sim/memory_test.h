/* memory_test.h - one wave with LDS and an arena, for the memory tests. */
// SPDX-License-Identifier: MIT
#ifndef tests_memory_test_h
#define tests_memory_test_h

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/memory.h"
#include "runtimes/sim/run/exec.h"

enum {LDS_BYTES = 4096, VGPRS = 64};

struct bench {
  struct arena *arena;
  struct kernel kernel;
  struct object object;
  struct inst code;
  struct dispatch dispatch;
  struct group group;
  struct wave wave;
};

static inline int bench_setup(void **state)
{
  struct bench *b = *state = calloc(1, sizeof *b);
  b->arena = arena_open((uint64_t)1 << 30);
  assert_non_null(b->arena);
  b->object.code = &b->code; /* where faults look for the instruction */
  b->object.ncode = 1;
  b->object.isa = isa_at(0);
  b->kernel.name = "bench";
  b->kernel.object = &b->object;
  b->dispatch.kernel = &b->kernel;
  b->dispatch.arena = b->arena;
  b->group.dispatch = &b->dispatch;
  b->group.lds = calloc(1, LDS_BYTES);
  b->group.lds_bytes = LDS_BYTES;
  b->group.nwaves = 1;
  b->group.waves = &b->wave;
  b->wave.group = &b->group;
  b->wave.code = &b->object;
  b->wave.nv = VGPRS;
  b->wave.v = aligned_alloc(64, VGPRS * sizeof *b->wave.v);
  memset(b->wave.v, 0, VGPRS * sizeof *b->wave.v);
  WAVE_EXEC(&b->wave) = ~(uint64_t)0;
  return 0;
}

static inline int bench_teardown(void **state)
{
  struct bench *b = *state;
  arena_close(b->arena);
  free(b->group.lds);
  free(b->wave.v);
  free(b);
  return 0;
}

/* A test whose *state is a struct bench. */
#define BENCH_TEST(f) \
  cmocka_unit_test_setup_teardown(f, bench_setup, bench_teardown)

/* The last instruction faulted and said these words; forget it. */
static inline void bench_faulted(struct bench *b, const char *words)
{
  assert_int_equal(b->wave.fault.code, FAULT_ADDRESS);
  if (!strstr(b->wave.fault.text, words))
    fail_msg("no '%s' in: %s", words, b->wave.fault.text);
  memset(&b->wave.fault, 0, sizeof b->wave.fault);
  b->wave.state = WAVE_RUN;
}

/* Execute one instruction: address v0 (and v1), data from v8 and v16 on,
 * result to v24 on, unless the caller says otherwise in *i. */
static inline struct inst bench_inst(unsigned format, unsigned op)
{
  return (struct inst){
    .format = (uint8_t)format, .op = (uint16_t)op, .words = 2, .dst = 24,
    .src = {256, 256 + 8, 256 + 16},
  };
}

static inline void bench_do(struct bench *b, const struct inst *i)
{
  b->code = *i;
  b->code.as = i->op;
  exec_fn *exec = memory_handler(&b->code);
  assert_non_null(exec);
  b->code.exec = exec;
  exec(&b->wave, &b->code);
}

/* The same where it must succeed. */
static inline void bench_ok(struct bench *b, const struct inst *i)
{
  bench_do(b, i);
  if (b->wave.fault.code)
    fail_msg("%s", b->wave.fault.text);
}

/* v0 and v1 of a lane: a 64-bit address. */
static inline void bench_address(struct bench *b, unsigned l, uint64_t at)
{
  b->wave.v[0][l] = (uint32_t)at;
  b->wave.v[1][l] = (uint32_t)(at >> 32);
}

static inline void bench_private(struct bench *b, uint32_t bytes)
{
  b->wave.scratch = (uintptr_t)arena_alloc(b->arena, (size_t)bytes * LANES);
  b->wave.scratch_lane = bytes;
}

/* What memory holds at first: no two neighbouring dwords alike. */
static inline void bench_fill(uint8_t *at, size_t n)
{
  for (size_t k = 0; k < n; k++)
    at[k] = (uint8_t)(k * 7 + k / 256 * 13 + 0x83);
}

/* `bytes` little-endian from `at` on, from its byte 4 * d: a dword. */
static inline uint32_t bench_dword(const uint8_t *at, unsigned bytes,
                                   unsigned d)
{
  uint32_t value = 0;
  for (unsigned k = 0; k < 4 && 4 * d + k < bytes; k++)
    value |= (uint32_t)at[4 * d + k] << 8 * k;
  return value;
}

/* Loads and stores of every kind, the same in all formats. */
struct bench_width {
  unsigned op, bytes, sign, half; /* half 1: low, 2: high */
};

static inline uint32_t bench_loaded(const struct bench_width *y,
                                    const uint8_t *at, unsigned d)
{
  uint32_t value = bench_dword(at, y->bytes, d);
  unsigned top = y->bytes * 8 - 1;
  if (y->sign && value >> top & 1)
    value |= ~(uint32_t)0 << top;
  if (y->half == 1) /* sramecc+: the other half becomes 0 */
    return value & 0xffff;
  return y->half == 2 ? value << 16 : value;
}

#endif
