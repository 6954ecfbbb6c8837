/* matrix_bench.h - for tests: an instruction of the matrix cores on one wave, with its
 * matrices in VGPRs or AGPRs.
 *
 * bench_open(), put() the elements, bench_run(), get() the sums. Memory: calloc() a
 * struct bench.
 */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_matrix_bench_h
#define tests_sim_matrix_bench_h

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "runtimes/sim/load/object.h"
#include "runtimes/sim/run/exec.h"
#include "runtimes/sim/run/matrix.h"

enum {NV = 128, NA = 128, A = 0, B = 16, C = 32, D = 64};

struct bench {
  struct object object;
  struct wave w;
  struct inst i;
  uint32_t v[NV + NA][LANES];
  unsigned a, b, c, d; /* the first registers of the matrices, in v */
};

enum where {IN_VGPRS, IN_AGPRS};

/* acc bits: src0, src1, destination with src2 (ISA "CDNA3", VOP3P-MAI). */
static inline void bench_open(struct bench *t, const struct isa *isa, unsigned op,
                       enum where where)
{
  int agprs = where == IN_AGPRS, apart = isa->agprs == AGPRS_APART;
  uint32_t words[2] = {
      0xd3800000u | op << 16 | (uint32_t)agprs << 15 | D,
      (256 + A) | (256 + B) << 9 | (256u + C) << 18 | (agprs ? 3u << 27 : 0)};
  memset(t, 0, sizeof *t);
  t->object.isa = isa;
  t->w.code = &t->object;
  t->w.v = t->v;
  t->w.nv = NV;
  t->w.na = NA;
  assert_int_equal(decode(isa, words, 2, &t->i), 2);
  exec_bind(&t->i, 1);
  t->a = A + (agprs ? NV : 0);
  t->b = B + (agprs ? NV : 0);
  t->c = C + (agprs || apart ? NV : 0);
  t->d = D + (agprs || apart ? NV : 0);
}

static inline void bench_run(struct bench *t)
{
  t->i.exec(&t->w, &t->i);
  if (t->w.fault.code)
    fail_msg("%s", t->w.fault.text);
}

static inline void put(struct bench *t, unsigned first, struct place p, unsigned bits,
                uint64_t x)
{
  uint32_t *at = &t->v[first + p.bit / 32][p.lane];
  if (bits < 32)
    *at |= (uint32_t)x << p.bit % 32;
  else
    *at = (uint32_t)x;
  if (bits == 64)
    t->v[first + p.bit / 32 + 1][p.lane] = (uint32_t)(x >> 32);
}

static inline uint64_t get(const struct bench *t, struct place p, unsigned bits)
{
  uint64_t x = t->v[t->d + p.bit / 32][p.lane];
  if (bits == 64)
    x |= (uint64_t)t->v[t->d + p.bit / 32 + 1][p.lane] << 32;
  return x;
}

static inline const struct matrix *shape(const struct isa *isa, unsigned op)
{
  struct inst i = {.isa = isa->index, .format = VOP3P, .op = (uint16_t)op};
  return matrix_find(&i);
}

#endif
