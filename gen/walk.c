/* walk.c - the legal configurations one after the other, and beside one. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "gen/walk.h"

enum {WALK_MOST = 50000000}; /* values: about a second */

/* Is it known that nothing legal follows? */
static int dead(const struct space *s, size_t i, const struct config *c)
{
  const struct depth *d = &s->depths[i];
  struct memo_state state;
  uint64_t n;
  return d->counts.n && (!walk_state(d, c, &state) ||
                            (memo_get(&d->counts, state, &n) && !n));
}

/* What a walk keeps to, and how many more values it may look at. */
struct bounds {
  const struct config *given;
  const uint8_t *fixed; /* of each tunable: does it have the given value? */
  long left;
};

static int outside(struct bounds *b, size_t tunable, uint8_t value)
{
  b->left--;
  return b->fixed[tunable] && b->given->at[tunable] != value;
}

/* From the values of c at depth i on, find the next legal configuration, and
 * within the bounds where there are any. */
static int advance(const struct space *s, struct config *c, size_t i,
                   struct bounds *b)
{
  for (;;) {
    const struct depth *d = &s->depths[i];
    uint8_t *at = &c->at[d->tunable];
    while (*at < values_at(s, d->tunable) &&
           ((b && outside(b, d->tunable, *at)) || walk_excludes(s, d, c) ||
            dead(s, i + 1, c)))
      ++*at;
    if (b && b->left < 0)
      return 0;
    if (*at < values_at(s, d->tunable)) {
      if (++i == s->n)
        return 1;
      c->at[s->depths[i].tunable] = 0;
    } else {
      if (!i)
        return 0;
      i--;
      c->at[s->depths[i].tunable]++;
    }
  }
}

int space_first(const struct space *s, struct config *c)
{
  if (s->list)
    return list_first(s, c);
  *c = (struct config){0};
  return advance(s, c, 0, NULL);
}

int space_next(const struct space *s, struct config *c)
{
  if (s->list)
    return list_next(s, c);
  c->at[s->depths[s->n - 1].tunable]++;
  return advance(s, c, s->n - 1, NULL);
}

static int agrees(const struct space *s, const struct config *c,
                  const struct config *given, const uint8_t *fixed)
{
  for (size_t i = 0; i < s->n; i++)
    if (fixed[i] && c->at[i] != given->at[i])
      return 0;
  return 1;
}

int space_first_with(const struct space *s, const struct config *given,
                     const uint8_t *fixed, struct config *c)
{
  struct bounds b = {given, fixed, WALK_MOST};
  *c = (struct config){0};
  if (!s->list)
    return advance(s, c, 0, &b);
  int found = list_first(s, c);
  while (found && !agrees(s, c, given, fixed))
    found = list_next(s, c);
  return found;
}

static void shuffle(struct config *list, size_t n, struct rng *r)
{
  for (size_t i = n; i > 1; i--) {
    size_t j = rng_below(r, i);
    struct config swap = list[i - 1];
    list[i - 1] = list[j];
    list[j] = swap;
  }
}

size_t space_neighbours(const struct space *s, const struct config *c,
                        struct rng *r, struct config **out)
{
  size_t room = 0, n = 0;
  for (size_t i = 0; i < s->n; i++)
    room += values_at(s, i) - 1;
  struct config *list = mem_array(room, sizeof *list);
  for (size_t i = 0; i < s->n; i++)
    for (size_t v = 0; v < values_at(s, i); v++) {
      if (v == c->at[i])
        continue;
      list[n] = *c;
      list[n].at[i] = (uint8_t)v;
      n += !space_rule(s, &list[n]);
    }
  if (r)
    shuffle(list, n, r);
  *out = list;
  return n;
}
