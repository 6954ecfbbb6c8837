/* reference_qdq.c - dot products of activations and packed weights.
 *
 * A round adds the dot product of a block to the sum. Before every round of
 * use "hot" an activation x becomes move - x, rounded to f32, or where weights
 * are dequantised the bits of move change in their words.
 *
 *     quantise    q = x / scale_x to the nearest integer, ties to even, kept
 *                 in the range of the type; scale_x scale_w sum of q w
 *     dequantise  scale_w sum of x w
 *
 * f16 and f32 have no scale. Bounds: integers are exact but for q where f32's
 * rounding of x / scale_x decides to which side a tie falls; activations come
 * to f16 rounded either way, 2^-10; all else is rounding of terms and sums, at
 * most as many as a term goes through (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, section 3.1).
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

enum {BLOCK = 32}; /* numbers at most */

struct qdq {
  const struct reference_job *job;
  size_t n, block;
  long long rounds;
  int bits; /* of a packed number */
  int whole, quantise, hot;
  int x, w, move, scale_x, scale_w, y; /* buffers */
};

/* The block of one sum, as it is before a round. */
struct state {
  float x[BLOCK], move[BLOCK];
  uint32_t word[BLOCK], flip[BLOCK];
  float scale_x, scale_w;
};

static double input(const struct qdq *g, int buffer, size_t i)
{
  return input_value(g->job->seed, (size_t)buffer,
                     &g->job->plan->buffers[buffer], i);
}

/* Word k of sum i as the device sees it. */
static uint32_t word(const struct qdq *g, int buffer, size_t k, size_t i)
{
  const struct buffer *b = &g->job->plan->buffers[buffer];
  size_t size = element_ops(b->type)->size, each = 4 / size;
  uint32_t bits;
  input_fill(g->job->seed, (size_t)buffer, b, (k * g->n + i) * each, each,
             &bits);
  return bits;
}

static size_t words(const struct qdq *g)
{
  return g->block * (size_t)g->bits / 32;
}

static void begin(const struct qdq *g, size_t i, struct state *s)
{
  for (size_t k = 0; k < g->block; k++) {
    s->x[k] = (float)input(g, g->x, k * g->n + i);
    if (g->hot && g->quantise)
      s->move[k] = (float)input(g, g->move, k * g->n + i);
  }
  for (size_t k = 0; k < words(g); k++) {
    s->word[k] = word(g, g->w, k, i);
    if (g->hot && !g->quantise) /* of f16, exponents stay */
      s->flip[k] = word(g, g->move, k, i) & (g->whole ? ~0u : 0x83ff83ff);
  }
  if (g->whole && g->quantise)
    s->scale_x = (float)input(g, g->scale_x, i);
  if (g->whole)
    s->scale_w = (float)input(g, g->scale_w, i);
}

static void next(const struct qdq *g, struct state *s)
{
  if (!g->hot)
    return;
  for (size_t k = 0; k < g->block && g->quantise; k++)
    s->x[k] = s->move[k] - s->x[k];
  for (size_t k = 0; k < words(g) && !g->quantise; k++)
    s->word[k] ^= s->flip[k];
}

/* Weight k, its scale left out. */
static double weight(const struct qdq *g, const struct state *s, size_t k)
{
  size_t each = 32 / (size_t)g->bits;
  uint32_t bits = s->word[k / each] >> k % each * (size_t)g->bits;
  if (g->whole) {
    uint32_t half = 1u << (g->bits - 1);
    return (double)(bits & (half - 1)) - (double)(bits & half);
  }
  return element_ops(g->bits == 16 ? ELEMENT_F16 : ELEMENT_F32)->load(&bits);
}

/* What a round adds: the sum, its magnitudes, and how far it may be off
 * before any rounding of the sum. */
struct part {
  double sum, size, slack;
};

/* An activation in units of its scale, and 1 in slack where it lies so near
 * the middle of two integers that f32 cannot tell the side. */
static double quantised(const struct qdq *g, const struct state *s, size_t k,
                        double *slack)
{
  double most = (1 << (g->bits - 1)) - 1;
  double units = (double)s->x[k] * (double)(1 / s->scale_x);
  double middle = fabs(units - floor(units) - 0.5);
  *slack = middle <= 0x1p-24 * fabs(units);
  return fmin(fmax(nearbyint(units), -most - 1), most);
}

static struct part round_of(const struct qdq *g, const struct state *s)
{
  struct part p = {0};
  for (size_t k = 0; k < g->block; k++) {
    double a = (double)s->x[k], b = weight(g, s, k), slack = 0;
    if (g->quantise && g->whole)
      a = quantised(g, s, k, &slack);
    else if (g->quantise && g->bits == 16) /* or it is subnormal in f16 */
      slack = fmax(0x1p-10 * fabs(a), 0x1p-24);
    p.sum += a * b;
    p.size += fabs(a * b);
    p.slack += fabs(b) * slack;
  }
  return p;
}

/* Operations that a term goes through until all is added up. */
static double roundings(const struct qdq *g)
{
  double terms = (double)g->rounds * (double)g->block;
  if (!g->whole)
    return 3 * terms; /* a dot2 may round each product, too */
  if (g->quantise)
    return (double)g->rounds + 4;
  return g->hot ? (double)g->rounds + (double)g->block + 2 : terms + 2;
}

static struct expected expect(const struct qdq *g, size_t i)
{
  struct state s = {.scale_x = 1, .scale_w = 1};
  struct part all = {0};
  begin(g, i, &s);
  for (long long r = 0; r < g->rounds; r++) {
    next(g, &s);
    struct part p = round_of(g, &s);
    all.sum += p.sum;
    /* Integers are added up exactly within a round. */
    all.size += g->whole && g->quantise ? fabs(p.sum) : p.size;
    all.slack += p.slack;
  }
  double scale = (double)s.scale_x * (double)s.scale_w;
  const struct element_ops *type = element_ops(ELEMENT_F32);
  double many = roundings(g);
  return (struct expected){
      .want = scale * all.sum,
      .bound = scale * (reference_gamma(many, type->unit)
                        * (all.size + all.slack) + all.slack)
               + many * type->tiny,
  };
}

/* ------------------------------------------------------------------------- */

static int bits_of(const char *type)
{
  static const struct {
    const char *name;
    int bits;
  } types[] = {{"f32", 32}, {"f16", 16}, {"i8", 8}, {"i4", 4}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].name, type))
      return types[i].bits;
  return 0;
}

static struct qdq describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  const char *type = problem_text(f, p, "dtype");
  return (struct qdq){
      .job = job,
      .n = (size_t)problem_int(f, p, "n"),
      .block = (size_t)problem_int(f, p, "block"),
      .rounds = problem_int(f, p, "rounds"),
      .bits = bits_of(type),
      .whole = type[0] == 'i',
      .quantise = !strcmp(problem_text(f, p, "way"), "quantise"),
      .hot = !strcmp(problem_text(f, p, "use"), "hot"),
      .x = reference_buffer(job->plan, "x"),
      .w = reference_buffer(job->plan, "w"),
      .move = reference_buffer(job->plan, "move"),
      .scale_x = reference_buffer(job->plan, "scale_x"),
      .scale_w = reference_buffer(job->plan, "scale_w"),
      .y = reference_buffer(job->plan, "y"),
  };
}

static int holds(const struct qdq *g, int buffer, size_t each, size_t bits)
{
  if (buffer < 0)
    return 0;
  const struct buffer *b = &g->job->plan->buffers[buffer];
  return 8 * b->elements * element_ops(b->type)->size >= g->n * each * bits;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct qdq g = describe(job);
  size_t bits = (size_t)g.bits;
  if (!bits || !g.block || g.block > BLOCK || g.block * bits % 32 ||
      !holds(&g, g.x, g.block, 32) || !holds(&g, g.w, g.block, bits) ||
      !holds(&g, g.y, 1, 32) ||
      (g.hot && !holds(&g, g.move, g.block, g.quantise ? 32 : bits)) ||
      (g.whole && !holds(&g, g.scale_w, 1, 32)) ||
      (g.whole && g.quantise && !holds(&g, g.scale_x, 1, 32)))
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'qdq' needs the keys "
                   "dtype, way, use, block (at most %d), rounds and n, and "
                   "buffers x, w, y, move, scale_x, scale_w that hold them",
                   family_name(job->family), BLOCK);
  return 0;
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, y */
  struct qdq g = describe(job);
  if (i >= g.n)
    return (struct expected){.bound = -1};
  return expect(&g, i);
}

const struct reference reference_qdq = {"qdq", check, NULL, one};
