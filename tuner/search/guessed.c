/* guessed.c - see guessed.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/guessed.h"

enum {
  DRAWN = 4000, /* at random */
  BRED = 4000,  /* of those that were kept */
  TRIES = 40,   /* for each that is bred: most are not legal */
  CHANGES = 3,  /* of tunables, at most */
  APART = 3,    /* tunables in which those that are kept differ, at least */
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

static int are_near(const struct guesser *by, const struct config *a,
                    const struct config *b)
{
  int differ = 0;
  for (size_t t = 0; t < space_tunables(by->space); t++)
    differ += a->at[t] != b->at[t];
  return differ < APART;
}

/* Is one near x better, or as good? If not, those near it are left out: the list is
 * sorted, so that none of them comes before one that is better than x. */
static int is_bettered(const struct guesser *by, struct guessed *g, const struct one *x)
{
  size_t n = 0;
  for (size_t i = 0; i < g->n; i++) {
    int near = are_near(by, &g->at[i], &x->config);
    if (near && g->guess[i] <= x->guess)
      return 1;
    g->at[n] = g->at[i];
    g->guess[n] = g->guess[i];
    n += !near;
  }
  g->n = n;
  return 0;
}

/* Keep it if it is among the best, and better than what is near it. */
static void keep(const struct guesser *by, struct guessed *g, const struct one *x)
{
  if (is_bettered(by, g, x))
    return;
  size_t i = g->n;
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

/* One of those that are kept, sooner a better one. */
static const struct config *parent(const struct guessed *g, struct rng *r)
{
  return &g->at[rng_below(r, 1 + rng_below(r, g->n))];
}

/* A mixture of two that are kept, or one of them with a few changes. */
static struct config child(const struct guesser *by, const struct guessed *g, struct rng *r)
{
  struct config c = *parent(g, r);
  size_t n = space_tunables(by->space);
  if (rng_below(r, 2)) {
    const struct config *other = parent(g, r);
    for (size_t t = 0; t < n; t++)
      c.at[t] = rng_below(r, 2) ? other->at[t] : c.at[t];
  }
  for (size_t i = rng_below(r, CHANGES + 1); i > 0; i--) {
    size_t t = rng_below(r, n);
    c.at[t] = (uint8_t)rng_below(r, space_values(by->space, t));
  }
  return c;
}

void guessed_fill(struct guessed *g, struct space *space,
                  const struct config_set *seen, struct prior prior,
                  struct rng *r)
{
  const struct guesser by = {space, seen, prior};
  struct one x;
  g->n = 0;
  for (int i = 0; i < DRAWN && config_set_draw(seen, space, r, &x.config); i++) {
    x.guess = guess_of(&by, &x.config);
    keep(&by, g, &x);
  }
  for (int i = 0, bred = 0; g->n && i < TRIES * BRED && bred < BRED; i++) {
    x.config = child(&by, g, r);
    if (!config_set_lacks(seen, space, &x.config))
      continue;
    bred++;
    x.guess = guess_of(&by, &x.config);
    keep(&by, g, &x);
  }
}
