/* search_hybrid.c - neighbourhoods that compete, screened by a model.
 *
 * After HybridVNDX, which leads the published comparisons (van Stein et al.,
 * "Automated Algorithm Design for Auto-Tuning Optimizers", arXiv 2510.17899):
 * a proposal is the one of a small pool that the nearest results (Hamming
 * distance) promise most of. The pool has neighbours of the present place, of
 * one of three kinds drawn by weight, a child of two elites, and random ones.
 * Results are accepted as in annealing; a kind gains weight when its proposal
 * is, and loses some when not. Long without acceptance it starts elsewhere.
 *
 * Different from there: costs enter as logarithms, so that temperature means
 * the same for every kernel, and nothing is tried twice.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/replay/rivals.h"
#include "tuner/search/config_set.h"

enum {
  POOL = 8,      /* candidates, of which half are neighbours */
  NEAREST = 5,   /* results that a guess averages, at least */
  MEMORY = 400,  /* the latest results are asked for a guess */
  ELITES = 5,
  RESTART = 100, /* results without acceptance */
  TRIES = 20,    /* to make one candidate */
};

#define HOT 1.0
#define COOLING 0.995
#define REWARD 1.1
#define PENALTY 0.9

enum kind {KIND_STEPS, KIND_STEP, KIND_VALUE, KINDS};

struct result {
  struct config config;
  double y; /* log of the cost, INFINITY where it failed */
  enum kind kind;
};

struct state {
  struct space *space;
  struct rng rng;
  struct config_set seen;
  size_t n, asked, told, room, idle, elites;
  struct result *results; /* as asked; y from the first `told` of them */
  struct result here, elite[ELITES]; /* the best first */
  double weight[KINDS], heat, worst;
};

static void *open(struct space *space, uint64_t seed)
{
  struct state *s = mem_alloc(sizeof *s);
  s->space = space;
  s->n = space_tunables(space);
  s->heat = HOT;
  s->here.y = INFINITY;
  s->worst = -INFINITY;
  for (int k = 0; k < KINDS; k++)
    s->weight[k] = 1;
  rng_seed(&s->rng, seed);
  return s;
}

/* --- candidates ---------------------------------------------------------- */

/* To the value beside it, either way, where there is one. */
static void step(struct state *s, struct config *c, size_t t)
{
  int up = rng_below(&s->rng, 2) != 0;
  if (up && c->at[t] + 1u < space_values(s->space, t))
    c->at[t]++;
  else if (!up && c->at[t] > 0)
    c->at[t]--;
}

static void neighbour(struct state *s, enum kind kind, struct config *c)
{
  size_t one = rng_below(&s->rng, s->n);
  *c = s->here.config;
  if (kind == KIND_VALUE)
    c->at[one] = (uint8_t)rng_below(&s->rng, space_values(s->space, one));
  else if (kind == KIND_STEP)
    step(s, c, one);
  else
    for (size_t t = 0; t < s->n; t++)
      if (rng_below(&s->rng, 2))
        step(s, c, t);
}

static void child(struct state *s, struct config *c)
{
  const struct result *a = &s->elite[rng_below(&s->rng, s->elites)];
  const struct result *b = &s->elite[rng_below(&s->rng, s->elites)];
  *c = a->config;
  for (size_t t = 0; t < s->n; t++)
    if (rng_below(&s->rng, 2))
      c->at[t] = b->config.at[t];
}

static enum kind draw_kind(struct state *s)
{
  double sum = 0, at;
  for (int k = 0; k < KINDS; k++)
    sum += s->weight[k];
  at = rng_unit(&s->rng) * sum;
  int k = 0;
  while (k < KINDS - 1 && (at -= s->weight[k]) >= 0)
    k++;
  return (enum kind)k;
}

/* Place `i` of the pool; what cannot be made new is drawn anywhere. */
static int candidate(struct state *s, int i, enum kind kind, struct config *c)
{
  for (int tries = 0; tries < TRIES; tries++) {
    if (i < POOL / 2)
      neighbour(s, kind, c);
    else if (i == POOL / 2 && s->elites > 1)
      child(s, c);
    else
      break;
    if (config_set_lacks(&s->seen, s->space, c))
      return 1;
  }
  return config_set_draw(&s->seen, s->space, &s->rng, c);
}

/* The mean of the nearest results, all that are equally near among them. */
static double guess(const struct state *s, const struct config *c)
{
  double sum[FAMILY_TUNABLES + 1] = {0}, total = 0;
  size_t count[FAMILY_TUNABLES + 1] = {0}, n = 0;
  for (size_t i = s->told > MEMORY ? s->told - MEMORY : 0; i < s->told; i++) {
    const struct result *r = &s->results[i];
    size_t away = 0;
    for (size_t t = 0; t < s->n; t++)
      away += r->config.at[t] != c->at[t];
    sum[away] += isfinite(r->y) ? r->y : s->worst;
    count[away]++;
  }
  for (size_t d = 0; d <= s->n && n < NEAREST; d++) {
    total += sum[d];
    n += count[d];
  }
  return total / (double)n;
}

static int choose(struct state *s, struct result *out)
{
  enum kind kind = draw_kind(s);
  double best = INFINITY;
  int any = 0;
  for (int i = 0; i < POOL; i++) {
    struct config c;
    if (!candidate(s, i, kind, &c))
      continue;
    double y = guess(s, &c);
    if (!any || y < best) {
      *out = (struct result){c, INFINITY, kind};
      best = y;
    }
    any = 1;
  }
  return any;
}

/* --- the interface ------------------------------------------------------- */

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  struct result next = {.y = INFINITY};
  int found = isfinite(s->here.y)
                  ? choose(s, &next)
                  : config_set_draw(&s->seen, s->space, &s->rng, &next.config);
  if (!found)
    return s->told < s->asked ? SEARCH_WAIT : SEARCH_END;
  if (s->asked == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->results = mem_resize(s->results, s->room * sizeof *s->results);
  }
  s->results[s->asked++] = next;
  *c = next.config;
  config_set_add(&s->seen, c);
  return SEARCH_CONFIG;
}

static void keep(struct state *s, const struct result *r)
{
  if (!isfinite(r->y) ||
      (s->elites == ELITES && r->y >= s->elite[ELITES - 1].y))
    return;
  size_t i = s->elites < ELITES ? s->elites++ : ELITES - 1;
  for (; i > 0 && s->elite[i - 1].y > r->y; i--)
    s->elite[i] = s->elite[i - 1];
  s->elite[i] = *r;
}

static void settle(struct state *s, const struct result *r)
{
  double delta = r->y - s->here.y;
  int taken = isfinite(r->y) &&
              (!isfinite(s->here.y) || delta < 0 ||
                  rng_unit(&s->rng) < exp(-delta / s->heat));
  s->weight[r->kind] *= taken ? REWARD : PENALTY;
  s->idle = taken ? 0 : s->idle + 1;
  if (taken)
    s->here = *r;
  s->heat *= COOLING;
  if (s->idle < RESTART)
    return;
  s->here.y = INFINITY; /* the next that runs, wherever it is */
  s->idle = 0;
  s->heat = HOT;
}

/* Weights are only compared: keep them where they are numbers. */
static void scale(struct state *s)
{
  double sum = 0;
  for (int k = 0; k < KINDS; k++)
    sum += s->weight[k];
  for (int k = 0; k < KINDS; k++)
    s->weight[k] *= KINDS / sum;
}

/* Results come in the order of the proposals. */
static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  struct result *r = &s->results[s->told++];
  r->config = *c; /* a warm start may have gone out instead: warm_search.h */
  r->y = log(cost);
  if (isfinite(r->y) && r->y > s->worst)
    s->worst = r->y;
  keep(s, r);
  settle(s, r);
  scale(s);
}

static void close(void *state)
{
  struct state *s = state;
  config_set_free(&s->seen);
  free(s->results);
  free(s);
}

const struct search_ops search_hybrid = {
    "hybrid", "competing neighbourhoods, screened by the nearest results",
    open, ask, tell, close, NULL};
