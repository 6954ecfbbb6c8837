/* search_exhaustive.c - every legal configuration, in order. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/search/search.h"

struct state {
  struct space *space;
  struct config at;
  int begun, ended;
};

static void *open(struct space *s, uint64_t seed)
{
  (void)seed;
  struct state *st = mem_alloc(sizeof *st);
  st->space = s;
  return st;
}

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  if (s->ended)
    return SEARCH_END;
  int more = s->begun ? space_next(s->space, &s->at)
                      : space_first(s->space, &s->at);
  s->begun = 1;
  s->ended = !more;
  *c = s->at;
  return more ? SEARCH_CONFIG : SEARCH_END;
}

static void tell(void *state, const struct config *c, double cost)
{
  (void)state, (void)c, (void)cost;
}

const struct search_ops search_exhaustive = {
    "exhaustive", "every legal configuration, in order", open, ask, tell,
    free, NULL};
