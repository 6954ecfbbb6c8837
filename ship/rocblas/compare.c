/* compare.c - products by definition; see compare.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/compare.h"

#include <math.h>
#include <stdlib.h>

#include "ship/rocblas/decide.h"
#include "ship/rocblas/number.h"

size_t compare_extent(int ld, int rows, int columns)
{
  return (size_t)ld * (size_t)(columns - 1) + (size_t)rows;
}

/* op(A) at row i and column l, op(B) at row l and column j, C at i, j. */
static double of_a(const struct product *p, const struct operands *o, int i,
                   int l)
{
  size_t ld = (size_t)p->a.ld;
  return number_at(p->a.type, o->a,
                   p->op_a == OP_NONE ? (size_t)l * ld + (size_t)i
                                      : (size_t)i * ld + (size_t)l);
}

static double of_b(const struct product *p, const struct operands *o, int l,
                   int j)
{
  size_t ld = (size_t)p->b.ld;
  return number_at(p->b.type, o->b,
                   p->op_b == OP_NONE ? (size_t)j * ld + (size_t)l
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
  return beta == 0 ? 0 : beta * number_at(p->c.type, o->c, place(p, i, j));
}

/* Where a sum leaves what its type can hold there must be an infinity of its
 * sign or, of whole numbers, anything. */
static int is_off(int type, const struct difference *d)
{
  int near = fabs(d->value - d->expected) <= d->bound;
  if (isnan(d->expected) || isnan(d->value))
    return isnan(d->expected) != isnan(d->value);
  if (near || fabs(d->expected) + d->bound < number_limit(type))
    return !near;
  if (number_unit(type) == 0 || isinf(d->bound))
    return 0;
  return !isinf(d->value) || signbit(d->value) != signbit(d->expected);
}

static void keep_worst(int type, struct difference *worst, int *wrong,
                       const struct difference *d)
{
  if (!is_off(type, d))
    return;
  double now = fabs(d->value - d->expected) / d->bound;
  if (!*wrong || now > fabs(worst->value - worst->expected) / worst->bound)
    *worst = *d;
  *wrong = 1;
}

/* `unit` is what sums are rounded by, `most` the sum of absolute products. */
static double bound_of(const struct product *p, double unit, double most,
                       double expected)
{
  return (p->k + 4) * unit * most + number_unit(p->d.type) * fabs(expected) +
         number_least(p->d.type);
}

/* Our kernels sum in f32 whatever rocBLAS is asked to, or in whole numbers. */
static double our_unit(const struct product *p)
{
  return number_unit(p->compute) > 0 ? number_unit(TYPE_F32) : 0;
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
  double c = old(p, o, i, j), expected = alpha * sum + c;
  double most = fabs(alpha) * absolute + fabs(c);
  return (struct difference){
      i, j, 0, expected, bound_of(p, our_unit(p), most, expected)};
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
    one.value = number_at(p->d.type, d, place(p, row, column));
    keep_worst(p->d.type, out, &wrong, &one);
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

/* `most` is the length of a row of op(A), times alpha. */
static struct difference differ(const struct product *p,
                                const struct operands *o, const void *d,
                                const void *other, int i, int j, double most)
{
  double expected = number_at(p->d.type, other, place(p, i, j));
  double unit = our_unit(p) + number_unit(p->compute);
  return (struct difference){
      i, j, number_at(p->d.type, d, place(p, i, j)), expected,
      bound_of(p, unit, most + fabs(old(p, o, i, j)), 2 * expected)};
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
    rows[i] = alpha * length_of_row(p, o, i);
  for (int j = 0; j < p->n; j++) {
    double column = length_of_column(p, o, j);
    for (int i = 0; i < p->m; i++) {
      const struct difference one =
          differ(p, o, d, other, i, j, rows[i] * column);
      keep_worst(p->d.type, out, &wrong, &one);
    }
  }
  free(rows);
  return wrong;
}
