/* count.c - how many legal configurations, and drawing one of them. */
// SPDX-License-Identifier: MIT
#include "gen/walk.h"

/* Draws from the product before the exact way, where that is slow. */
enum {TRIES = 256};

static const uint64_t MANY = UINT64_MAX - 1; /* counts saturate here */

/* A rule due at a depth, for one state before it: where its bits begin, and how
 * far apart those of two values of the depth's tunable are. */
struct asked {
  const struct table *table;
  size_t base, step;
};

static size_t ask_for(const struct space *s, const struct depth *d,
                      struct config *c, struct asked *asked)
{
  c->at[d->tunable] = 0;
  for (size_t i = 0; i < d->ndue; i++) {
    const struct table *t = &s->rules[d->due[i]];
    if (!t->bits)
      return 0;
    asked[i] = (struct asked){t, rule_index(t, c), 0};
    for (size_t j = 0; j < t->n; j++)
      if (t->reads[j] == d->tunable)
        asked[i].step = t->stride[j];
  }
  return d->ndue;
}

static int any_excludes(const struct asked *asked, size_t n, size_t value)
{
  for (size_t i = 0; i < n; i++)
    if (rule_bit(asked[i].table, asked[i].base + value * asked[i].step))
      return 1;
  return 0;
}

static uint64_t completions(struct space *s, size_t i, struct config *c);

static uint64_t count_values(struct space *s, size_t i, struct config *c)
{
  const struct depth *d = &s->depths[i];
  struct asked asked[FAMILY_RULES];
  size_t nasked = ask_for(s, d, c, asked);
  uint64_t n = 0;
  for (size_t v = 0; v < values_at(s, d->tunable); v++) {
    c->at[d->tunable] = (uint8_t)v;
    if (nasked == d->ndue ? any_excludes(asked, nasked, v)
                          : walk_excludes(s, d, c))
      continue;
    uint64_t below = completions(s, i + 1, c);
    n = below > MANY - n ? MANY : n + below;
  }
  return n;
}

/* Legal completions of c, whose depths before i are assigned. */
static uint64_t completions(struct space *s, size_t i, struct config *c)
{
  if (i >= s->ruled)
    return s->tail < MANY ? s->tail : MANY;
  struct depth *d = &s->depths[i];
  struct memo_state state;
  uint64_t n;
  if (!walk_state(d, c, &state))
    return 0;
  if (!memo_get(&d->counts, state, &n)) {
    n = count_values(s, i, c);
    memo_put(&d->counts, state, n);
  }
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
  walk_number(s);
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

/* Is there a depth of which not all counts can be remembered? */
static int wide(const struct space *s)
{
  for (size_t i = 0; i < s->ruled; i++)
    if (memo_full(&s->depths[i].counts))
      return 1;
  return 0;
}

int space_random(struct space *s, struct rng *r, struct config *c)
{
  if (s->list)
    return list_random(s, r, c);
  walk_number(s);
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
