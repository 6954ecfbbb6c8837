/* rule.h - one rule of a family as a table of bits.
 *
 * A rule is a Lua function, but it reads few tunables. rule_open() runs it
 * over all combinations of those that it reads, found by watching it read,
 * and keeps one bit for each: asking is then a look-up.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_rule_h
#define gen_rule_h

#include "gen/family.h"

struct table {
  const char *reason;
  size_t n; /* tunables that it reads, the first one counting most */
  uint8_t reads[FAMILY_TUNABLES];
  size_t stride[FAMILY_TUNABLES];
  size_t combinations, excluded;
  uint64_t *bits; /* NULL: too many combinations, ask Lua each time */
};

/* Tabulate rule i of f for problem p. The family remembers the table: a problem
 * that has the same values of all keys that the rule reads gets a copy. */
int rule_open(struct table *t, struct family *f, size_t i,
              const struct problem *p, struct err *e);
void rule_close(struct table *t);

/* Does the rule exclude c, by running its Lua? -1 on error. */
int rule_ask(struct family *f, size_t i, const struct problem *p,
             const struct config *c, struct err *e);

/* The number of c's combination of the n tunables that are read. */
static inline size_t rule_combination(const uint8_t *reads, const size_t *stride,
                                      size_t n, const struct config *c)
{
  size_t at = 0;
  for (size_t i = 0; i < n; i++)
    at += c->at[reads[i]] * stride[i];
  return at;
}

static inline size_t rule_index(const struct table *t, const struct config *c)
{
  return rule_combination(t->reads, t->stride, t->n, c);
}

static inline int rule_bit(const struct table *t, size_t at)
{
  return t->bits[at / 64] >> (at % 64) & 1;
}

/* Does the table exclude c? Only where there are bits. */
static inline int rule_excludes(const struct table *t, const struct config *c)
{
  return rule_bit(t, rule_index(t, c));
}

#endif
