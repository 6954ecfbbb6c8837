/* search_annealing.c - a random walk that cools down.
 *
 * A step changes one tunable, half of the time to the value beside it. A
 * worse place is taken with the probability exp(-log(ratio of costs) / T): of
 * the ratio, so that it does not matter whether kernels take seconds or
 * microseconds. Cold and without gain it starts hot again from its best place.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/replay/rivals.h"
#include "tuner/search/config_set.h"

enum {
  RANDOM_FIRST = 8, /* random configurations; the walk starts at the best */
  TRIES = 200,      /* steps that lead nowhere new, then one goes anywhere */
  PATIENCE = 60,    /* results without gain before it is heated again */
};

#define HOT 0.3      /* half as slow again is taken one time in four */
#define COOLING 0.96 /* of each result */

struct point {
  struct config config;
  double cost;
};

struct state {
  struct space *space;
  struct rng rng;
  struct config_set seen;
  size_t n, asked, told, idle;
  double heat;
  struct point here, best;
};

static void *open(struct space *space, uint64_t seed)
{
  struct state *s = mem_alloc(sizeof *s);
  s->space = space;
  s->n = space_tunables(space);
  s->heat = HOT;
  s->here.cost = s->best.cost = INFINITY;
  rng_seed(&s->rng, seed);
  return s;
}

static int step(struct state *s, struct config *c)
{
  for (int i = 0; i < TRIES; i++) {
    size_t t = rng_below(&s->rng, s->n), n = space_values(s->space, t);
    *c = s->here.config;
    if (rng_below(&s->rng, 2))
      c->at[t] = (uint8_t)rng_below(&s->rng, n);
    else if (rng_below(&s->rng, 2) && c->at[t] + 1u < n)
      c->at[t]++;
    else if (c->at[t] > 0)
      c->at[t]--;
    if (config_set_lacks(&s->seen, s->space, c))
      return 1;
  }
  return 0;
}

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  int found = s->asked >= RANDOM_FIRST && isfinite(s->here.cost) && step(s, c);
  if (!found && !config_set_draw(&s->seen, s->space, &s->rng, c))
    return s->told < s->asked ? SEARCH_WAIT : SEARCH_END;
  config_set_add(&s->seen, c);
  s->asked++;
  return SEARCH_CONFIG;
}

/* Is this place taken instead of the present one? */
static int accepts(struct state *s, double cost)
{
  if (s->told <= RANDOM_FIRST || !isfinite(cost) || !isfinite(s->here.cost))
    return cost < s->here.cost;
  return rng_unit(&s->rng) < exp(-log(cost / s->here.cost) / s->heat);
}

static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  s->told++;
  s->idle++;
  if (accepts(s, cost))
    s->here = (struct point){*c, cost};
  if (cost < s->best.cost) {
    s->best = (struct point){*c, cost};
    s->idle = 0;
  }
  if (s->told > RANDOM_FIRST)
    s->heat *= COOLING;
  if (s->idle >= PATIENCE) {
    s->here = s->best;
    s->heat = HOT;
    s->idle = 0;
  }
}

static void close(void *state)
{
  struct state *s = state;
  config_set_free(&s->seen);
  free(s);
}

const struct search_ops search_annealing = {
    "annealing", "a random walk that accepts less and less loss", open, ask,
    tell, close, NULL};
