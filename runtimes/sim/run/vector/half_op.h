/* half_op.h - arithmetic on f16, for single and for packed operands.
 *
 *   HALF2(add, a + b)
 *
 * defines add_half() on rows of f16. The expression is an f32 or f64 that one
 * rounding makes the f16: sums and products of two f16 are exact enough in
 * f32 (24 bits are at least 2 * 11 + 2), those of three in f64 by way of
 * f32_sticky().
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_half_op_h
#define sim_vector_half_op_h

#include "runtimes/sim/run/vector/half.h"

/* As nan_f32() of lane.h. t[l] becomes an f32 that converts to the NaN. */
void VEC(nan_f16)(f32 *t, const u32 *a, const u32 *b, const u32 *c);

#define HALF_FN(name, expr)                                                  \
  static void name##_half(u32 *d, const u32 *pa, const u32 *pb,              \
                          const u32 *pc)                                     \
  {                                                                          \
    ROW f32 x[LANES], y[LANES], z[LANES], t[LANES];                          \
    u32 nan = 0;                                                             \
    half_load(pa, x);                                                        \
    half_load(pb ? pb : pa, y);                                              \
    half_load(pc ? pc : pa, z);                                              \
    EACH_LANE(l) {                                                           \
      const f32 a = x[l], b = y[l], c = z[l];                                \
      (void)a, (void)b, (void)c;                                             \
      t[l] = expr;                                                           \
    }                                                                        \
    for (int l = 0; l < LANES; l++)                                          \
      nan |= -(u32)(t[l] != t[l]);                                           \
    if (nan)                                                                 \
      VEC(nan_f16)(t, pa, pb, pc);                                           \
    half_store(d, t);                                                        \
  }

/* The instruction on one half of each operand. */
#define HALF_OP(name, op, n, tb, tc, flags)                                  \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    op##_half(f->d, f->s[0], f->s[1], f->s[2]);                              \
  }                                                                          \
  CUSTOM(name, n, f16, f16, tb, tc, flags)

/* The instruction on both halves. */
#define HALF_PACKED(name, op, n, tb, tc)                                     \
  HALF_PACKED_FULL(name, op, n, h16, tb, tc, 0)
#define HALF_PACKED_FULL(name, op, n, ta, tb, tc, flags)                     \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    ROW u32 high[4][LANES];                                                  \
    for (int k = 0; k < n; k++)                                              \
      EACH_LANE(l) high[k][l] = f->s[k][l] >> 16;                            \
    op##_half(high[3], high[0], high[1], n > 2 ? high[2] : NULL);            \
    ROW u32 low[LANES];                                                      \
    op##_half(low, f->s[0], f->s[1], f->s[2]);                               \
    EACH_LANE(l) f->d[l] = low[l] | high[3][l] << 16;                        \
  }                                                                          \
  CUSTOM(name, n, h16, ta, tb, tc, flags)

#endif
