/* search_local.c - coordinate descent with kicks.
 *
 * 16 random configurations, then descent from the best of them: one tunable
 * after the other, in random order, all its other values are tried; a better
 * one is taken at once. At a local optimum three tunables are changed at
 * random, a few times, and the descent starts again from the best of these;
 * the better optimum is kept. Several kicks without gain mean a plateau: new
 * random configurations.
 *
 * Proposals run ahead of results, so a result may come when the descent has
 * moved on: it is taken all the same where it is better.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/replay/rivals.h"
#include "tuner/search/config_set.h"

enum {
  RANDOM_FIRST = 16, /* random configurations to begin with */
  RANDOM_AGAIN = 8,  /* and on a plateau */
  KICKS = 3,         /* points that a kick tries: keeps two cores busy */
  CHANGES = 3,       /* tunables that a kick changes */
  PATIENCE = 3,      /* kicks without gain before new random configurations */
  TRIES = 1000,      /* kicks that are tried before one is drawn anywhere */
};

enum phase {PHASE_RANDOM, PHASE_DESCENT, PHASE_KICK}; /* ORDER PHASE */

struct point {
  struct config config;
  double cost;
};

struct state {
  struct space *space;
  struct rng rng;
  struct config_set seen;
  enum phase phase;
  unsigned draws;       /* still to be proposed in this phase */
  int dry;              /* no new configuration could be drawn */
  unsigned open;        /* proposed and not told yet */
  unsigned kicks;       /* without gain */
  struct point at;      /* where the descent is */
  struct point optimum; /* the best local optimum since the last random ones */
  size_t n;             /* tunables */
  size_t order[FAMILY_TUNABLES], next; /* tunables of this descent */
  struct config queue[UINT8_MAX + 1];  /* values of one tunable, to propose */
  size_t queued;
};

static void begin_random(struct state *s, unsigned n)
{
  s->phase = PHASE_RANDOM;
  s->draws = n;
  s->kicks = 0;
  s->queued = 0;
  s->at.cost = s->optimum.cost = INFINITY;
}

static void *open(struct space *space, uint64_t seed)
{
  struct state *s = mem_alloc(sizeof *s);
  s->space = space;
  s->n = space_tunables(space);
  rng_seed(&s->rng, seed);
  begin_random(s, RANDOM_FIRST);
  return s;
}

/* --- steps --------------------------------------------------------------- */

/* Start over with all tunables in random order. `first`, where it is a
 * tunable, comes first: its other values have not all been tried yet. */
static void begin_descent(struct state *s, size_t first)
{
  s->phase = PHASE_DESCENT;
  s->next = s->queued = 0;
  for (size_t i = 0; i < s->n; i++) {
    size_t j = rng_below(&s->rng, i + 1);
    s->order[i] = s->order[j];
    s->order[j] = i;
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->order[i] == first) {
      memmove(&s->order[1], &s->order[0], i * sizeof *s->order);
      s->order[0] = first;
    }
}

/* Queue the untried legal values of one tunable. */
static void queue_values(struct state *s, size_t tunable)
{
  struct config c = s->at.config;
  size_t n = space_values(s->space, tunable);
  for (size_t v = 0; v < n; v++) {
    c.at[tunable] = (uint8_t)v;
    if (config_set_lacks(&s->seen, s->space, &c))
      s->queue[s->queued++] = c;
  }
}

/* A new legal point that differs from the optimum in up to CHANGES tunables. */
static int kick(struct state *s, struct config *c)
{
  for (int i = 0; i < TRIES; i++) {
    *c = s->optimum.config;
    for (int k = 0; k < CHANGES; k++) {
      size_t t = rng_below(&s->rng, s->n);
      c->at[t] = (uint8_t)rng_below(&s->rng, space_values(s->space, t));
    }
    if (config_set_lacks(&s->seen, s->space, c))
      return 1;
  }
  return config_set_draw(&s->seen, s->space, &s->rng, c);
}

/* Whatever the kicked points cost, the best of them is where it goes on. */
static void begin_kick(struct state *s)
{
  s->phase = PHASE_KICK;
  s->draws = KICKS;
  s->at.cost = INFINITY;
}

/* A descent has ended: keep the better optimum, go on from it or elsewhere. */
static void end_descent(struct state *s)
{
  if (s->at.cost < s->optimum.cost) {
    s->optimum = s->at;
    s->kicks = 0;
  } else {
    s->kicks++;
  }
  if (s->kicks >= PATIENCE || isinf(s->optimum.cost))
    begin_random(s, RANDOM_AGAIN);
  else
    begin_kick(s);
}

/* --- the interface ------------------------------------------------------- */

/* What a phase answers: as the search does, or that the next one is on. */
enum step {
  STEP_END = SEARCH_END,
  STEP_CONFIG = SEARCH_CONFIG,
  STEP_WAIT = SEARCH_WAIT,
  STEP_NEXT
};

static enum step propose(struct state *s, const struct config *c)
{
  config_set_add(&s->seen, c);
  s->open++;
  return STEP_CONFIG;
}

static enum step ask_random(struct state *s, struct config *c)
{
  if (s->draws > 0) {
    s->draws--;
    if (config_set_draw(&s->seen, s->space, &s->rng, c))
      return propose(s, c);
    s->draws = 0;
    s->dry = 1;
  }
  if (s->open > 0)
    return STEP_WAIT;
  if (isfinite(s->at.cost)) {
    begin_descent(s, s->n);
    return STEP_NEXT;
  }
  if (s->dry)
    return STEP_END;
  s->draws = RANDOM_AGAIN; /* not one of them ran */
  return STEP_NEXT;
}

static enum step ask_descent(struct state *s, struct config *c)
{
  while (s->queued == 0 && s->next < s->n)
    queue_values(s, s->order[s->next++]);
  if (s->queued > 0) {
    *c = s->queue[--s->queued];
    return propose(s, c);
  }
  if (s->open > 0)
    return STEP_WAIT;
  end_descent(s);
  return STEP_NEXT;
}

static enum step ask_kick(struct state *s, struct config *c)
{
  if (s->draws > 0) {
    s->draws--;
    if (kick(s, c))
      return propose(s, c);
    s->draws = 0;
    s->dry = 1;
  }
  if (s->open > 0)
    return STEP_WAIT;
  if (isfinite(s->at.cost))
    begin_descent(s, s->n);
  else if (s->dry)
    return STEP_END;
  else
    end_descent(s);
  return STEP_NEXT;
}

static enum search_answer ask(void *state, struct config *c)
{
  struct state *s = state;
  static enum step (*const phases[])(struct state *, struct config *) = {
      ask_random, ask_descent, ask_kick}; /* ORDER PHASE */
  enum step step;
  do {
    step = phases[s->phase](s, c);
  } while (step == STEP_NEXT);
  return (enum search_answer)step;
}

/* The tunable in which two points differ, or n where it is not just one. */
static size_t difference(const struct state *s, const struct config *a,
                         const struct config *b)
{
  size_t found = s->n, count = 0;
  for (size_t i = 0; i < s->n; i++)
    if (a->at[i] != b->at[i]) {
      found = i;
      count++;
    }
  return count == 1 ? found : s->n;
}

static void tell(void *state, const struct config *c, double cost)
{
  struct state *s = state;
  s->open--;
  if (!(cost < s->at.cost))
    return;
  size_t along = difference(s, c, &s->at.config);
  s->at = (struct point){*c, cost};
  if (s->phase == PHASE_DESCENT)
    begin_descent(s, along);
}

static void close(void *state)
{
  struct state *s = state;
  config_set_free(&s->seen);
  free(s);
}

const struct search_ops search_local = {
    "local",
    "random starts, coordinate descent, kicks; restarts on a plateau", open,
    ask, tell, close, NULL};
