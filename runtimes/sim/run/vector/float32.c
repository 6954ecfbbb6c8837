/* float32.c - arithmetic on f32. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/hot.h"

/* The rule of the instructions named legacy: 0 times anything is 0. */
INLINE f32 mul_legacy(f32 a, f32 b)
{
  const f32 product = a * b;
  return a == 0 || b == 0 ? 0 : product;
}

FHOT2(v_add_f32, f32, a + b)
FHOT2(v_sub_f32, f32, a - b)
FHOT2(v_subrev_f32, f32, b - a)
FHOT2(v_mul_f32, f32, a * b)
FOP2(v_mul_legacy_f32, f32, mul_legacy(a, b))
FHOT3(v_fma_f32, f32, fmaf(a, b, c))
FHOT_ACC(v_fmac_f32, f32, fmaf(a, b, c))

/* mad and mac round the product and always flush denormals. */
FHOT3(v_mad_f32, z32, a * b + c)
FHOT_ACC(v_mac_f32, z32, a * b + c)
FOP3(v_mad_legacy_f32, z32, mul_legacy(a, b) + c)
FOP3(v_madmk_f32, z32, a * b + c)
FOP3(v_madak_f32, z32, a * b + c)
FHOT3(v_fmamk_f32, f32, fmaf(a, b, c))
FHOT3(v_fmaak_f32, f32, fmaf(a, b, c))
