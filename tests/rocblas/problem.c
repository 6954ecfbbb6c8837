/* problem.c - see problem.h. */
// SPDX-License-Identifier: MIT
#include "tests/rocblas/problem.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

#define POISON NAN      /* where nothing may be read */
#define UNTOUCHED 77.0  /* in D, where nothing may be written */
#define FLOAT_HALF_ULP 0x1p-24
#define BFLOAT_HALF_ULP 0x1p-8 /* at most: of the power of two below */

/* --- sizes ---------------------------------------------------------------- */

static unsigned up_to(unsigned n, unsigned multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

static unsigned at_least(unsigned n, unsigned least)
{
  return n > least ? n : least;
}

/* Several tiles with ragged ends and a rest of the sum, two batches. */
static void ragged(struct problem *p, const struct gemm_kernel *k)
{
  p->m = k->tile[0] + k->tile[0] / 2 + 1;
  p->n = 2 * k->tile[1] - 1;
  p->k = k->depth * k->split * 3 + k->depth / 2 + 1;
  p->batch = 2;
}

/* Less than a tile, less than a turn of the sum, all of alpha and beta. */
static void small(struct problem *p, const struct gemm_kernel *k)
{
  p->m = k->tile[0] / 4 + 3;
  p->n = k->tile[1] / 4 + 1;
  p->k = k->split > 1 ? k->depth * k->split + 1 : k->depth - 1;
}

/* Whole tiles; blocks of WGM workgroups with a rest; a sum that is long
 * enough for turns to be staggered. */
static void whole(struct problem *p, const struct gemm_kernel *k)
{
  unsigned blocks = k->mapping < 9 ? k->mapping + 1 : 10;
  p->m = 2 * k->tile[0];
  p->n = (k->split > 1 ? 2 : blocks) * k->tile[1];
  p->k = (2u << k->stagger_shift) * k->depth * k->split;
}

void problem_choose(struct problem *p, const struct gemm_kernel *k, int shape)
{
  static void (*const shapes[SHAPES])(struct problem *,
                                      const struct gemm_kernel *) = {
      ragged, small, whole};
  *p = (struct problem){.batch = 1};
  shapes[shape](p, k);
  p->m = up_to(at_least(p->m, k->vector), k->multiple[0]);
  p->n = up_to(p->n, k->multiple[1]);
  p->k = up_to(p->k, k->multiple[2]);
  problem_layout(p, k, shape == 2 ? 0 : 4);
  p->fractions = shape == 0 && k->type == 'S' && k->split == 1;
  p->alpha = shape == 0 ? 1 : -2;
  p->beta = shape == 0 ? 0 : 3;
  if (shape && type_parts(k->sum) == 2) {
    p->alpha += I;
    p->beta -= 2 * I;
  }
}

/* --- layout --------------------------------------------------------------- */

static unsigned rows(const struct problem *p, enum matrix x)
{
  return x == B ? p->k : p->m;
}

static unsigned columns(const struct problem *p, enum matrix x)
{
  return x == A ? p->k : p->n;
}

static int is_transposed(const struct gemm_kernel *k, enum matrix x)
{
  return x == A ? k->transposed[0] : x == B && k->transposed[1];
}

/* Strides so that the matrix's rows (0) or columns (1) lie side by side. */
static void lay(struct problem *p, enum matrix x, int first, unsigned pad)
{
  unsigned *stride = p->stride[x];
  unsigned extent[2] = {rows(p, x), columns(p, x)};
  stride[first] = 1;
  stride[!first] = extent[first] + pad;
  stride[2] = stride[!first] * extent[!first] + pad;
}

/* The rule counts the tensor's indices, the first of which is the columns of
 * what is transposed. */
static void apply_rule(struct problem *p, enum matrix x,
                       struct stride_rule rule, int transposed, unsigned pad)
{
  if (rule.index < 0)
    return;
  int index = rule.index < 2 ? rule.index ^ transposed : rule.index;
  if (rule.index == 1 && rule.value == 1)
    lay(p, x, index, pad);
  p->stride[x][index] = rule.value;
}

void problem_layout(struct problem *p, const struct gemm_kernel *k,
                    unsigned pad)
{
  p->alpha = 1;
  p->beta = 0;
  for (int x = 0; x < MATRICES; x++)
    lay(p, x, is_transposed(k, x), pad);
  apply_rule(p, A, k->a, k->transposed[0], pad);
  apply_rule(p, C, k->c, 0, pad);
}

size_t problem_span(const struct problem *p, enum matrix x)
{
  return 1 + (size_t)(rows(p, x) - 1) * p->stride[x][0] +
         (size_t)(columns(p, x) - 1) * p->stride[x][1];
}

size_t problem_elements(const struct problem *p, enum matrix x)
{
  return (size_t)p->stride[x][2] * p->batch + 64;
}

static size_t index_of(const struct problem *p, enum matrix x, size_t row,
                       size_t column, size_t batch)
{
  const unsigned *s = p->stride[x];
  return row * s[0] + column * s[1] + batch * s[2];
}

/* --- data ----------------------------------------------------------------- */

static double number(const struct problem *p, struct rng *r)
{
  return p->fractions ? (double)rng_below(r, 8191) / 4096 - 1
                      : (double)rng_below(r, 5) - 2;
}

static double complex value(const struct problem *p, unsigned parts,
                            struct rng *r)
{
  double real = number(p, r);
  return parts == 2 ? real + number(p, r) * I : real;
}

static void fill(double complex *at, const struct problem *p, enum matrix x,
                 unsigned parts, struct rng *r)
{
  size_t n = problem_elements(p, x);
  for (size_t i = 0; i < n; i++)
    at[i] = x == D ? UNTOUCHED : POISON;
  for (size_t b = 0; x != D && b < p->batch; b++)
    for (size_t column = 0; column < columns(p, x); column++)
      for (size_t row = 0; row < rows(p, x); row++)
        at[index_of(p, x, row, column, b)] = value(p, parts, r);
}

static double complex turn(double complex x, int conjugate)
{
  return conjugate ? conj(x) : x;
}

/* One column of A * B for one batch, and of the absolute values. */
static void column_of(const struct data *d, const struct problem *p,
                      const struct gemm_kernel *g, size_t column,
                      size_t batch, double complex *sum, double *size)
{
  for (size_t row = 0; row < p->m; row++)
    sum[row] = size[row] = 0;
  size_t step = p->stride[A][0];
  for (size_t k = 0; k < p->k; k++) {
    const double complex *a = d->x[A] + index_of(p, A, 0, k, batch);
    double complex b = turn(d->x[B][index_of(p, B, k, column, batch)],
                            g->conjugate[1]);
    for (size_t row = 0; row < p->m; row++)
      sum[row] += turn(a[row * step], g->conjugate[0]) * b;
    for (size_t row = 0; p->fractions && row < p->m; row++)
      size[row] += cabs(a[row * step] * b);
  }
}

static void finish_column(struct data *d, const struct problem *p,
                          const struct gemm_kernel *k, size_t column,
                          size_t batch, const double complex *sum,
                          const double *size)
{
  for (size_t row = 0; row < p->m; row++) {
    size_t at = index_of(p, D, row, column, batch);
    double complex c = p->beta * d->x[C][index_of(p, C, row, column, batch)];
    d->want[at] = p->alpha * sum[row] + c;
    d->slack[at] = p->fractions    ? size[row] * (p->k + 2) * FLOAT_HALF_ULP
                   : k->out == 'B' ? cabs(d->want[at]) * BFLOAT_HALF_ULP
                                   : 0;
    if (k->split > 1 && !k->parts)
      d->x[D][at] = c;
  }
}

void data_make(struct data *d, const struct problem *p,
               const struct gemm_kernel *k, uint64_t seed)
{
  struct rng r;
  rng_seed(&r, seed);
  for (int x = 0; x < MATRICES; x++) {
    d->x[x] = mem_array(problem_elements(p, x), sizeof *d->x[x]);
    fill(d->x[x], p, x, type_parts(matrix_type(k, x)), &r);
  }
  size_t n = problem_elements(p, D);
  d->want = mem_array(n, sizeof *d->want);
  d->slack = mem_array(n, sizeof *d->slack);
  for (size_t i = 0; i < n; i++)
    d->want[i] = d->x[D][i];
  double complex *sum = mem_array(p->m, sizeof *sum);
  double *size = mem_array(p->m, sizeof *size);
  for (size_t b = 0; b < p->batch; b++)
    for (size_t column = 0; column < p->n; column++) {
      column_of(d, p, k, column, b, sum, size);
      finish_column(d, p, k, column, b, sum, size);
    }
  free(sum);
  free(size);
}

void data_free(struct data *d)
{
  for (int x = 0; x < MATRICES; x++)
    free(d->x[x]);
  free(d->want);
  free(d->slack);
}

size_t data_wrong(const struct data *d, const struct problem *p,
                  size_t *worst)
{
  size_t n = problem_elements(p, D), wrong = 0;
  double most = -1;
  for (size_t i = 0; i < n; i++) {
    double off = cabs(d->x[D][i] - d->want[i]);
    if (off <= d->slack[i])
      continue;
    wrong++;
    off = isnan(off) ? HUGE_VAL : off;
    if (off > most) {
      most = off;
      *worst = i;
    }
  }
  return wrong;
}
