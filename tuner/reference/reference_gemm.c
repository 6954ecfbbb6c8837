/* reference_gemm.c - C = alpha op(A) op(B) + beta C, row-major, by OpenBLAS.
 *
 * The bound: an element is a sum of k products, in any order, times alpha,
 * plus beta times the old element. Each product goes through at most k
 * roundings, and alpha and the last sum add two, so
 *
 *     |error| <= gamma_(k+2) (|alpha| |A||B| + |beta||C|)
 *
 * element by element (Higham, Accuracy and Stability of Numerical Algorithms,
 * 2002, section 3.1; fused multiply-adds only make it smaller). To that, what
 * flushing each operation's subnormal result to zero can cost.
 */
// SPDX-License-Identifier: MIT
#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

struct gemm {
  const struct reference_job *job;
  size_t m, n, k, lda, ldb, ldc;
  int ta, tb; /* transposed */
  double alpha, beta;
  int a, b, c; /* buffers */
  const struct element_ops *type;
};

static struct gemm describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  const char *layout = problem_text(f, p, "layout");
  struct gemm g = {
      .job = job,
      .m = (size_t)problem_int(f, p, "m"),
      .n = (size_t)problem_int(f, p, "n"),
      .k = (size_t)problem_int(f, p, "k"),
      .lda = (size_t)problem_int(f, p, "lda"),
      .ldb = (size_t)problem_int(f, p, "ldb"),
      .ldc = (size_t)problem_int(f, p, "ldc"),
      .ta = layout[0] == 't',
      .tb = layout[0] && layout[1] == 't',
      .alpha = (double)(float)problem_num(f, p, "alpha"),
      .beta = (double)(float)problem_num(f, p, "beta"),
      .a = reference_buffer(job->plan, "a"),
      .b = reference_buffer(job->plan, "b"),
      .c = reference_buffer(job->plan, "c"),
  };
  g.type = g.c < 0 ? NULL : element_ops(job->plan->buffers[g.c].type);
  return g;
}

static size_t elements(const struct gemm *g, int buffer)
{
  return g->job->plan->buffers[buffer].elements;
}

/* Elements of a matrix of so many rows, the last of which may end early. */
static size_t extent(size_t rows, size_t columns, size_t ld)
{
  return (rows - 1) * ld + columns;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct gemm g = describe(job);
  const char *name = family_name(job->family);
  if (g.a < 0 || g.b < 0 || g.c < 0 || !g.type || !g.m || !g.n || !g.k)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'gemm' needs the "
                   "keys m, n, k, layout, lda, ldb, ldc, alpha, beta and f32 "
                   "buffers a, b, c", name);
  size_t arows = g.ta ? g.k : g.m, acols = g.ta ? g.m : g.k;
  size_t brows = g.tb ? g.n : g.k, bcols = g.tb ? g.k : g.n;
  if (g.lda < acols || g.ldb < bcols || g.ldc < g.n ||
      elements(&g, g.a) < extent(arows, acols, g.lda) ||
      elements(&g, g.b) < extent(brows, bcols, g.ldb) ||
      elements(&g, g.c) < extent(g.m, g.n, g.ldc))
    return err_set(e, ERR_FAILED, "%s.lua: a leading dimension or a buffer "
                   "is smaller than its matrix", name);
  return 0;
}

/* The old C counts only where beta does. */
static double old_c(const struct gemm *g, size_t i)
{
  if (g->beta == 0)
    return 0;
  return input_value(g->job->seed, (size_t)g->c,
                     &g->job->plan->buffers[g->c], i);
}

static struct expected expect(const struct gemm *g, double sum,
                              double magnitude, double old)
{
  double terms = (double)g->k + 2;
  double size = fabs(g->alpha) * magnitude + fabs(g->beta * old);
  return (struct expected){
      .want = g->alpha * sum + g->beta * old,
      .bound = reference_gamma(terms, g->type->unit) * size
               + terms * g->type->tiny * fmax(1, fabs(g->alpha)),
  };
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, c */
  struct gemm g = describe(job);
  const struct buffer *buffers = job->plan->buffers;
  size_t row = i / g.ldc, col = i % g.ldc;
  if (col >= g.n || row >= g.m)
    return (struct expected){.bound = -1};
  double sum = 0, magnitude = 0;
  for (size_t x = 0; x < g.k; x++) {
    size_t ia = g.ta ? x * g.lda + row : row * g.lda + x;
    size_t ib = g.tb ? col * g.ldb + x : x * g.ldb + col;
    double term = input_value(job->seed, (size_t)g.a, &buffers[g.a], ia)
                  * input_value(job->seed, (size_t)g.b, &buffers[g.b], ib);
    sum += term;
    magnitude += fabs(term);
  }
  return expect(&g, sum, magnitude, old_c(&g, i));
}

static double *widen(const struct gemm *g, int buffer)
{
  const struct buffer *b = &g->job->plan->buffers[buffer];
  double *out = malloc(b->elements * sizeof *out);
  for (size_t i = 0; out && i < b->elements; i++)
    out[i] = input_value(g->job->seed, (size_t)buffer, b, i);
  return out;
}

static void multiply(const struct gemm *g, const double *a, const double *b,
                     double *c)
{
  cblas_dgemm(CblasRowMajor, g->ta ? CblasTrans : CblasNoTrans,
              g->tb ? CblasTrans : CblasNoTrans, (int)g->m, (int)g->n,
              (int)g->k, 1, a, (int)g->lda, b, (int)g->ldb, 0, c, (int)g->n);
}

static void absolute(double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = fabs(x[i]);
}

static void fill(const struct gemm *g, const double *sum,
                 const double *magnitude, struct expected *out)
{
  size_t n = elements(g, g->c);
  for (size_t i = 0; i < n; i++) {
    size_t row = i / g->ldc, col = i % g->ldc, at = row * g->n + col;
    if (row < g->m && col < g->n)
      out[i] = expect(g, sum[at], magnitude[at], old_c(g, i));
    else
      out[i] = (struct expected){.bound = -1};
  }
}

static int all(const struct reference_job *job, size_t b,
               struct expected *out, struct err *e)
{
  (void)b;
  struct gemm g = describe(job);
  if (g.m > INT_MAX || g.n > INT_MAX || g.k > INT_MAX || g.lda > INT_MAX ||
      g.ldb > INT_MAX)
    return err_set(e, ERR_FAILED, "the problem is too large for the BLAS");
  double *x = widen(&g, g.a), *y = widen(&g, g.b);
  double *sum = malloc(g.m * g.n * sizeof *sum);
  double *magnitude = malloc(g.m * g.n * sizeof *magnitude);
  int code = 0;
  if (x && y && sum && magnitude) {
    multiply(&g, x, y, sum);
    absolute(x, elements(&g, g.a));
    absolute(y, elements(&g, g.b));
    multiply(&g, x, y, magnitude);
    fill(&g, sum, magnitude, out);
  } else {
    code = err_set(e, ERR_FAILED, "not enough memory for the reference");
  }
  free(x);
  free(y);
  free(sum);
  free(magnitude);
  return code;
}

const struct reference reference_gemm = {"gemm", check, all, one};
