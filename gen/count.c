/* count.c - how many legal configurations, and drawing one of them. */
// SPDX-License-Identifier: MIT
#include "base/mem.h"
#include "gen/walk.h"

/* Draws from the product before the exact way, where that is slow. */
enum {TRIES = 256};

static const uint64_t MANY = UINT64_MAX - 1; /* counts saturate here */

/* Legal completions of c, whose depths before i are assigned. */
static uint64_t completions(struct space *s, size_t i, struct config *c)
{
  if (i >= s->ruled)
    return s->tail < MANY ? s->tail : MANY;
  struct depth *d = &s->depths[i];
  uint64_t *known = NULL;
  if (d->states) {
    if (!d->memo)
      d->memo = mem_array(d->states, sizeof *d->memo);
    known = &d->memo[walk_state(s, d, c)];
    if (*known)
      return *known - 1;
  }
  uint64_t n = 0;
  for (size_t v = 0; v < values_at(s, d->tunable); v++) {
    c->at[d->tunable] = (uint8_t)v;
    if (walk_excludes(s, d, c))
      continue;
    uint64_t below = completions(s, i + 1, c);
    n = below > MANY - n ? MANY : n + below;
  }
  if (known)
    *known = n + 1;
  return n;
}

/* A rule that reads no tunable is due at depth 0, even where no other is. */
static int empty(const struct space *s)
{
  struct config c = {0};
  return !s->ruled && walk_excludes(s, &s->depths[0], &c);
}

uint64_t space_count(struct space *s)
{
  struct config c = {0};
  if (s->list)
    return s->nlist;
  return empty(s) ? 0 : completions(s, 0, &c);
}

/* Walk down, taking each value as often as it has completions. */
static int draw_exact(struct space *s, struct rng *r, struct config *c)
{
  uint64_t n = space_count(s);
  if (!n)
    return 0;
  uint64_t pick = rng_below(r, n);
  for (size_t i = 0; i < s->ruled; i++) {
    const struct depth *d = &s->depths[i];
    for (size_t v = 0; v < values_at(s, d->tunable); v++) {
      c->at[d->tunable] = (uint8_t)v;
      if (walk_excludes(s, d, c))
        continue;
      struct config scratch = *c;
      uint64_t below = completions(s, i + 1, &scratch);
      if (pick < below)
        break;
      pick -= below;
    }
  }
  for (size_t i = s->ruled; i < s->n; i++) {
    size_t t = s->depths[i].tunable;
    c->at[t] = (uint8_t)rng_below(r, values_at(s, t));
  }
  return 1;
}

/* Is there a depth whose counts cannot be remembered? */
static int wide(const struct space *s)
{
  for (size_t i = 0; i < s->ruled; i++)
    if (!s->depths[i].states)
      return 1;
  return 0;
}

int space_random(struct space *s, struct rng *r, struct config *c)
{
  if (s->list)
    return list_random(s, r, c);
  *c = (struct config){0};
  for (int left = wide(s) ? TRIES : 0; left; left--) {
    for (size_t i = 0; i < s->n; i++)
      c->at[i] = (uint8_t)rng_below(r, values_at(s, i));
    if (!space_rule(s, c))
      return 1;
  }
  *c = (struct config){0};
  return draw_exact(s, r, c);
}
