/* guessed.h - configurations that a guess of their cost likes best, each of another
 * kind: they are drawn at random, then bred of the best. */
// SPDX-License-Identifier: MIT
#ifndef tuner_guessed_h
#define tuner_guessed_h

#include "tuner/search/config_set.h"
#include "tuner/search/search.h"

enum {GUESSED_MOST = 300};

struct guessed {
  size_t n;
  struct config at[GUESSED_MOST]; /* the best guess first */
  double guess[GUESSED_MOST];
};

/* Legal ones that are not in `seen`, whatever was there before. Any two differ in three
 * tunables or more: of what is nearer the best guess stays, or the first of equal ones. */
void guessed_fill(struct guessed *g, struct space *space,
                  const struct config_set *seen, struct prior prior,
                  struct rng *r);

#endif
