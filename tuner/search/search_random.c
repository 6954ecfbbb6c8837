/* search_random.c - uniform draws without repetition. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/search/search.h"
#include "tuner/search/config_set.h"

struct state {
  struct space *space;
  struct rng rng;
  struct config_set seen;
};

static void *open(struct space *s, uint64_t seed)
{
  struct state *st = mem_alloc(sizeof *st);
  st->space = s;
  rng_seed(&st->rng, seed);
  return st;
}

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  if (!config_set_draw(&s->seen, s->space, &s->rng, c))
    return SEARCH_END;
  config_set_add(&s->seen, c);
  return SEARCH_CONFIG;
}

static void tell(void *state, const struct config *c, double cost)
{
  (void)state, (void)c, (void)cost;
}

static void close(void *state)
{
  struct state *s = state;
  config_set_free(&s->seen);
  free(s);
}

const struct search_ops search_random = {
    "random", "uniform draws without repetition", open, ask, tell, close, NULL};
