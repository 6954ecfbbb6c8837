/* order.c - the order in which a space assigns its tunables.
 *
 * The frontier is what rules that are not due yet read of the tunables so far. Counting
 * remembers at most one number for each state of it, so a good order keeps it small.
 * The orders tried are greedy, one from each first tunable; the cheapest is kept. Tunables
 * without rules come last.
 */
// SPDX-License-Identifier: MIT
#include "gen/walk.h"

struct order {
  size_t n;
  uint8_t at[FAMILY_TUNABLES];
  double cost; /* states times values, summed over the depths */
};

/* Tunables that rule i reads; one that was not tabulated may read all. */
static uint32_t reads(const struct space *s, size_t i)
{
  const struct table *t = &s->rules[i];
  if (!t->bits)
    return (uint32_t)((UINT64_C(1) << s->n) - 1);
  uint32_t mask = 0;
  for (size_t j = 0; j < t->n; j++)
    mask |= UINT32_C(1) << t->reads[j];
  return mask;
}

/* The assigned tunables that rules which are not yet due read. */
static uint32_t frontier(const struct space *s, uint32_t assigned)
{
  uint32_t mask = 0;
  for (size_t i = 0; i < s->nrules; i++)
    if (reads(s, i) & ~assigned)
      mask |= reads(s, i) & assigned;
  return mask;
}

static double states(const struct space *s, uint32_t mask)
{
  double product = 1;
  for (size_t i = 0; i < s->n; i++)
    if (mask >> i & 1)
      product *= (double)values_at(s, i);
  return product;
}

/* From `first` on, always the tunable that leaves the fewest states. */
static struct order greedy(const struct space *s, uint32_t ruled, size_t first)
{
  struct order o = {0};
  uint32_t assigned = 0;
  size_t next = first;
  double here = 1;
  while (assigned != ruled) {
    o.at[o.n++] = (uint8_t)next;
    o.cost += here * (double)values_at(s, next);
    assigned |= UINT32_C(1) << next;
    double best = 0;
    for (size_t i = 0; i < s->n; i++) {
      if (!((ruled & ~assigned) >> i & 1))
        continue;
      double left = states(s, frontier(s, assigned | UINT32_C(1) << i));
      if (!best || left < best) {
        best = left;
        next = i;
      }
    }
    here = states(s, frontier(s, assigned));
  }
  return o;
}

static struct order choose(const struct space *s)
{
  uint32_t ruled = 0;
  for (size_t i = 0; i < s->nrules; i++)
    ruled |= reads(s, i);
  struct order best = {0};
  for (size_t i = 0; i < s->n; i++) {
    if (!(ruled >> i & 1))
      continue;
    struct order o = greedy(s, ruled, i);
    if (!best.n || o.cost < best.cost)
      best = o;
  }
  for (size_t i = 0, n = best.n; i < s->n; i++)
    if (!(ruled >> i & 1))
      best.at[n++] = (uint8_t)i;
  return best;
}

void walk_order(struct space *s)
{
  struct order o = choose(s);
  uint32_t assigned = 0;
  s->ruled = o.n;
  s->tail = 1;
  for (size_t i = 0; i < s->n; i++) {
    struct depth *d = &s->depths[i];
    uint32_t before = assigned;
    d->tunable = o.at[i];
    assigned |= UINT32_C(1) << d->tunable;
    for (size_t j = 0; j < s->nrules; j++) {
      uint32_t needs = reads(s, j);
      int due = needs ? (needs & ~before) && !(needs & ~assigned) : !i;
      if (due)
        d->due[d->ndue++] = (uint8_t)j;
    }
    if (i >= s->ruled)
      s->tail = times(s->tail, values_at(s, d->tunable));
  }
}
