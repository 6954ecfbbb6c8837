/* residual.h - what a rule still asks once some of its tunables have values.
 *
 * Values that leave the same question behind are alike to all that follows, so that
 * counting need not tell them apart: a rule on the bytes of LDS has as many classes as
 * there are sums, not as there are tiles, pads and stages. They are the nodes of the
 * rule's decision diagram (Bryant, Graph-based algorithms for Boolean function
 * manipulation, IEEE Trans. Computers, 1986), with as many ways out as a tunable has
 * values.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_residual_h
#define gen_residual_h

#include "gen/rule.h"

/* Classes that every rule may have: all that follows is excluded, or nothing is. */
enum {RESIDUAL_NONE, RESIDUAL_ALL, RESIDUAL_OWN};

/* A rule of which the first n tunables that it reads, in the order of the walk, have
 * values. */
struct residual {
  size_t n;
  uint8_t reads[FAMILY_TUNABLES];
  size_t stride[FAMILY_TUNABLES];
  uint32_t classes;
  uint32_t *class_of; /* each combination of those values */
};

/* The residuals of a rule with bits, out[1] to out[t->n - 1]: by number of tunables with
 * values. depth: of each tunable in the walk; values: how many it has. */
void residual_open(struct residual *out, const struct table *t,
                   const uint8_t *depth, const size_t *values);
void residual_close(struct residual *r);

static inline uint32_t residual_class(const struct residual *r,
                                      const struct config *c)
{
  return r->class_of[rule_combination(r->reads, r->stride, r->n, c)];
}

#endif
