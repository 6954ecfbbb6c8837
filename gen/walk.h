/* walk.h - a space as space.c, count.c and walk.c see it.
 *
 * The tunables are assigned in an order of the space's own, depth by depth;
 * a rule is due at the depth that assigns the last tunable it reads.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_walk_h
#define gen_walk_h

#include "gen/memo.h"
#include "gen/rule.h"
#include "gen/space.h"

/* One depth of the walk. What can follow depends only on the frontier: the
 * tunables assigned before that rules due here or deeper read. */
struct depth {
  uint8_t tunable;
  uint8_t ndue, nfrontier;
  uint8_t due[FAMILY_RULES], frontier[FAMILY_TUNABLES];
  int numbered; /* do its states fit into 64 bits? */
  struct memo counts; /* legal completions of states of the frontier */
};

struct space {
  struct family *f; /* NULL: the points of a list */
  struct problem problem;
  size_t n, nrules, ruled; /* depths from `ruled` on are free of rules */
  uint64_t tail; /* combinations of those */
  struct table rules[FAMILY_RULES];
  struct depth depths[FAMILY_TUNABLES + 1];
  struct err *failure; /* of a rule that Lua is asked for each time */
  size_t values[FAMILY_TUNABLES];
  struct config *list; /* list.c: all legal points, sorted; NULL: rules */
  size_t nlist;
};

static inline size_t values_at(const struct space *s, size_t tunable)
{
  return s->values[tunable];
}

/* The state of the frontier of this depth. */
static inline uint64_t walk_state(const struct space *s, const struct depth *d,
                                const struct config *c)
{
  uint64_t at = 0;
  for (size_t i = 0; i < d->nfrontier; i++)
    at = at * values_at(s, d->frontier[i]) + c->at[d->frontier[i]];
  return at;
}

/* Does rule i exclude c? */
static inline int space_excludes(const struct space *s, size_t i,
                                 const struct config *c)
{
  if (s->rules[i].bits)
    return rule_excludes(&s->rules[i], c);
  return rule_ask(s->f, i, &s->problem, c, s->failure) != 0;
}

/* Does a rule that is due at this depth exclude c? */
static inline int walk_excludes(const struct space *s, const struct depth *d,
                                const struct config *c)
{
  for (size_t i = 0; i < d->ndue; i++)
    if (space_excludes(s, d->due[i], c))
      return 1;
  return 0;
}

static inline uint64_t times(uint64_t a, uint64_t b) /* saturating */
{
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* list.c: the functions of space.h where the points are a list. */
int list_has(const struct space *s, const struct config *c);
int list_random(const struct space *s, struct rng *r, struct config *c);
int list_first(const struct space *s, struct config *c);
int list_next(const struct space *s, struct config *c);

/* order.c: choose the order of the tunables and fill in the depths. */
void walk_order(struct space *s);

#endif
