/* matrix_sum.c - how the matrix cores round: see matrix.h.
 *
 * Floats and doubles are a chain of fused operations in the order of k. The
 * 16-bit formats on gfx908 and gfx90a: MMA-Sim (arXiv 2511.10909), whose
 * authors found it bitwise equal to MI100 and MI210 in a million random tests.
 */
// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>

#include "runtimes/sim/run/matrix.h"

void matrix_add_f32(const struct operands *o, float *sum)
{
  const float *a = o->a, *b = o->b;
  for (unsigned j = 0; j < o->n; j++)
    for (unsigned k = 0; k < o->k; k++)
      sum[j] = fmaf(a[k], b[j * o->k + k], sum[j]);
}

void matrix_add_f64(const struct operands *o, double *sum)
{
  const double *a = o->a, *b = o->b;
  for (unsigned j = 0; j < o->n; j++)
    for (unsigned k = 0; k < o->k; k++)
      sum[j] = fma(a[k], b[j * o->k + k], sum[j]);
}

void matrix_add_i8(const struct operands *o, int32_t *sum)
{
  const int8_t *a = o->a, *b = o->b;
  for (unsigned j = 0; j < o->n; j++)
    for (unsigned k = 0; k < o->k; k++)
      sum[j] = (int32_t)((uint32_t)sum[j] +
                         (uint32_t)(a[k] * b[j * o->k + k]));
}

static float settle(float x, int flush)
{
  return flush && fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* A product of -0 is 0 before it is added. */
static float pair(const float *a, const float *b, int flush)
{
  return settle(settle(a[0] * b[0] + 0, flush) +
                settle(a[1] * b[1] + 0, flush), flush);
}

void matrix_add_half(const struct operands *o, unsigned group, int flush,
                     float *sum)
{
  const float *a = o->a, *all = o->b;
  for (unsigned j = 0; j < o->n; j++) {
    const float *b = all + j * o->k;
    for (unsigned k = 0; k < o->k; k += group) {
      float part = pair(a + k, b + k, flush);
      if (group == 4)
        part = settle(part + pair(a + k + 2, b + k + 2, flush), flush);
      sum[j] = settle(sum[j] + part, flush);
    }
  }
}
