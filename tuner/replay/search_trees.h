/* search_trees.h - a model of cost over configurations: a small forest.
 *
 * Regression trees with randomised splits (Geurts, Ernst, Wehenkel,
 * "Extremely randomized trees", Machine Learning 63, 2006), each grown on a
 * random sample. Tunables are taken as ordered: a split sends the values up
 * to a threshold to one side.
 *
 * Sequence: trees_grow -> { trees_guess }; nothing to free.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_search_trees_h
#define tuner_search_trees_h

#include "base/rng.h"
#include "gen/family.h"
#include "tuner/search/ranking.h"

enum {
  TREES = 4,          /* few, so that forests differ and proposals with them */
  TREES_SAMPLE = 256, /* points of one tree, at most: bounds the work */
};

struct branch {
  short tunable; /* -1: a leaf */
  short low, high; /* branches of values up to `at`, and above */
  uint8_t at;
  double mean;
};

struct trees {
  size_t n;       /* tunables that have a choice */
  uint8_t tunables[FAMILY_TUNABLES];
  short roots[TREES], used;
  struct branch branches[TREES * 2 * TREES_SAMPLE];
};

/* Grow a forest, other than any before, from n > 0 samples. t->n and
 * t->tunables are set by the caller. */
void trees_grow(struct trees *t, const struct result *samples, size_t n,
                struct rng *r);
double trees_guess(const struct trees *t, const struct config *c);

#endif
