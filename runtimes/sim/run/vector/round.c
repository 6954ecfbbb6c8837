/* round.c - floats to whole numbers, and their parts. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/half_op.h"

/* What is left of a above the next lower whole number: less than 1 even where
 * the subtraction would round up to it. */
INLINE f32 fract32(f32 a, f32 most)
{
  const f32 x = a - floorf(a);
  return x > most ? most : x;
}
INLINE f64 fract64(f64 a)
{
  const f64 x = a - floor(a);
  return x > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : x;
}

INLINE int is_finite(f64 a) { return a - a == 0; }

/* a is a mantissa in [0.5, 1) times 2 to an exponent; 0, infinities and NaNs
 * are themselves, with the exponent 0. */
INLINE i32 exponent(f64 a)
{
  int e = 0;
  if (is_finite(a))
    frexp(a, &e);
  return e;
}
INLINE f64 mantissa(f64 a)
{
  int e;
  return is_finite(a) ? frexp(a, &e) : a;
}

/* Beyond these exponents every result is 0 or infinity. */
INLINE int bounded(i32 e, int bound)
{
  return e < -bound ? -bound : e > bound ? bound : e;
}

#define HALF1(name, op, expr)                                                \
  HALF_FN(op, expr) HALF_OP(name, op, 1, none, none, 0)

FOP1(v_trunc_f32, f32, truncf(a))
FOP1(v_ceil_f32, f32, ceilf(a))
FOP1(v_floor_f32, f32, floorf(a))
FOP1(v_rndne_f32, f32, roundevenf(a))
FOP1(v_fract_f32, f32, fract32(a, 0x1.fffffep-1f))
FOP1(v_frexp_mant_f32, f32, (f32)mantissa(a))
OP1(v_frexp_exp_i32_f32, i32, f32, exponent(a))

FOP1(v_trunc_f64, f64, trunc(a))
FOP1(v_ceil_f64, f64, ceil(a))
FOP1(v_floor_f64, f64, floor(a))
FOP1(v_rndne_f64, f64, roundeven(a))
FOP1(v_fract_f64, f64, fract64(a))
FOP1(v_frexp_mant_f64, f64, mantissa(a))
OP1(v_frexp_exp_i32_f64, i32, f64, exponent(a))

HALF1(v_trunc_f16, trunc, truncf(a))
HALF1(v_ceil_f16, ceil, ceilf(a))
HALF1(v_floor_f16, floor, floorf(a))
HALF1(v_rndne_f16, rndne, roundevenf(a))
HALF1(v_fract_f16, fract, fract32(a, 0x1.ffcp-1f))
HALF1(v_frexp_mant_f16, mant, (f32)mantissa(a))

OP_FULL(FLANES_FN, v_ldexp_f32, 2, f32, f32, i32, none, 0, ldexpf(a, bounded(b, 400)))
OP_FULL(FLANES_FN, v_ldexp_f64, 2, f64, f64, i32, none, 0, ldexp(a, bounded(b, 3000)))

static void v_frexp_exp_i16_f16_body(const struct frame *f)
{
  ROW f32 x[LANES];
  half_load(f->s[0], x);
  for (int l = 0; l < LANES; l++)
    f->d[l] = (u16)exponent(x[l]);
}
CUSTOM(v_frexp_exp_i16_f16, 1, i16, f16, none, none, 0)

static void v_ldexp_f16_body(const struct frame *f)
{
  ROW f32 x[LANES];
  half_load(f->s[0], x);
  for (int l = 0; l < LANES; l++)
    x[l] = ldexpf(x[l], bounded((i16)f->s[1][l], 60));
  half_store(f->d, x);
}
CUSTOM(v_ldexp_f16, 2, f16, f16, i16, none, 0)
