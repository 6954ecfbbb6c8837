/* reference_quant.c - C = W X of quantised weights and activations.
 *
 * W has m rows of k numbers in blocks of ggml's (quant.h), X n columns of k
 * activations, each a row in memory, and so has C n rows of m. Activations are
 * blocks of q8_1: made of the f32 in buffer x, or given, buffer xq with the integers
 * and xs with d and s of each block, those of all columns at the same k one after
 * the other. With the key `groups` each group has m rows of W of its own, and the
 * columns that buffer `offsets` gives it (routing.h). Where there is a buffer `up`,
 * weights like W, C is silu(W X) * (up X). Further products of the same X have
 * buffers w2 and c2 with m2 rows, and w3 and c3 with m3. A block of 32 adds
 *
 *     d scale (sum of q xq)  for each run of equal scale,  and  least s
 *
 * to its element. Integer sums are exact, and a term goes through three roundings
 * before the sum's; so with S the sum of the magnitudes of all such terms
 *
 *     |error| <= 2 (k / 32 + 4) 2^-24 S
 *
 * holds for any order (Higham, Accuracy and Stability of Numerical Algorithms,
 * 2002, section 3.1, twice as much), the rounding of d and s to f16 not being an
 * error: it is q8_1's.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/reference/epilogue.h"
#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/quant.h"
#include "tuner/reference/reference.h"
#include "tuner/reference/routing.h"

struct product {
  const struct reference_job *job;
  const struct quant *type;
  size_t m, n, k, groups; /* 0: all columns have the same rows of W */
  int given; /* activations are blocks already */
  int w, up, x, xq, xs, c, offsets; /* buffers; -1 where there is none */
};

/* The products that share an X: keys, and buffers. */
static const struct {
  const char *m, *w, *c;
} names[] = {{"m", "w", "c"}, {"m2", "w2", "c2"}, {"m3", "w3", "c3"}};
enum {PRODUCTS = sizeof names / sizeof *names};

static struct product describe(const struct reference_job *job, size_t i)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  return (struct product){
      .job = job,
      .type = quant_find(problem_text(f, p, "dtype")),
      .m = (size_t)problem_int(f, p, names[i].m),
      .n = (size_t)problem_int(f, p, "n"),
      .k = (size_t)problem_int(f, p, "k"),
      .groups = (size_t)problem_int(f, p, "groups"),
      .given = !strcmp(problem_text(f, p, "x"), "q8_1"),
      .w = reference_buffer(job->plan, names[i].w),
      .up = reference_buffer(job->plan, "up"),
      .x = reference_buffer(job->plan, "x"),
      .xq = reference_buffer(job->plan, "xq"),
      .xs = reference_buffer(job->plan, "xs"),
      .c = reference_buffer(job->plan, names[i].c),
      .offsets = reference_buffer(job->plan, "offsets"),
  };
}

/* The product whose results are in buffer b. */
static struct product describe_output(const struct reference_job *job, size_t b)
{
  size_t i = 0;
  while (i + 1 < PRODUCTS &&
         reference_buffer(job->plan, names[i].c) != (int)b)
    i++;
  return describe(job, i);
}

static int check_product(const struct reference_job *job, size_t i,
                         struct err *e)
{
  struct product g = describe(job, i);
  const char *name = family_name(job->family);
  if (!g.type || !g.m || !g.n || !g.k || g.c < 0)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'quant' needs the "
                   "keys dtype, m, n, k, x and buffers w, c, and x or xq and "
                   "xs", name);
  if (g.k % g.type->block->elements)
    return err_set(e, ERR_FAILED, "%s.lua: k is %zu, but a block of %s has "
                   "%zu elements", name, g.k, g.type->block->name,
                   g.type->block->elements);
  const struct plan *plan = job->plan;
  size_t blocks = g.n * g.k / QUANT_X;
  int x = g.given ? reference_holds(plan, g.xq, "i8", g.n * g.k) &&
                        reference_holds(plan, g.xs, "f16", 2 * blocks)
                  : reference_holds(plan, g.x, "f32", g.n * g.k);
  size_t rows = g.m * (g.groups ? g.groups : 1);
  size_t weights = rows * (g.k / g.type->block->elements);
  if (!x || !reference_holds(plan, g.c, "f32", g.m * g.n) ||
      !reference_holds(plan, g.w, g.type->block->name, weights) ||
      (g.up >= 0 && !reference_holds(plan, g.up, g.type->block->name, weights)) ||
      (g.groups && !reference_holds(plan, g.offsets, "i32", g.groups + 1)))
    return err_set(e, ERR_FAILED, "%s.lua: a buffer does not hold its matrix, "
                   "or is of another type", name);
  return 0;
}

static int check(const struct reference_job *job, struct err *e)
{
  int failed = check_product(job, 0, e);
  for (size_t i = 1; i < PRODUCTS && !failed; i++)
    if (problem_int(job->family, job->problem, names[i].m))
      failed = check_product(job, i, e);
  return failed;
}

static const struct buffer *buffer(const struct product *g, int i)
{
  return &g->job->plan->buffers[i];
}

/* Block i of a column of activations. */
static void activations(const struct product *g, size_t column, size_t block,
                        struct quant_x *out)
{
  uint64_t seed = g->job->seed;
  float x[QUANT_X];
  if (!g->given) {
    input_fill(seed, (size_t)g->x, buffer(g, g->x),
               column * g->k + block * QUANT_X, QUANT_X, x);
    quant_activations(x, out);
    return;
  }
  size_t xs = (size_t)g->xs, i = block * g->n + column;
  input_fill(seed, (size_t)g->xq, buffer(g, g->xq), i * QUANT_X, QUANT_X,
             out->q);
  out->d = input_value(seed, xs, buffer(g, g->xs), 2 * i);
  out->s = input_value(seed, xs, buffer(g, g->xs), 2 * i + 1);
}

static void add(double term, double *sum, double *size)
{
  *sum += term;
  *size += fabs(term);
}

/* Block x of 32, the number `b` of weight block w. */
static void add_block(const struct quant *t, const struct quant_parts *w,
                      size_t b, const struct quant_x *x, double *sum,
                      double *size)
{
  for (size_t from = 0; from < QUANT_X; from += t->run) {
    size_t first = b * QUANT_X + from;
    int dot = 0;
    for (size_t e = 0; e < t->run; e++)
      dot += w->q[first + e] * x->q[from + e];
    add(w->scale[first / t->run] * x->d * dot, sum, size);
  }
  if (t->has_least)
    add(w->least[b] * x->s, sum, size);
}

static struct expected dot(const struct product *g,
                           const struct quant_parts *row,
                           const struct quant_x *column)
{
  size_t blocks = g->k / QUANT_X, each = g->type->block->elements / QUANT_X;
  double sum = 0, size = 0;
  for (size_t b = 0; b < blocks; b++)
    add_block(g->type, &row[b / each], b % each, &column[b], &sum, &size);
  const struct element_ops *f32 = element_ops(ELEMENT_F32);
  double terms = (double)blocks + 4;
  return (struct expected){.want = sum,
                           .bound = 2 * terms * (f32->unit * size + f32->tiny)};
}

/* A row of W and, if there is, of `up`. */
struct row {
  struct quant_parts *w, *up;
};

static struct quant_parts *split(const struct product *g, int weights,
                                 size_t row)
{
  size_t n = g->k / g->type->block->elements;
  struct quant_parts *parts = mem_alloc(n * sizeof *parts);
  uint8_t block[QUANT_BYTES];
  for (size_t i = 0; i < n; i++) {
    input_block(g->job->seed, (size_t)weights, buffer(g, weights),
                row * n + i, block);
    g->type->split(block, &parts[i]);
  }
  return parts;
}

static struct row split_row(const struct product *g, size_t row)
{
  return (struct row){split(g, g->w, row),
                      g->up < 0 ? NULL : split(g, g->up, row)};
}

static void free_row(struct row row)
{
  free(row.w);
  free(row.up);
}

static struct expected multiply(const struct product *g, struct row row,
                                const struct quant_x *column)
{
  struct expected x = dot(g, row.w, column);
  return row.up ? epilogue_gate(x, dot(g, row.up, column)) : x;
}

static struct quant_x *columns(const struct product *g, size_t first,
                               size_t n)
{
  size_t blocks = g->k / QUANT_X;
  struct quant_x *x = mem_alloc(n * blocks * sizeof *x);
  for (size_t i = 0; i < n * blocks; i++)
    activations(g, first + i / blocks, i % blocks, &x[i]);
  return x;
}

/* Where the columns of each group begin; all are one group's without the key. */
static int32_t *offsets(const struct product *g)
{
  size_t n = g->groups ? g->groups : 1;
  int32_t *out = mem_array(n + 1, sizeof *out);
  out[n] = (int32_t)g->n;
  if (g->groups)
    input_fill(g->job->seed, (size_t)g->offsets, buffer(g, g->offsets), 0,
               n + 1, out);
  return out;
}

static size_t group_of(const struct product *g, size_t column)
{
  int32_t *begin = offsets(g);
  size_t n = g->groups ? g->groups : 1, at = routing_group(begin, n, column);
  free(begin);
  return at;
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  struct product g = describe_output(job, b);
  if (i >= g.m * g.n)
    return (struct expected){.bound = -1};
  size_t group = group_of(&g, i / g.m);
  struct row row = split_row(&g, group * g.m + i % g.m);
  struct quant_x *column = columns(&g, i / g.m, 1);
  struct expected x = multiply(&g, row, column);
  free_row(row);
  free(column);
  return x;
}

/* The columns of one group. */
static void multiply_group(const struct product *g, size_t group,
                           size_t first, size_t end, struct expected *out)
{
  size_t blocks = g->k / QUANT_X;
  struct quant_x *x = columns(g, first, end - first);
  for (size_t row = 0; first < end && row < g->m; row++) {
    struct row parts = split_row(g, group * g->m + row);
    for (size_t col = first; col < end; col++)
      out[col * g->m + row] =
          multiply(g, parts, x + (col - first) * blocks);
    free_row(parts);
  }
  free(x);
}

static int all(const struct reference_job *job, size_t b,
               struct expected *out, struct err *e)
{
  (void)e;
  struct product g = describe_output(job, b);
  int32_t *begin = offsets(&g);
  for (size_t i = 0; i < job->plan->buffers[b].elements; i++)
    out[i] = (struct expected){.bound = -1};
  for (size_t i = 0; i < (g.groups ? g.groups : 1); i++)
    multiply_group(&g, i, (size_t)begin[i], (size_t)begin[i + 1], out);
  free(begin);
  return 0;
}

const struct reference reference_quant = {"quant", check, all, one};
