/* divide.c - the steps of an IEEE division.
 *
 * A compiler divides n by d as
 *
 *   d' = div_scale d, d, n      n' = div_scale n, d, n   (VCC)
 *   rcp, a quotient and its residue by FMAs on d' and n'
 *   q = div_fmas residue, rcp, quotient                  (reads VCC)
 *   div_fixup q, d, n
 *
 * div_scale moves both away from overflow and denormals; where that changes
 * the quotient, VCC makes div_fmas undo it. The published pseudocode leaves
 * out the direction of some of these steps; the one here is the one with
 * which the sequence gives the quotient, checked in tests/sim/valu_divide.c.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/half_op.h"
#include "runtimes/sim/run/vector/minmax.h"

struct scaled {
  f64 value;
  u32 vcc; /* 0 or ~0 */
};

/* What the rules need to know of a format. */
struct limits {
  int far, tiny, shift;
};
static const struct limits f32_limits = {96, 23, 64};
static const struct limits f64_limits = {768, 53, 128};

/* What div_scale asks about its operands: biased exponents, and whether 1 / d,
 * n / d and d itself are denormals. */
struct quotient {
  int exp_n, exp_d, zero;
  int small_rcp, small_quotient, small_d;
};

static struct scaled scale(f64 x, int is_d, int is_n, const struct quotient *q,
                           const struct limits *f)
{
  if (q->zero)
    return (struct scaled){NAN, 0};
  if (q->exp_n - q->exp_d >= f->far)
    return (struct scaled){is_d ? ldexp(x, f->shift) : x, ~(u32)0};
  if (q->small_d)
    return (struct scaled){ldexp(x, f->shift), 0};
  if (q->small_rcp && q->small_quotient)
    return (struct scaled){is_d ? ldexp(x, -f->shift) : x, ~(u32)0};
  if (q->small_rcp)
    return (struct scaled){ldexp(x, -f->shift), 0};
  if (q->small_quotient)
    return (struct scaled){is_n ? ldexp(x, f->shift) : x, ~(u32)0};
  if (q->exp_n <= f->tiny)
    return (struct scaled){ldexp(x, f->shift), 0};
  return (struct scaled){x, 0};
}

static int exponent32(f32 x) { return f32_bits(x) >> 23 & 255; }
static int exponent64(f64 x) { return f64_bits(x) >> 52 & 2047; }
static int is_small32(f32 x) { return x != 0 && !exponent32(x); }
static int is_small64(f64 x) { return x != 0 && !exponent64(x); }

static void v_div_scale_f32_body(const struct frame *f)
{
  for (int l = 0; l < LANES; l++) {
    const f32 x = LOAD_f32(f->s[0], l), d = LOAD_f32(f->s[1], l),
              n = LOAD_f32(f->s[2], l);
    const struct quotient q = { exponent32(n), exponent32(d), n == 0 || d == 0,
                                is_small32(1 / d), is_small32(n / d),
                                is_small32(d) };
    const struct scaled s = scale(x, x == d, x == n, &q, &f32_limits);
    f->d[l] = s.value != s.value ? 0xffc00000 : f32_bits((f32)s.value);
    f->mask[l] = s.vcc;
  }
}
CUSTOM(v_div_scale_f32, 3, f32, f32, f32, f32, V_MASK)

static void v_div_scale_f64_body(const struct frame *f)
{
  for (int l = 0; l < LANES; l++) {
    const f64 x = LOAD_f64(f->s[0], l), d = LOAD_f64(f->s[1], l),
              n = LOAD_f64(f->s[2], l);
    const struct quotient q = { exponent64(n), exponent64(d), n == 0 || d == 0,
                                is_small64(1 / d), is_small64(n / d),
                                is_small64(d) };
    const struct scaled s = scale(x, x == d, x == n, &q, &f64_limits);
    const u64 bits = f64_bits(s.value);
    STORE_u64(f->d, l, is_nan64(bits) ? 0xfff8000000000000 : bits);
    f->mask[l] = s.vcc;
  }
}
CUSTOM(v_div_scale_f64, 3, f64, f64, f64, f64, V_MASK)

/* --- div_fmas ------------------------------------------------------------ */

/* The last step may end in a denormal, by the power that undoes div_scale,
 * and is rounded once. */

/* What p + c loses by rounding (Knuth's TwoSum). */
static f64 sum_error(f64 p, f64 c)
{
  const f64 sum = p + c, back = sum - p;
  return (p - (sum - back)) + (c - back);
}

/* a * b + c for rounding to f32: the last bit tells of what was cut off. */
static f64 fma_sticky(f32 a, f32 b, f32 c)
{
  const f64 product = (f64)a * b, sum = product + c;
  const f64 lost = sum_error(product, c);
  u64 bits = f64_bits(sum);
  if (lost != 0 && lost == lost && !(bits & 1))
    bits += (lost > 0) == (sum > 0) ? 1 : ~(u64)0;
  return f64_of(bits);
}

/* Back up where the quotient is large, down where it is small. */
static f32 fmas32(f32 a, f32 b, f32 c, u32 undo)
{
  if (!undo)
    return fmaf(a, b, c);
  return (f32)(fma_sticky(a, b, c) * (exponent32(c) > 127 ? 0x1p64 : 0x1p-64));
}

/* Where the second rounding of a denormal meets a tie, what the first one lost
 * decides. */
static f64 fmas64(f64 a, f64 b, f64 c, u32 undo)
{
  const f64 sum = fma(a, b, c);
  if (!undo || exponent64(c) > 1023)
    return undo ? ldexp(sum, 128) : sum;
  const f64 r = ldexp(sum, -128), off = sum - ldexp(r, 128);
  const f64 high = a * b, low = fma(a, b, -high);
  const f64 lost = (high + c - sum) + (sum_error(high, c) + low);
  if (fabs(off) != 0x1p-947 || lost == 0 || (lost > 0) != (off > 0))
    return r;
  return nextafter(r, off > 0 ? INFINITY : -INFINITY);
}

static void v_div_fmas_f32_body(const struct frame *f)
{
  ROW f32 t[LANES];
  for (int l = 0; l < LANES; l++)
    t[l] = fmas32(LOAD_f32(f->s[0], l), LOAD_f32(f->s[1], l),
                  LOAD_f32(f->s[2], l), f->cond[l]);
  VEC(nan_f32)(t, f->s[0], 1, f->s[1], 1, f->s[2], 1);
  memcpy(f->d, t, sizeof t);
}
CUSTOM(v_div_fmas_f32, 3, f32, f32, f32, f32, V_COND)

static void v_div_fmas_f64_body(const struct frame *f)
{
  ROW f64 t[LANES];
  for (int l = 0; l < LANES; l++)
    t[l] = fmas64(LOAD_f64(f->s[0], l), LOAD_f64(f->s[1], l),
                  LOAD_f64(f->s[2], l), f->cond[l]);
  VEC(nan_f64)(t, f->s[0], 1, f->s[1], 1, f->s[2], 1);
  EACH_LANE(l) STORE_f64(f->d, l, t[l]);
}
CUSTOM(v_div_fmas_f64, 3, f64, f64, f64, f64, V_COND)

/* --- div_fixup ----------------------------------------------------------- */

/* The quotient q of n / d where that is a plain one, else what the operands'
 * classes make of it. `least` is the exponent of n / d below which nothing is
 * left; a q that is no number is a quotient too large for one. */
#define FIXUP(size, u, nan, inf, signbit, man_bits, exp_mask, least)         \
  static u fixup##size(u q, u d, u n)                                        \
  {                                                                          \
    const u sign = (d ^ n) & (signbit), md = d & ~(signbit),                 \
            mn = n & ~(signbit), mq = q & ~(signbit);                        \
    if (mn > (inf))                                                          \
      return quiet##size(n);                                                 \
    if (md > (inf))                                                          \
      return quiet##size(d);                                                 \
    if ((!md && !mn) || (md == (inf) && mn == (inf)))                        \
      return nan;                                                            \
    if (!md || mn == (inf))                                                  \
      return sign | (inf);                                                   \
    if (md == (inf) || !mn)                                                  \
      return sign;                                                           \
    if ((int)(mn >> man_bits) - (int)(md >> man_bits) < (least))             \
      return sign;                                                           \
    return mq >= (inf) ? sign | (inf) : sign | mq;                           \
  }

FIXUP(16, u32, 0xfe00, 0x7c00u, 0x8000u, 10, 31, -1000)
FIXUP(32, u32, 0xffc00000, 0x7f800000u, 0x80000000u, 23, 255, -150)
FIXUP(64, u64, 0xfff8000000000000, (u64)0x7ff << 52, (u64)1 << 63, 52, 2047,
      -1075)

#define FIXUP_OP(name, t, bits, fixup, flags)                                \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    for (int l = 0; l < LANES; l++)                                          \
      STORE_##bits(f->d, l,                                                  \
                   fixup(LOAD_##bits(f->s[0], l), LOAD_##bits(f->s[1], l),   \
                         LOAD_##bits(f->s[2], l)));                          \
  }                                                                          \
  CUSTOM(name, 3, t, t, t, t, flags)

FIXUP_OP(v_div_fixup_f16, f16, u16, fixup16, V_KEEP | V_POLE)
FIXUP_OP(v_div_fixup_legacy_f16, f16, u16, fixup16, V_POLE)
FIXUP_OP(v_div_fixup_f32, f32, u32, fixup32, 0)
FIXUP_OP(v_div_fixup_f64, f64, u64, fixup64, 0)
