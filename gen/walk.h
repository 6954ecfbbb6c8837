/* walk.h - a space as space.c, count.c, state.c and walk.c see it.
 *
 * The tunables are assigned in an order of the space's own, depth by depth;
 * a rule is due at the depth that assigns the last tunable it reads.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_walk_h
#define gen_walk_h

#include "gen/inside.h"
#include "gen/memo.h"
#include "gen/residual.h"
#include "gen/rule.h"
#include "gen/space.h"

/* A rule that is not due yet and has begun. */
struct asking {
  const struct residual *residual;
  int ends; /* its class is the last that goes into the same 64 bits */
};

/* One depth of the walk. What can follow depends only on what the rules that are due
 * here or deeper still ask: that is the state. */
struct depth {
  uint8_t tunable, ndue;
  uint8_t due[FAMILY_RULES];
  /* Filled in by walk_number(). */
  size_t nasking;
  struct asking asking[FAMILY_RULES];
  size_t nassigned; /* tunables with values, where a rule without a table asks; else 0 */
  uint8_t assigned[FAMILY_TUNABLES];
  struct memo counts; /* legal completions of states */
};

struct space {
  struct family *f; /* NULL: the points of a list */
  struct problem problem;
  size_t n, nrules, ruled; /* depths from `ruled` on are free of rules */
  uint64_t tail; /* combinations of those */
  struct table rules[FAMILY_RULES];
  struct residual *residuals[FAMILY_RULES]; /* of each rule; NULL: none */
  int numbered; /* are the states of all depths? */
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

static inline void walk_mix(struct memo_state *state, uint64_t word)
{
  state->low = rng_mix(state->low ^ word);
  state->high = rng_mix(state->high + word + rng_golden);
}

/* The state of this depth; 0: a rule excludes all that can follow. States are told apart
 * by 128 bits of a hash: that two of some millions have the same is less likely than a
 * fault of this machine's memory. */
static inline int walk_state(const struct depth *d, const struct config *c,
                             struct memo_state *out)
{
  uint64_t word = 0;
  *out = (struct memo_state){0};
  for (size_t i = 0; i < d->nasking; i++) {
    const struct residual *r = d->asking[i].residual;
    uint32_t asks = residual_class(r, c);
    if (asks == RESIDUAL_NONE)
      return 0;
    word = word * r->classes + asks;
    if (!d->asking[i].ends)
      continue;
    walk_mix(out, word);
    word = 0;
  }
  for (size_t i = 0; i < d->nassigned; i++)
    walk_mix(out, c->at[d->assigned[i]]);
  return 1;
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

/* state.c: number the states of all depths, the first time, which looks at every bit of
 * every table; and free what that and counting made. */
void walk_number(struct space *s);
void walk_forget(struct space *s);

#endif
