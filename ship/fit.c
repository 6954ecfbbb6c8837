/* fit.c - see fit.h. */
// SPDX-License-Identifier: MIT
#include "ship/fit.h"

#include <math.h>
#include <string.h>

#include "ship/estimate.h"

enum {
  NEAREST = 8,
  CANDIDATES = 64,
  ROUNDS = 6, /* factors of kernels and of problems are found in turn, so often */
};

/* How much more an estimate counts by the square of the distance of the nearest problem
 * that the kernel was timed on: the farther, the less is it to be trusted. */
#define DOUBT 0.009

/* How much more the estimate of a kernel counts that was timed on one near problem; on n
 * of them, this divided by the square root of n. Without it the luckiest of many
 * estimates is chosen. */
#define FEW 0.26

/* Problems count by 1 / (CLOSE + square of the distance). */
#define CLOSE 0.17

/* A kernel's factor begins with so much weight at 1; each time adds its problem's. */
#define PULL 0.14

/* What a factor of 2 that one length has and the other has not counts, in octaves. */
#define TWOS 0.07f

/* What a length that differs counts at least, in octaves. Where it is the same, rows of
 * matrices begin at the same channels and sets of caches. */
#define OTHER 1.0f

/* The logarithm to base 2 of a length, linear between powers of two: 0.09 off
 * at most, and the same on every machine. */
static float logarithm(int64_t x)
{
  double d = (double)(x > 0 ? x : 0) + 1;
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return (float)(bits >> 32) * 0x1p-20f;
}

/* The keys that a formula reads, one bit each. */
static uint32_t reads(const struct index *v, int32_t formula)
{
  const struct pack_formula *f = &v->formulas[formula];
  uint32_t keys = 0;
  for (uint32_t i = 0; i < f->nsteps; i++)
    if (v->steps[f->step + i].op == FORMULA_KEY)
      keys |= UINT32_C(1) << v->steps[f->step + i].value;
  return keys;
}

static int serves(const struct query *r, const struct index *v,
                  const struct pack_plan *p)
{
  for (uint32_t i = 0; i < p->nneeds; i++) {
    int64_t left;
    if (index_value(v, v->needs[p->need + i], r->keys, &left) || left)
      return 0;
  }
  return 1;
}

/* The value of a formula, or `missing`. */
static double value(const struct index *v, int32_t formula,
                    const int64_t *keys, double missing)
{
  int64_t n;
  return formula == PACK_NONE || index_value(v, formula, keys, &n)
             ? missing
             : (double)n;
}

static double groups(const struct index *v, const struct pack_launch *l,
                     const int64_t *keys)
{
  double all = 1;
  for (int i = 0; i < 3; i++)
    all *= value(v, l->grid[i], keys, 0);
  return all;
}

static double scratch(const struct index *v, const struct pack_plan *p,
                      const int64_t *keys)
{
  double bytes = 0;
  for (uint32_t i = 0; i < p->nbuffers; i++) {
    const struct pack_buffer *b = &v->buffers[p->buffer + i];
    if (b->role == BUFFER_SCRATCHED)
      bytes += value(v, b->elements, keys, 0) * b->size;
  }
  return bytes;
}

/* Where a family does not say what a workgroup does, it is one step with its
 * share of the cost. */
static struct effort effort(const struct index *v, const struct pack_plan *p,
                            const int64_t *keys)
{
  const double usual_rate = 1e5; /* flops a microsecond */
  struct effort w = {.launches = p->nlaunches};
  w.groups = groups(v, &v->launches[p->launch], keys);
  w.resident = p->resident ? p->resident : 1;
  w.steps = value(v, p->steps, keys, 1);
  w.us = value(v, p->step_flops, keys,
               w.groups > 0 ? value(v, p->cost, keys, 0) / w.groups : 0) /
         (p->rate ? p->rate : usual_rate);
  w.bytes = value(v, p->step_bytes, keys, 0);
  w.results = value(v, p->results, keys, 1);
  w.written = value(v, p->result_bytes, keys, 0);
  w.moved = value(v, p->bytes, keys, 0);
  w.scratch = scratch(v, p, keys);
  return w;
}

/* The keys of a winner, and 0 behind them. */
static void tuned_keys(const struct query *r, const struct index *v,
                       const struct pack_winner *w, int64_t out[TUNED_KEYS])
{
  size_t n = r->family->nkeys;
  memcpy(out, v->values + w->value, n * sizeof *out);
  memset(out + n, 0, (TUNED_KEYS - n) * sizeof *out);
}

/* What is estimated for the kernel on this problem, 0 where that is nothing. */
static double estimate(const struct query *r, const struct index *v,
                       uint32_t plan, const int64_t *keys)
{
  struct effort w = effort(v, &v->plans[plan], keys);
  return w.groups < 1 ? 0 : estimate_us(&w, r->arch->cus);
}

static void prepare(const struct query *r, const struct index *v,
                    const struct pack_winner *w, struct pack_tried *tried)
{
  int64_t keys[TUNED_KEYS];
  tuned_keys(r, v, w, keys);
  for (uint32_t i = w->tried; i < w->tried + w->ntried; i++) {
    double us = estimate(r, v, tried[i].plan, keys);
    tried[i].quotient = us > 0 ? (float)(tried[i].us / us) : 0;
  }
}

void fit_prepare(const struct index *v, struct pack_tried *tried)
{
  for (uint64_t a = 0; a < v->head->part[PART_ARCHS].n; a++) {
    struct query r = {.arch = &v->archs[a]};
    for (uint32_t i = 0; i < r.arch->nfamilies; i++) {
      r.family = &v->families[r.arch->family + i];
      for (uint32_t j = 0; j < r.family->nclasses; j++) {
        const struct pack_class *c = &v->classes[r.family->class_ + j];
        for (uint32_t k = 0; k < c->nwinners; k++)
          prepare(&r, v, &v->winners[c->winner + k], tried);
      }
    }
  }
}

/* --- distance ------------------------------------------------------------ */

/* What is asked for, of the keys that count: lengths, their logarithms, and how often 2
 * divides each, by which rows of matrices share channels of memory and sets of caches. */
struct place {
  unsigned n;
  uint32_t key[TUNED_KEYS];
  int64_t length[TUNED_KEYS];
  float at[TUNED_KEYS], twos[TUNED_KEYS];
};

static float twos(int64_t x)
{
  const int most = 12;
  int n = x ? __builtin_ctzll((unsigned long long)x) : 0;
  return (float)(n < most ? n : most);
}

static void find_place(struct place *p, const struct query *r,
                       const struct index *v)
{
  const struct pack_winner *w = &v->winners[r->class_->winner];
  uint32_t counted = reads(v, v->plans[w->plan].cost);
  p->n = 0;
  for (uint32_t i = 0; i < r->family->nkeys; i++)
    if (counted >> i & 1) {
      p->key[p->n] = i;
      p->length[p->n] = r->keys[i];
      p->twos[p->n] = twos(r->keys[i]);
      p->at[p->n++] = logarithm(r->keys[i]);
    }
}

/* The square of it. */
static float distance(const struct place *p, const int64_t *values)
{
  float sum = 0;
  for (unsigned i = 0; i < p->n; i++) {
    int64_t length = values[p->key[i]];
    float d = p->at[i] - logarithm(length);
    float t = TWOS * (p->twos[i] - twos(length));
    float other = p->length[i] == length ? 0 : OTHER;
    sum += d * d + t * t + other * other;
  }
  return sum;
}

/* About one length differs, two do, three do, and what is farther. */
static unsigned band(float square)
{
  return square < 1.5f ? 0 : square < 3 ? 1 : square < 5 ? 2 : 3;
}

/* --- problems near it ---------------------------------------------------- */

struct near {
  const struct pack_winner *winner;
  float square;
};

/* Insert it among the n nearest; returns their number. */
static unsigned insert(struct near *list, unsigned n,
                       const struct pack_winner *w, float square)
{
  unsigned at = n < NEAREST ? n : NEAREST - 1;
  while (at > 0 && list[at - 1].square > square) {
    list[at] = list[at - 1];
    at--;
  }
  list[at] = (struct near){w, square};
  return n < NEAREST ? n + 1 : n;
}

/* Those whose own kernels serve what is asked for. */
static unsigned find_nearest(const struct query *r, const struct index *v,
                             const struct pack_winner *without,
                             struct near *list)
{
  struct place place;
  unsigned n = 0;
  find_place(&place, r, v);
  for (uint32_t i = 0; i < r->class_->nwinners; i++) {
    const struct pack_winner *w = &v->winners[r->class_->winner + i];
    float square = distance(&place, v->values + w->value);
    if (w != without && (n < NEAREST || square < list[n - 1].square) &&
        serves(r, v, &v->plans[w->plan]))
      n = insert(list, n, w, square);
  }
  return n;
}

/* --- kernels that were timed on these ------------------------------------ */

/* A kernel, and its times on the near problems, as quotients of what is estimated: 0
 * where it was not timed. */
struct candidate {
  uint32_t plan;
  unsigned timed; /* on so many */
  float square;   /* of the distance of the nearest */
  double quotient[NEAREST];
  double factor;
};

/* A quotient is about the kernel's factor times the problem's: what the estimate has
 * wrong of each. */
struct candidates {
  unsigned n, nproblems;
  double weight[NEAREST], factor[NEAREST]; /* of problems; 0: nothing was timed */
  double usual; /* the weighted mean of these */
  struct candidate list[CANDIDATES];
};

/* A winner that has this kernel. */
static const struct pack_winner *owner(const struct query *r,
                                       const struct index *v, uint32_t plan,
                                       const struct pack_winner *without)
{
  for (uint32_t i = 0; i < r->class_->nwinners; i++) {
    const struct pack_winner *w = &v->winners[r->class_->winner + i];
    if (w->plan == plan && w != without)
      return w;
  }
  return NULL;
}

static struct candidate *find_candidate(struct candidates *all, uint32_t plan)
{
  unsigned i = 0;
  while (i < all->n && all->list[i].plan != plan)
    i++;
  if (i == CANDIDATES)
    return NULL;
  if (i == all->n)
    all->list[all->n++] = (struct candidate){.plan = plan, .factor = 1};
  return &all->list[i];
}

/* Near problems come first, so the first has the least distance. */
static void add_problem(struct candidates *all, const struct index *v,
                        const struct near *near)
{
  unsigned p = all->nproblems++;
  all->weight[p] = 1 / (CLOSE + (double)near->square);
  for (uint32_t i = 0; i < near->winner->ntried; i++) {
    const struct pack_tried *t = &v->tried[near->winner->tried + i];
    struct candidate *c = t->quotient > 0 ? find_candidate(all, t->plan) : NULL;
    if (!c)
      continue;
    if (!c->timed++)
      c->square = near->square;
    c->quotient[p] = t->quotient;
  }
}

/* A problem's factor is the mean of what its kernels' factors leave. */
static void weigh_problem(struct candidates *all, unsigned p)
{
  double sum = 0, n = 0;
  for (unsigned i = 0; i < all->n; i++)
    if (all->list[i].quotient[p] > 0) {
      sum += all->list[i].quotient[p] / all->list[i].factor;
      n++;
    }
  all->factor[p] = n > 0 ? sum / n : 0;
}

static void weigh_kernel(const struct candidates *all, struct candidate *c)
{
  double sum = PULL, weights = PULL;
  for (unsigned p = 0; p < all->nproblems; p++)
    if (c->quotient[p] > 0) {
      sum += all->weight[p] * c->quotient[p] / all->factor[p];
      weights += all->weight[p];
    }
  c->factor = sum / weights;
}

static void weigh(struct candidates *all)
{
  double sum = 0, weights = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (unsigned p = 0; p < all->nproblems; p++)
      weigh_problem(all, p);
    for (unsigned i = 0; i < all->n; i++)
      weigh_kernel(all, &all->list[i]);
  }
  for (unsigned p = 0; p < all->nproblems; p++)
    if (all->factor[p] > 0) {
      sum += all->weight[p] * all->factor[p];
      weights += all->weight[p];
    }
  all->usual = weights > 0 ? sum / weights : 1;
}

/* The kernel's time, or INFINITY where it does not serve the problem. */
static double expect(const struct query *r, const struct index *v,
                     const struct candidates *all, const struct candidate *c)
{
  if (!serves(r, v, &v->plans[c->plan]))
    return INFINITY;
  double us = estimate(r, v, c->plan, r->keys);
  return us > 0 ? us * c->factor * all->usual : INFINITY;
}

struct fit fit_find(const struct query *r, const struct index *v,
                    const struct pack_winner *without)
{
  struct near near[NEAREST];
  struct candidates all = {.n = 0};
  struct fit best = {NULL, INFINITY, 0};
  double least = INFINITY;
  unsigned n = find_nearest(r, v, without, near);
  for (unsigned i = 0; i < n; i++)
    add_problem(&all, v, &near[i]);
  weigh(&all);
  for (unsigned i = 0; i < all.n; i++) {
    const struct candidate *c = &all.list[i];
    double us = expect(r, v, &all, c);
    double doubted = us * (1 + DOUBT * (double)c->square) *
                     (1 + FEW / sqrt(c->timed));
    const struct pack_winner *w =
        doubted < least ? owner(r, v, c->plan, without) : NULL;
    if (!w)
      continue;
    best = (struct fit){w, us, band(c->square)};
    least = doubted;
  }
  return best;
}
