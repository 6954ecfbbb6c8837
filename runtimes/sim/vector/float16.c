/* float16.c - arithmetic on f16, single and packed. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/vector/half_op.h"

void VEC(nan_f16)(f32 *t, const u32 *a, const u32 *b, const u32 *c)
{
  const u32 *s[3] = { a, b, c };
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

/* The sum of a product of 22 bits and an 11-bit number: exact in f64 or so far
 * from a tie that f64's rounding does not matter. */
INLINE f32 fused(f32 a, f32 b, f32 c)
{
  return f32_sticky((f64)a * b + c);
}

/* mad rounds the product to f16 first. */
static void mad_half(u32 *d, const u32 *a, const u32 *b, const u32 *c);

// clang-format off
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

HALF_PACKED(v_pk_add_f16, add, 2, h16, none)
HALF_PACKED(v_pk_mul_f16, mul, 2, h16, none)
HALF_PACKED(v_pk_fma_f16, fma, 3, h16, h16)
// clang-format on

static void mad_half(u32 *d, const u32 *a, const u32 *b, const u32 *c)
{
  ROW u32 product[LANES];
  mul_half(product, a, b, NULL);
  add_half(d, product, c, NULL);
}
