/* reference_gemm.c - C = alpha op(A) op(B) + beta C, row-major, by OpenBLAS.
 *
 * The bound of products of floats: an element is a sum of k products, in any
 * order, times alpha, plus beta times the old element. Each product goes
 * through at most k roundings, and alpha and the last sum add two, so
 *
 *     |error| <= gamma_(k+2) (|alpha| |A||B| + |beta||C|)
 *
 * element by element (Higham, Accuracy and Stability of Numerical Algorithms,
 * 2002, section 3.1; fused multiply-adds only make it smaller), with the unit
 * roundoff of f32, in which all of them are summed. To that, what flushing each
 * operation's subnormal result to zero can cost, and the rounding to C's type
 * where that is narrower.
 *
 * Doubles are summed in doubles, by the BLAS as by the kernel: both may be off by so
 * much. Matrix cores add products of 8-bit floats by sixteens at least, and cut off
 * what is below 2^-24 of the largest: of so many two roundings more.
 *
 * Products of integers are exact, modulo 2^32.
 *
 * With the key `groups` there are as many B, one after the other, and buffer
 * `offsets` says which rows of A and C belong to each (routing.h).
 */
// SPDX-License-Identifier: MIT
#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/reference/epilogue.h"
#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"
#include "tuner/reference/routing.h"

struct gemm {
  const struct reference_job *job;
  size_t m, n, k, lda, ldb, ldc;
  size_t batch, stride_a, stride_b, stride_c; /* products, and between them */
  int ta, tb; /* transposed */
  double alpha, beta;
  size_t groups; /* of rows with a B of their own; 0: all have one */
  int a, b, c, offsets; /* buffers */
  int nibbles; /* a byte of A or B holds two elements */
  const struct element_ops *type, *in; /* of C; of A and B */
  struct epilogue epilogue;
};

static size_t length(const struct reference_job *job, const char *name)
{
  return (size_t)problem_int(job->family, job->problem, name);
}

static double factor(const struct reference_job *job, const char *name)
{
  return (double)(float)problem_num(job->family, job->problem, name);
}

static const struct element_ops *type_of(const struct reference_job *job,
                                         int buffer)
{
  return buffer < 0 ? NULL : element_ops(job->plan->buffers[buffer].type);
}

/* Between the matrices of a batch: where these are given by a list, the plan
 * says how they lie. */
static size_t apart(const struct reference_job *job, int buffer,
                    const char *stride, size_t each)
{
  const struct buffer *b = buffer < 0 ? NULL : &job->plan->buffers[buffer];
  return b && b->pointers ? b->stride * each : length(job, stride);
}

static struct gemm describe(const struct reference_job *job)
{
  const char *layout = problem_text(job->family, job->problem, "layout");
  const char *dtype = problem_text(job->family, job->problem, "dtype");
  struct gemm g = {
      .job = job,
      .m = length(job, "m"),
      .n = length(job, "n"),
      .k = length(job, "k"),
      .lda = length(job, "lda"),
      .ldb = length(job, "ldb"),
      .ldc = length(job, "ldc"),
      .batch = length(job, "batch"),
      .ta = layout[0] == 't',
      .tb = layout[0] && layout[1] == 't',
      .alpha = factor(job, "alpha"),
      .beta = factor(job, "beta"),
      .a = reference_buffer(job->plan, "a"),
      .b = reference_buffer(job->plan, "b"),
      .c = reference_buffer(job->plan, "c"),
      .groups = length(job, "groups"),
      .offsets = reference_buffer(job->plan, "offsets"),
      .nibbles = !strcmp(dtype, "i4"),
  };
  g.stride_a = apart(job, g.a, "stride_a", g.nibbles ? 2 : 1);
  g.stride_b = apart(job, g.b, "stride_b", g.nibbles ? 2 : 1);
  g.stride_c = apart(job, g.c, "stride_c", 1);
  g.type = type_of(job, g.c);
  g.in = type_of(job, g.a);
  if (!g.batch)
    g.batch = 1; /* of a family without the key */
  g.epilogue = epilogue_of(job);
  if (g.alpha == 0)
    g.k = 0; /* whatever A and B hold */
  return g;
}

static size_t elements(const struct gemm *g, int buffer)
{
  size_t n = g->job->plan->buffers[buffer].elements;
  return g->nibbles && buffer != g->c ? 2 * n : n;
}

/* Elements of matrices of so many rows, the last of which may end early. */
static size_t extent(const struct gemm *g, size_t rows, size_t columns,
                     size_t ld, size_t stride)
{
  return (g->batch - 1) * stride + (rows - 1) * ld + columns;
}

static int fits(const struct gemm *g)
{
  size_t arows = g->ta ? g->k : g->m, acols = g->ta ? g->m : g->k;
  size_t brows = g->tb ? g->n : g->k, bcols = g->tb ? g->k : g->n;
  size_t one = (g->m - 1) * g->ldc + g->n;
  if (g->ldc < g->n || (g->batch > 1 && g->stride_c < one) ||
      elements(g, g->c) < extent(g, g->m, g->n, g->ldc, g->stride_c))
    return 0;
  if (!g->k) /* then A and B do not count */
    return 1;
  if (g->groups) {
    brows *= g->groups;
    if (g->offsets < 0 || elements(g, g->offsets) <= g->groups)
      return 0;
  }
  return g->lda >= acols && g->ldb >= bcols &&
         elements(g, g->a) >= extent(g, arows, acols, g->lda, g->stride_a) &&
         elements(g, g->b) >= extent(g, brows, bcols, g->ldb, g->stride_b);
}

static int check(const struct reference_job *job, struct err *e)
{
  struct gemm g = describe(job);
  const char *name = family_name(job->family);
  if (g.a < 0 || g.b < 0 || g.c < 0 || !g.m || !g.n ||
      !problem_value(job->family, job->problem, "k") ||
      type_of(job, g.b) != g.in)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'gemm' needs the "
                   "keys m, n, k, layout, lda, ldb, ldc, alpha, beta and "
                   "buffers a, b of one type and c", name);
  if (!fits(&g))
    return err_set(e, ERR_FAILED, "%s.lua: a leading dimension, a stride or a "
                   "buffer is smaller than its matrix", name);
  return 0;
}

/* Element i of A or B. The lower half of a byte comes first. */
static double element(const struct gemm *g, int buffer, size_t i)
{
  const struct buffer *b = &g->job->plan->buffers[buffer];
  uint64_t seed = g->job->seed;
  if (!g->nibbles)
    return input_value(seed, (size_t)buffer, b, i);
  int byte = (int)input_value(seed, (size_t)buffer, b, i / 2) & 255;
  int half = i % 2 ? byte >> 4 : byte & 15;
  return half < 8 ? half : half - 16;
}

/* The old C counts only where beta does. */
static double old_c(const struct gemm *g, size_t i)
{
  if (g->beta == 0)
    return 0;
  return input_value(g->job->seed, (size_t)g->c,
                     &g->job->plan->buffers[g->c], i);
}

static uint32_t modulo(double whole)
{
  return (uint32_t)(int64_t)whole;
}

/* What two's complement makes of it. */
static struct expected exactly(const struct gemm *g, double sum, double old)
{
  uint32_t bits = modulo(g->alpha) * modulo(sum) +
                  modulo(g->beta) * modulo(old);
  return (struct expected){.want = (int32_t)bits};
}

/* What sums are made in. */
static const struct element_ops *sums_of(const struct gemm *g)
{
  const struct element_ops *f64 = element_ops(ELEMENT_F64);
  return g->in == f64 ? f64 : element_ops(ELEMENT_F32);
}

/* Roundings of a sum: none of integers. */
static double roundings(const struct gemm *g)
{
  double k = (double)g->k;
  return !g->in->unit                                 ? 0
         : g->in == element_ops(ELEMENT_F64)          ? 2 * k + 2
         : g->in->size == 1 /* of an 8-bit float */ ? k + k / 8
                                                      : k;
}

/* In the type of the sums, before the epilogue. Those of integers are exact, but for
 * what two's complement makes of them. */
static struct expected in_sums(const struct gemm *g, double sum,
                               double magnitude, double old, double scale)
{
  const struct element_ops *sums = sums_of(g);
  double terms = roundings(g) + 2 + 2 * (scale != 1);
  if (!g->in->unit) {
    sum = (int32_t)modulo(sum);
    magnitude = fabs(sum);
  }
  double size = fabs(g->alpha * scale) * magnitude + fabs(g->beta * old);
  return (struct expected){
      .want = g->alpha * scale * sum + g->beta * old,
      .bound = reference_gamma(terms, sums->unit) * size
               + terms * sums->tiny * fmax(1, fabs(g->alpha * scale))};
}

/* Element i of C, in this row and column. */
static struct expected expect(const struct gemm *g, double sum,
                              double magnitude, size_t i, size_t row,
                              size_t col)
{
  double old = old_c(g, i);
  if (!g->type->unit)
    return exactly(g, sum, old);
  double scale = epilogue_scale(&g->epilogue, row, col);
  struct expected x = in_sums(g, sum, magnitude, old, scale);
  x = epilogue_apply(&g->epilogue, x, row, col, i);
  if (g->type != sums_of(g))
    x.bound += (fabs(x.want) + x.bound + g->type->tiny) * g->type->unit;
  return x;
}

/* Where in C element i is; 0 where it is between rows or matrices. */
static int place(const struct gemm *g, size_t i, size_t *z, size_t *row,
                 size_t *col)
{
  *z = g->batch > 1 ? i / g->stride_c : 0;
  i -= *z * g->stride_c;
  *row = i / g->ldc;
  *col = i % g->ldc;
  return *col < g->n && *row < g->m;
}

/* Where the rows of each group begin; all are one group's without the key. */
static int32_t *offsets(const struct gemm *g)
{
  size_t n = g->groups ? g->groups : 1;
  int32_t *out = mem_array(n + 1, sizeof *out);
  out[n] = (int32_t)g->m;
  if (g->groups)
    input_fill(g->job->seed, (size_t)g->offsets,
               &g->job->plan->buffers[g->offsets], 0, n + 1, out);
  return out;
}

/* From the B of a group to that of the next. */
static size_t group_stride(const struct gemm *g)
{
  return (g->tb ? g->n : g->k) * g->ldb;
}

/* Where the B of a row begins. */
static size_t b_of_row(const struct gemm *g, size_t row)
{
  if (!g->groups)
    return 0;
  int32_t *begin = offsets(g);
  size_t group = routing_group(begin, g->groups, row);
  free(begin);
  return group * group_stride(g);
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, c */
  struct gemm g = describe(job);
  size_t z, row, col;
  if (!place(&g, i, &z, &row, &col))
    return (struct expected){.bound = -1};
  double sum = 0, magnitude = 0;
  size_t first_b = b_of_row(&g, row);
  for (size_t x = 0; x < g.k; x++) {
    size_t ia = g.ta ? x * g.lda + row : row * g.lda + x;
    size_t ib = first_b + (g.tb ? col * g.ldb + x : x * g.ldb + col);
    double term = element(&g, g.a, z * g.stride_a + ia)
                  * element(&g, g.b, z * g.stride_b + ib);
    sum += term;
    magnitude += fabs(term);
  }
  return expect(&g, sum, magnitude, i, row, col);
}

static double *widen(const struct gemm *g, int buffer)
{
  size_t n = elements(g, buffer);
  double *out = malloc(n * sizeof *out);
  for (size_t i = 0; out && i < n; i++)
    out[i] = element(g, buffer, i);
  return out;
}

/* Each group's rows with its B. A's rows lie as such. */
static void multiply_groups(const struct gemm *g, const double *a,
                            const double *b, double *c)
{
  int32_t *begin = offsets(g);
  for (size_t i = 0; i < g->groups; i++)
    if (begin[i] < begin[i + 1])
      cblas_dgemm(CblasRowMajor, CblasNoTrans,
                  g->tb ? CblasTrans : CblasNoTrans, begin[i + 1] - begin[i],
                  (int)g->n, (int)g->k, 1, a + (size_t)begin[i] * g->lda,
                  (int)g->lda, b + i * group_stride(g), (int)g->ldb, 0,
                  c + (size_t)begin[i] * g->n, (int)g->n);
  free(begin);
}

static void multiply(const struct gemm *g, const double *a, const double *b,
                     double *c)
{
  if (g->groups) {
    multiply_groups(g, a, b, c);
    return;
  }
  for (size_t z = 0; z < g->batch; z++)
    cblas_dgemm(CblasRowMajor, g->ta ? CblasTrans : CblasNoTrans,
                g->tb ? CblasTrans : CblasNoTrans, (int)g->m, (int)g->n,
                (int)g->k, 1, a + z * g->stride_a, (int)g->lda,
                b + z * g->stride_b, (int)g->ldb, 0, c + z * g->m * g->n,
                (int)g->n);
}

static void absolute(double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = fabs(x[i]);
}

/* The sums, and those of the terms' sizes. */
static int sum_up(const struct gemm *g, double *sum, double *magnitude)
{
  double *x = widen(g, g->a), *y = widen(g, g->b);
  int there = x && y;
  if (there) {
    multiply(g, x, y, sum);
    absolute(x, elements(g, g->a));
    absolute(y, elements(g, g->b));
    multiply(g, x, y, magnitude);
  }
  free(x);
  free(y);
  return there ? 0 : -1;
}

static void fill(const struct gemm *g, const double *sum,
                 const double *magnitude, struct expected *out)
{
  size_t n = elements(g, g->c), z, row, col;
  for (size_t i = 0; i < n; i++) {
    int inside = place(g, i, &z, &row, &col);
    size_t at = (z * g->m + row) * g->n + col;
    out[i] = inside ? expect(g, sum[at], magnitude[at], i, row, col)
                    : (struct expected){.bound = -1};
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
  size_t n = g.batch * g.m * g.n;
  double *sum = calloc(n, sizeof *sum);
  double *magnitude = calloc(n, sizeof *magnitude);
  int code = 0;
  if (sum && magnitude && (!g.k || !sum_up(&g, sum, magnitude)))
    fill(&g, sum, magnitude, out);
  else
    code = err_set(e, ERR_FAILED, "not enough memory for the reference");
  free(sum);
  free(magnitude);
  return code;
}

const struct reference reference_gemm = {"gemm", check, all, one};
