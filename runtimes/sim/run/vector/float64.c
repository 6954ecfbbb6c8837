/* float64.c - arithmetic on f64. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/lane.h"

FOP2(v_add_f64, f64, a + b)
FOP2(v_mul_f64, f64, a * b)
OP_FULL(FLANES_FN, v_fmac_f64, 3, f64, f64, f64, f64, V_ACC, fma(a, b, c))
FOP3(v_fma_f64, f64, fma(a, b, c))
FOP3(v_fmamk_f64, f64, fma(a, b, c))
FOP3(v_fmaak_f64, f64, fma(a, b, c))
