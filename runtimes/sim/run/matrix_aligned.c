/* matrix_aligned.c - how the matrix cores of gfx942 round: see matrix.h.
 *
 * Of a group of products each is cut off at 24 fraction bits of the largest;
 * their sum meets C, cut off downwards, the sum at 31 bits and C at 24, and is
 * rounded once: MMA-Sim (arXiv 2511.10909), whose authors found it bitwise equal
 * to an MI300X in a million random tests. Of 8-bit floats even and odd products
 * are added apart, and a C of less than 2^-25 of the rest is lost. No account of
 * gfx950 is public: the same rule is assumed there.
 */
// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>

#include "runtimes/sim/run/matrix.h"

enum {
  FRACTION = 12,      /* bits of struct digits */
  ALIEN = 1 << 16,    /* exponent of Inf and NaN, the fraction tells which */
  ZERO = -126,        /* of zeros */
  KEPT = 24, WIDE = 31, /* fraction bits of C and products, of their sum */
  LOST = 25,          /* C of 8-bit floats is lost so far below */
};

struct digits digits_of(float x, int least)
{
  if (isnan(x))
    return (struct digits){0, ALIEN};
  if (isinf(x))
    return (struct digits){x > 0 ? 1 : -1, ALIEN};
  if (!(fabsf(x) > 0))
    return (struct digits){0, ZERO};
  int exponent = ilogbf(x);
  if (exponent < least)
    exponent = least;
  return (struct digits){(int32_t)ldexpf(x, FRACTION - exponent), exponent};
}

static double value_of(const struct digits *x)
{
  if (x->exponent < ALIEN)
    return ldexp(x->fraction, x->exponent - FRACTION);
  return x->fraction ? x->fraction * INFINITY : NAN;
}

/* x / 2^n, towards zero, and downwards. */
static int32_t cut(int32_t x, int n)
{
  n = n < 31 ? n : 31;
  return (x + (x >> 31 & (int32_t)((1u << n) - 1))) >> n;
}

static int64_t fall(int64_t x, int n)
{
  return n < 0 ? x * ((int64_t)1 << -n) : x >> (n < 63 ? n : 63);
}

/* A sum with 24 fraction bits. */
struct part {
  int32_t sum, exponent;
};

static struct part add(const struct digits *a, const struct digits *b,
                       unsigned n, unsigned step)
{
  struct part p = {0, INT32_MIN};
  for (unsigned k = 0; k < n; k += step)
    if (p.exponent < a[k].exponent + b[k].exponent)
      p.exponent = a[k].exponent + b[k].exponent;
  for (unsigned k = 0; k < n; k += step)
    p.sum += cut(a[k].fraction * b[k].fraction,
                 p.exponent - a[k].exponent - b[k].exponent);
  return p;
}

static struct part join(struct part x, struct part y)
{
  int most = x.exponent > y.exponent ? x.exponent : y.exponent;
  return (struct part){
      (int32_t)(fall(x.sum, most - x.exponent) + fall(y.sum, most - y.exponent)),
      most};
}

/* C's integer has 23 fraction bits. */
static float with_c(struct part p, float c, int apart)
{
  int exponent = fabsf(c) < FLT_MIN ? ZERO : ilogbf(c);
  int64_t fraction = (int64_t)ldexpf(c, KEPT - 1 - exponent);
  int most = p.exponent > exponent ? p.exponent : exponent;
  int64_t sum = fall(p.sum, KEPT - WIDE + most - p.exponent);
  if (!apart || exponent >= most - LOST)
    sum += fall(fraction, most - exponent - 1) * (1 << (WIDE - KEPT));
  return (float)ldexp((double)sum, most - WIDE);
}

/* Where an operand is no number, or a product is beyond f32: the sum that
 * doubles have if it is neither, what overflows if one is. 0: all are numbers
 * in range. */
static int is_special(const struct digits *a, const struct digits *b,
                      unsigned n, float *sum)
{
  double all = 0;
  int up = 0, down = 0;
  for (unsigned k = 0; k < n; k++) {
    double product = value_of(&a[k]) * value_of(&b[k]);
    all += product;
    up |= product >= 0x1p128;
    down |= product <= -0x1p128;
  }
  all += (double)*sum;
  if (isfinite(all) && !up && !down)
    return 0;
  if (isfinite(all))
    all = up && down ? (double)NAN : up ? (double)INFINITY : -(double)INFINITY;
  *sum = isnan(all) ? NAN : (float)all;
  return 1;
}

enum {NEAR_TOP = 126}; /* products of less are in range */

void matrix_add_aligned(const struct operands *o, unsigned group, int apart,
                        float *sum)
{
  const struct digits *a = o->a, *b = o->b;
  for (unsigned j = 0; j < o->n; j++, b += o->k)
    for (unsigned k = 0; k < o->k; k += group) {
      unsigned n = o->k - k < group ? o->k - k : group, step = 1u + !!apart;
      struct part p = add(a + k, b + k, n, step);
      if (apart)
        p = join(p, add(a + k + 1, b + k + 1, n - 1, step));
      if ((p.exponent < NEAR_TOP && isfinite(sum[j])) ||
          !is_special(a + k, b + k, n, &sum[j]))
        sum[j] = with_c(p, sum[j], apart);
    }
}
