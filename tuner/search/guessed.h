/* guessed.h - the configurations that a guess of their cost likes best, of thousands
 * that are drawn. */
// SPDX-License-Identifier: MIT
#ifndef tuner_guessed_h
#define tuner_guessed_h

#include "tuner/search/config_set.h"
#include "tuner/search/search.h"

enum {GUESSED_MOST = 300};

struct guessed {
  size_t n;
  struct config at[GUESSED_MOST]; /* the best guess first, each once */
  double guess[GUESSED_MOST];
};

/* Legal ones that are not in `seen`, whatever was there before. Of the first some
 * are bettered by the guess, a tunable after the other, until none helps. */
void guessed_fill(struct guessed *g, struct space *space,
                  const struct config_set *seen, struct prior prior,
                  struct rng *r);

#endif
