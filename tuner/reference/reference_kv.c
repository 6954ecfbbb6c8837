/* reference_kv.c - a KV cache written, dotted with a query, or added up.
 *
 * Element (head, token, at) of the cache is at offset_of(); an i8 of 127 stands
 * for 1. Bounds: what is stored is off by its rounding; a sum of n products,
 * in any order, and k roundings more by
 *
 *     |error| <= gamma_(n+k) (sum of their magnitudes)
 *
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1).
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

/* Half of an f16's least subnormal. */
#define HALF_LEAST 0x1p-25

enum op {WRITE, READ_DOT, READ_SEQ, OPS};

static const struct {
  const char *name, *in, *out; /* in: beside the cache */
} ops[] = {
    {"write", "fresh", "cache"},
    {"read_dot", "query", "scores"},
    {"read_seq", "cache", "total"},
};

struct kv {
  const struct reference_job *job;
  enum op op;
  size_t heads, seq, dim, tokens;
  int hsd;              /* [head][seq][dim] */
  int cache, in, out;   /* buffers */
  double one;           /* what stands for 1 in the cache */
};

static struct kv describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  const char *op = problem_text(f, p, "op");
  struct kv g = {
      .job = job,
      .heads = (size_t)problem_int(f, p, "heads"),
      .seq = (size_t)problem_int(f, p, "seq"),
      .dim = (size_t)problem_int(f, p, "dim"),
      .tokens = (size_t)problem_int(f, p, "tokens"),
      .hsd = !strcmp(problem_text(f, p, "layout"), "hsd"),
      .cache = reference_buffer(job->plan, "cache"),
      .one = !strcmp(problem_text(f, p, "cache"), "i8") ? 127 : 1,
  };
  while (g.op < OPS && strcmp(ops[g.op].name, op) != 0)
    g.op++;
  g.in = g.op < OPS ? reference_buffer(job->plan, ops[g.op].in) : -1;
  g.out = g.op < OPS ? reference_buffer(job->plan, ops[g.op].out) : -1;
  return g;
}

static size_t room(const struct kv *g, int buffer)
{
  return buffer < 0 ? 0 : g->job->plan->buffers[buffer].elements;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct kv g = describe(job);
  size_t tokens = g.heads * g.dim, all = tokens * g.seq;
  size_t in = g.op == WRITE ? tokens * g.tokens : g.op == READ_DOT ? tokens
                                                                   : all;
  size_t out = g.op == WRITE ? all : g.op == READ_DOT ? g.heads * g.seq
                                                      : tokens;
  if (g.op == OPS || !all || g.tokens > g.seq || room(&g, g.cache) < all ||
      room(&g, g.in) < in || room(&g, g.out) < out)
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'kv' needs the keys "
                   "op, layout, cache, heads, seq, dim and tokens, and a "
                   "buffer cache with fresh, with query and scores, or with "
                   "total", family_name(job->family));
  return 0;
}

static double input(const struct kv *g, int buffer, size_t i)
{
  return input_value(g->job->seed, (size_t)buffer,
                     &g->job->plan->buffers[buffer], i);
}

static size_t offset_of(const struct kv *g, size_t head, size_t token,
                        size_t at)
{
  return g->hsd ? (head * g->seq + token) * g->dim + at
                : (head * g->dim + at) * g->seq + token;
}

static double cached(const struct kv *g, size_t head, size_t token, size_t at)
{
  return input(g, g->cache, offset_of(g, head, token, at)) / g->one;
}

/* What is in the cache at i after the last `tokens` have been written. An i8
 * is off by half a step, and by the roundings of 127 x and of adding a half. */
static struct expected stored(const struct kv *g, size_t i)
{
  const struct element_ops *type =
      element_ops(g->job->plan->buffers[g->cache].type);
  size_t inner = g->hsd ? g->dim : g->seq, middle = g->hsd ? g->seq : g->dim;
  size_t x = i % inner, y = i / inner % middle, head = i / inner / middle;
  size_t at = g->hsd ? x : y, token = g->hsd ? y : x;
  if (head >= g->heads || token < g->seq - g->tokens)
    return (struct expected){.bound = -1};
  size_t fresh = token - (g->seq - g->tokens);
  double value = input(g, g->in, (fresh * g->heads + head) * g->dim + at);
  if (g->one > 1)
    return (struct expected){g->one * value, 0.5 + 256 * 0x1p-24};
  if (type->unit == 0x1p-24)
    return (struct expected){value, 0};
  return (struct expected){value, type->unit * fabs(value) + HALF_LEAST};
}

static struct expected bounded(double sum, double magnitude, double n)
{
  return (struct expected){
      .want = sum, .bound = reference_gamma(n, 0x1p-24) * magnitude
                            + n * 0x1p-126};
}

static struct expected score(const struct kv *g, size_t i)
{
  size_t head = i / g->seq, token = i % g->seq;
  double sum = 0, magnitude = 0;
  for (size_t at = 0; at < g->dim; at++) {
    double term = input(g, g->in, head * g->dim + at)
                  * cached(g, head, token, at);
    sum += term;
    magnitude += fabs(term);
  }
  return bounded(sum, magnitude, (double)g->dim + 2);
}

static struct expected total(const struct kv *g, size_t i)
{
  size_t head = i / g->dim, at = i % g->dim;
  double sum = 0, magnitude = 0;
  for (size_t token = 0; token < g->seq; token++) {
    double term = cached(g, head, token, at);
    sum += term;
    magnitude += fabs(term);
  }
  return bounded(sum, magnitude, (double)g->seq + 2);
}

static struct expected expect(const struct kv *g, size_t i)
{
  size_t tokens = g->heads * (g->op == READ_DOT ? g->seq : g->dim);
  if (g->op == WRITE)
    return stored(g, i);
  if (i >= tokens)
    return (struct expected){.bound = -1};
  return g->op == READ_DOT ? score(g, i) : total(g, i);
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output */
  struct kv g = describe(job);
  return expect(&g, i);
}

const struct reference reference_kv = {"kv", check, NULL, one};
