/* compare.c - products by definition; see compare.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/compare.h"

#include <math.h>
#include <stdlib.h>

#include "ship/rocblas/decide.h"

static const double unit = 0x1p-24; /* half a unit in the last place of f32 */

size_t compare_extent(int ld, int rows, int columns)
{
  return (size_t)ld * (size_t)(columns - 1) + (size_t)rows;
}

static double element(const void *at, size_t i)
{
  return ((const float *)at)[i];
}

/* op(A) at row i and column l, op(B) at row l and column j, C at i, j. */
static double of_a(const struct product *p, const struct operands *o, int i,
                   int l)
{
  size_t ld = (size_t)p->a.ld;
  return element(o->a, p->op_a == OP_NONE ? (size_t)l * ld + (size_t)i
                                          : (size_t)i * ld + (size_t)l);
}

static double of_b(const struct product *p, const struct operands *o, int l,
                   int j)
{
  size_t ld = (size_t)p->b.ld;
  return element(o->b, p->op_b == OP_NONE ? (size_t)j * ld + (size_t)l
                                          : (size_t)l * ld + (size_t)j);
}

static size_t place(const struct product *p, int i, int j)
{
  return (size_t)j * (size_t)p->c.ld + (size_t)i;
}

/* beta C, which is not read where beta is 0. */
static double old(const struct product *p, const struct operands *o, int i,
                  int j)
{
  double beta = decide_scalar(p, p->beta);
  return beta == 0 ? 0 : beta * element(o->c, place(p, i, j));
}

/* Two numbers that are both not finite in the same way agree. */
static int is_off(double value, double expected, double bound)
{
  if (isnan(expected) || isnan(value))
    return isnan(expected) != isnan(value);
  if (isinf(expected) || isinf(value))
    return value != expected && !(bound > 0x1p127);
  return fabs(value - expected) > bound;
}

static void keep_worst(struct difference *worst, int *wrong,
                       const struct difference *d)
{
  if (!is_off(d->value, d->expected, d->bound))
    return;
  double now = fabs(d->value - d->expected) / d->bound;
  if (!*wrong || now > fabs(worst->value - worst->expected) / worst->bound)
    *worst = *d;
  *wrong = 1;
}

static struct difference define(const struct product *p,
                                const struct operands *o, int i, int j)
{
  double alpha = decide_scalar(p, p->alpha), sum = 0, absolute = 0;
  for (int l = 0; l < p->k; l++) {
    double term = of_a(p, o, i, l) * of_b(p, o, l, j);
    sum += term;
    absolute += fabs(term);
  }
  double c = old(p, o, i, j);
  return (struct difference){
      i, j, 0, alpha * sum + c,
      (p->k + 4) * unit * (fabs(alpha) * absolute + fabs(c)) + 0x1p-140};
}

int compare_defined(const struct product *p, const struct operands *o,
                    const void *d, struct difference *out)
{
  int64_t all = (int64_t)p->m * p->n;
  int64_t samples = all < COMPARE_SAMPLES ? all : COMPARE_SAMPLES;
  int wrong = 0;
  for (int64_t s = 0; s < samples; s++) {
    /* the first, the last, and even steps between them; the small term walks
     * through the rows where a step is a multiple of m */
    int64_t at = s * (all - 1) / (samples > 1 ? samples - 1 : 1);
    int column = (int)(at / p->m), row = (int)((at + s) % p->m);
    struct difference one = define(p, o, row, column);
    one.value = element(d, place(p, row, column));
    keep_worst(out, &wrong, &one);
  }
  return wrong;
}

static double length_of_row(const struct product *p, const struct operands *o,
                            int i)
{
  double sum = 0;
  for (int l = 0; l < p->k; l++)
    sum += of_a(p, o, i, l) * of_a(p, o, i, l);
  return sqrt(sum);
}

static double length_of_column(const struct product *p,
                               const struct operands *o, int j)
{
  double sum = 0;
  for (int l = 0; l < p->k; l++)
    sum += of_b(p, o, l, j) * of_b(p, o, l, j);
  return sqrt(sum);
}

int compare_other(const struct product *p, const struct operands *o,
                  const void *d, const void *other, struct difference *out)
{
  double *rows = calloc((size_t)p->m, sizeof *rows);
  double alpha = fabs(decide_scalar(p, p->alpha));
  int wrong = 0;
  if (!rows)
    return -1;
  for (int i = 0; i < p->m; i++)
    rows[i] = length_of_row(p, o, i);
  for (int j = 0; j < p->n; j++) {
    double column = length_of_column(p, o, j);
    for (int i = 0; i < p->m; i++) {
      double most = alpha * rows[i] * column + fabs(old(p, o, i, j));
      const struct difference one = {
          i, j, element(d, place(p, i, j)), element(other, place(p, i, j)),
          2 * (p->k + 4) * unit * most + 0x1p-140};
      keep_worst(out, &wrong, &one);
    }
  }
  free(rows);
  return wrong;
}
