/* search_genetic.c - a population without generations.
 *
 * The best POPULATION results are the population. A child takes each tunable
 * from one of two parents, found by small tournaments, and sometimes a random
 * value instead. Without generations there is nothing to wait for.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/replay/rivals.h"
#include "tuner/search/config_set.h"

enum {
  POPULATION = 20,
  TOURNAMENT = 2, /* of which the better becomes a parent */
  MUTATION = 8,   /* one tunable in so many */
  TRIES = 50,     /* children that were tried before, or illegal; then one is
                     drawn anywhere: a population of twins gets new blood */
};

struct being {
  struct config config;
  double cost;
};

struct state {
  struct space *space;
  struct rng rng;
  struct config_set seen;
  size_t n, asked, told, alive;
  struct being population[POPULATION]; /* the best first */
};

static void *open(struct space *space, uint64_t seed)
{
  struct state *s = mem_alloc(sizeof *s);
  s->space = space;
  s->n = space_tunables(space);
  rng_seed(&s->rng, seed);
  return s;
}

static const struct being *parent(struct state *s)
{
  size_t best = s->alive;
  for (int i = 0; i < TOURNAMENT; i++) {
    size_t at = rng_below(&s->rng, s->alive);
    best = at < best ? at : best;
  }
  return &s->population[best];
}

static void breed(struct state *s, struct config *c)
{
  const struct being *a = parent(s), *b = parent(s);
  for (size_t t = 0; t < s->n; t++) {
    const struct being *from = rng_below(&s->rng, 2) ? a : b;
    c->at[t] = from->config.at[t];
    if (rng_below(&s->rng, MUTATION) == 0)
      c->at[t] = (uint8_t)rng_below(&s->rng, space_values(s->space, t));
  }
}

static int child(struct state *s, struct config *c)
{
  *c = (struct config){{0}};
  for (int i = 0; i < TRIES && s->alive > 1; i++) {
    breed(s, c);
    if (config_set_lacks(&s->seen, s->space, c))
      return 1;
  }
  return 0;
}

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  int born = s->asked >= POPULATION && child(s, c);
  if (!born && !config_set_draw(&s->seen, s->space, &s->rng, c))
    return s->told < s->asked ? SEARCH_WAIT : SEARCH_END;
  config_set_add(&s->seen, c);
  s->asked++;
  return SEARCH_CONFIG;
}

static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  s->told++;
  if (!isfinite(cost))
    return;
  if (s->alive == POPULATION && cost >= s->population[POPULATION - 1].cost)
    return;
  size_t i = s->alive < POPULATION ? s->alive++ : POPULATION - 1;
  for (; i > 0 && s->population[i - 1].cost > cost; i--)
    s->population[i] = s->population[i - 1];
  s->population[i] = (struct being){*c, cost};
}

static void close(void *state)
{
  struct state *s = state;
  config_set_free(&s->seen);
  free(s);
}

const struct search_ops search_genetic = {
    "genetic", "children of the 20 best results", open, ask, tell, close, NULL};
