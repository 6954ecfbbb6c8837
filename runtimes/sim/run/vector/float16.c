/* float16.c - arithmetic on f16, single and packed. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/half_op.h"

void VEC(nan_f16)(f32 *t, const u32 *a, const u32 *b, const u32 *c)
{
  const u32 *s[3] = {a, b, c};
  for (int l = 0; l < LANES; l++) {
    if (t[l] == t[l])
      continue;
    u32 nan = 0xfe00;
    for (int n = 2; n >= 0; n--)
      if (s[n] && (s[n][l] & 0x7fff) > 0x7c00)
        nan = s[n][l] & 0xffff;
    t[l] = f32_of((nan & 0x8000) << 16 | 0x7fc00000 | (nan & 0x3ff) << 13);
  }
}

/* The product has 22 bits and is exact in f32. The sum is rounded to f32 with
 * its last bit set where that lost something (the error of an addition is a
 * float: Knuth's TwoSum), so that rounding it to f16 is the only rounding. */
INLINE f32 fused(f32 a, f32 b, f32 c)
{
  const f32 product = a * b, sum = product + c;
  const f32 back = sum - product;
  const f32 lost = (product - (sum - back)) + (c - back);
  const u32 bits = f32_bits(sum);
  const u32 step = (lost > 0) == (sum > 0) ? 1 : ~(u32)0;
  const u32 move = (lost > 0 || lost < 0) ? ~bits & 1 : 0;
  return f32_of(bits + (step & -move));
}

/* mad rounds the product to f16 first. */
static void mad_half(u32 *d, const u32 *a, const u32 *b, const u32 *c);

HALF_FN(add, a + b)
HALF_FN(sub, a - b)
HALF_FN(subrev, b - a)
HALF_FN(mul, a * b)
HALF_FN(fma, fused(a, b, c))

HALF_OP(v_add_f16, add, 2, f16, none, 0)
HALF_OP(v_sub_f16, sub, 2, f16, none, 0)
HALF_OP(v_subrev_f16, subrev, 2, f16, none, 0)
HALF_OP(v_mul_f16, mul, 2, f16, none, 0)
HALF_OP(v_mac_f16, mad, 3, f16, f16, V_ACC)
HALF_OP(v_madmk_f16, mad, 3, f16, f16, 0)
HALF_OP(v_madak_f16, mad, 3, f16, f16, 0)
HALF_OP(v_mad_legacy_f16, mad, 3, f16, f16, 0)
HALF_OP(v_fma_legacy_f16, fma, 3, f16, f16, 0)
HALF_OP(v_mad_f16, mad, 3, f16, f16, V_KEEP)
HALF_OP(v_fma_f16, fma, 3, f16, f16, V_KEEP)

HALF_OP(v_fmac_f16, fma, 3, f16, f16, V_ACC)
HALF_OP(v_fmamk_f16, fma, 3, f16, f16, 0)
HALF_OP(v_fmaak_f16, fma, 3, f16, f16, 0)

HALF_PACKED(v_pk_add_f16, add, 2, h16, none)
HALF_PACKED(v_pk_mul_f16, mul, 2, h16, none)
HALF_PACKED(v_pk_fma_f16, fma, 3, h16, h16)
/* The short encoding has no op_sel. */
HALF_PACKED_FULL(v_pk_fmac_f16, fma, 3, u32, u32, u32, V_ACC)

static void mad_half(u32 *d, const u32 *a, const u32 *b, const u32 *c)
{
  ROW u32 product[LANES];
  mul_half(product, a, b, NULL);
  add_half(d, product, c, NULL);
}
