/* math.c - reciprocals, roots, powers, logarithms, sine and cosine.
 *
 * The hardware is within 1 ulp of the true value for f32 and f16 (and only
 * approximates rcp, rsq and sqrt of f64, which programs refine); here it is
 * the true value, computed in f64 and rounded once. Those on f32 do not know
 * denormals, except for sqrt. Sine and cosine count in revolutions.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/half_op.h"

INLINE f64 one_over_root(f64 a) { return 1 / sqrt(a); }

/* sin of x / 4 revolutions. Whole quarters come out exactly. */
static f64 sin_quarters(f64 x)
{
  const f64 quarter = roundeven(x);
  const f64 angle = (x - quarter) * M_PI_2;
  switch ((int)quarter & 3) {
  case 0: return sin(angle);
  case 1: return cos(angle);
  case 2: return quarter == x ? 0 : -sin(angle);
  default: return -cos(angle);
  }
}

/* Defined for up to 256 revolutions; beyond, sin is 0 and cos is 1. */
static f64 sine(f64 a)
{
  if (a - a != 0)
    return a - a;
  return fabs(a) > 256 ? 0 : a == 0 ? a : sin_quarters(4 * a);
}
static f64 cosine(f64 a)
{
  if (a - a != 0)
    return a - a;
  return fabs(a) > 256 ? 1 : sin_quarters(4 * a + 1);
}

#define HALF1(name, op, flags, expr)                                         \
  HALF_FN(op, f32_sticky(expr)) HALF_OP(name, op, 1, none, none, flags)

FOP1(v_rcp_f32, z32, (f32)(1 / (f64)a))
FOP1(v_rcp_iflag_f32, z32, (f32)(1 / (f64)a))
FOP1(v_rsq_f32, z32, (f32)one_over_root(a))
FOP1(v_sqrt_f32, f32, (f32)sqrt(a))
FOP1(v_exp_f32, z32, (f32)exp2(a))
FOP1(v_log_f32, z32, (f32)log2(a))
FOP1(v_exp_legacy_f32, z32, (f32)exp2(a))
FOP1(v_log_legacy_f32, z32, (f32)log2(a))
FOP1(v_sin_f32, z32, (f32)sine(a))
FOP1(v_cos_f32, z32, (f32)cosine(a))

FOP1(v_rcp_f64, f64, 1 / a)
FOP1(v_rsq_f64, f64, one_over_root(a))
FOP1(v_sqrt_f64, f64, sqrt(a))

HALF1(v_rcp_f16, rcp, V_POLE, 1 / (f64)a)
HALF1(v_rsq_f16, rsq, V_POLE, one_over_root(a))
HALF1(v_sqrt_f16, root, 0, sqrt(a))
HALF1(v_exp_f16, power, 0, exp2(a))
HALF1(v_log_f16, logarithm, V_POLE, log2(a))
HALF1(v_sin_f16, sine, 0, sine(a))
HALF1(v_cos_f16, cosine, 0, cosine(a))
