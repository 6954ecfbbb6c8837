/* guessed.c - see guessed.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/guessed.h"

#include <string.h>

enum {
  DRAWN = 4000,
  BETTERED = 24, /* the best of these */
};

struct guesser {
  const struct space *space;
  const struct config_set *seen;
  struct prior prior;
};

struct one {
  struct config config;
  double guess;
};

static double guess_of(const struct guesser *by, const struct config *c)
{
  return by->prior.guess(by->prior.user, c);
}

/* Keep it if it is among the best. */
static void keep(struct guessed *g, const struct one *x)
{
  size_t i = g->n;
  for (size_t j = 0; j < g->n; j++)
    if (!memcmp(&g->at[j], &x->config, sizeof x->config))
      return;
  if (i == GUESSED_MOST && g->guess[--i] <= x->guess)
    return;
  for (; i > 0 && g->guess[i - 1] > x->guess; i--) {
    g->at[i] = g->at[i - 1];
    g->guess[i] = g->guess[i - 1];
  }
  g->at[i] = x->config;
  g->guess[i] = x->guess;
  g->n += g->n < GUESSED_MOST;
}

/* Each tunable in turn takes the value whose guess is the best. */
static struct one better_once(const struct guesser *by, struct one best)
{
  for (size_t t = 0; t < space_tunables(by->space); t++) {
    struct one x = best;
    for (size_t v = 0; v < space_values(by->space, t); v++) {
      x.config.at[t] = (uint8_t)v;
      if (!config_set_lacks(by->seen, by->space, &x.config))
        continue;
      x.guess = guess_of(by, &x.config);
      if (x.guess < best.guess)
        best = x;
    }
  }
  return best;
}

static struct one better(const struct guesser *by, struct one best)
{
  double before;
  do {
    before = best.guess;
    best = better_once(by, best);
  } while (best.guess < before);
  return best;
}

void guessed_fill(struct guessed *g, struct space *space,
                  const struct config_set *seen, struct prior prior,
                  struct rng *r)
{
  const struct guesser by = {space, seen, prior};
  struct one bettered[BETTERED], x;
  size_t n = 0;
  g->n = 0;
  for (int i = 0; i < DRAWN && config_set_draw(seen, space, r, &x.config);
       i++) {
    x.guess = guess_of(&by, &x.config);
    keep(g, &x);
  }
  for (; n < BETTERED && n < g->n; n++)
    bettered[n] = better(&by, (struct one){g->at[n], g->guess[n]});
  while (n > 0)
    keep(g, &bettered[--n]);
}
