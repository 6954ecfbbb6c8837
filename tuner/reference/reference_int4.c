/* reference_int4.c - C = X W of f16 activations and weights of 4 bits (int4.h).
 *
 * C and X are row-major, n rows of m and of k; with act_order row i of W goes with
 * activation perm[i]. An element is a sum of k products scale (q - zero) x, each
 * exact in f32 but for the scale's rounding, in any order, so that with S the sum
 * of their magnitudes
 *
 *     |error| <= gamma_(k+2) S
 *
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1), and
 * then the rounding to C's type where that is f16.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/reference/inputs.h"
#include "tuner/reference/int4.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

struct product {
  const struct reference_job *job;
  enum int4_format format;
  size_t m, n, k, rows; /* of a group */
  int x, w, zeros, scales, perm, c; /* buffers; perm: -1 where there is none */
};

static struct product describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  struct product g = {
      .job = job,
      .format = strcmp(problem_text(f, p, "dtype"), "awq") ? INT4_GPTQ
                                                            : INT4_AWQ,
      .m = (size_t)problem_int(f, p, "m"),
      .n = (size_t)problem_int(f, p, "n"),
      .k = (size_t)problem_int(f, p, "k"),
      .rows = (size_t)problem_int(f, p, "group"),
      .x = reference_buffer(job->plan, "x"),
      .w = reference_buffer(job->plan, "qweight"),
      .zeros = reference_buffer(job->plan, "qzeros"),
      .scales = reference_buffer(job->plan, "scales"),
      .perm = reference_buffer(job->plan, "perm"),
      .c = reference_buffer(job->plan, "c"),
  };
  if (!g.rows)
    g.rows = g.k;
  return g;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct product g = describe(job);
  const char *name = family_name(job->family);
  if (!g.m || !g.n || !g.k || g.c < 0)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'int4' needs the "
                   "keys dtype, m, n, k, group and buffers x, qweight, "
                   "qzeros, scales and c", name);
  if (g.m % 8 || g.k % 8 || g.k % g.rows)
    return err_set(e, ERR_FAILED, "%s.lua: m and k must be multiples of 8, and "
                   "k of group", name);
  const struct plan *plan = job->plan;
  size_t groups = g.k / g.rows;
  if (!reference_holds(plan, g.x, "f16", g.n * g.k) ||
      !reference_holds(plan, g.w, "i32", g.m * g.k / 8) ||
      !reference_holds(plan, g.zeros, "i32", groups * g.m / 8) ||
      !reference_holds(plan, g.scales, "f16", groups * g.m) ||
      plan->buffers[g.c].elements < g.m * g.n ||
      (g.perm >= 0 && !reference_holds(plan, g.perm, "i32", g.k)))
    return err_set(e, ERR_FAILED, "%s.lua: a buffer does not hold its matrix, "
                   "or is of another type", name);
  return 0;
}

static double input(const struct product *g, int buffer, size_t i)
{
  return input_value(g->job->seed, (size_t)buffer,
                     &g->job->plan->buffers[buffer], i);
}

static uint32_t word(const struct product *g, int buffer, size_t i)
{
  return (uint32_t)(int32_t)input(g, buffer, i);
}

static double weight(const struct product *g, size_t row, size_t column)
{
  size_t at = row / g->rows * g->m + column;
  size_t w = int4_word(g->format, g->m, row, column);
  unsigned q = int4_number(g->format, word(g, g->w, w), row, column);
  unsigned zero = int4_zero(g->format, word(g, g->zeros, at / 8), column);
  return input(g, g->scales, at) * ((double)q - (double)zero);
}

/* The activations of a row of X, in the order of W's rows. */
static double *activations(const struct product *g, size_t row)
{
  double *x = mem_array(g->k, sizeof *x);
  int32_t *perm = mem_array(g->k, sizeof *perm);
  for (size_t i = 0; i < g->k; i++)
    perm[i] = (int32_t)i;
  if (g->perm >= 0)
    input_fill(g->job->seed, (size_t)g->perm,
               &g->job->plan->buffers[g->perm], 0, g->k, perm);
  for (size_t i = 0; i < g->k; i++)
    x[i] = input(g, g->x, row * g->k + (size_t)perm[i]);
  free(perm);
  return x;
}

static double *weights(const struct product *g, size_t column)
{
  double *w = mem_array(g->k, sizeof *w);
  for (size_t i = 0; i < g->k; i++)
    w[i] = weight(g, i, column);
  return w;
}

static struct expected multiply(const struct product *g, const double *x,
                                const double *w)
{
  const struct element_ops *f32 = element_ops(ELEMENT_F32);
  const struct element_ops *c =
      element_ops(g->job->plan->buffers[g->c].type);
  double sum = 0, size = 0, terms = (double)g->k + 2;
  for (size_t i = 0; i < g->k; i++) {
    sum += x[i] * w[i];
    size += fabs(x[i] * w[i]);
  }
  struct expected e = {
      .want = sum,
      .bound = reference_gamma(terms, f32->unit) * size + terms * f32->tiny};
  if (c != f32)
    e.bound += (fabs(sum) + e.bound + c->tiny) * c->unit;
  return e;
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, c */
  struct product g = describe(job);
  if (i >= g.m * g.n)
    return (struct expected){.bound = -1};
  double *x = activations(&g, i / g.m), *w = weights(&g, i % g.m);
  struct expected e = multiply(&g, x, w);
  free(x);
  free(w);
  return e;
}

static int all(const struct reference_job *job, size_t b,
               struct expected *out, struct err *e)
{
  (void)b, (void)e;
  struct product g = describe(job);
  double **x = mem_array(g.n, sizeof *x);
  for (size_t row = 0; row < g.n; row++)
    x[row] = activations(&g, row);
  for (size_t column = 0; column < g.m; column++) {
    double *w = weights(&g, column);
    for (size_t row = 0; row < g.n; row++)
      out[row * g.m + column] = multiply(&g, x[row], w);
    free(w);
  }
  for (size_t row = 0; row < g.n; row++)
    free(x[row]);
  free(x);
  return 0;
}

const struct reference reference_int4 = {"int4", check, all, one};
