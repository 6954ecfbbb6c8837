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
  struct prior prior;
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

/* Leaves out those near c, from number `first` on. */
static void leave_out(const struct guesser *by, struct guessed *g, size_t first,
                      const struct config *c)
{
  size_t n = first;
  for (size_t i = first; i < g->n; i++) {
    g->at[n] = g->at[i];
    g->guess[n] = g->guess[i];
    n += !are_near(by, &g->at[n], c);
  }
  g->n = n;
}

/* Keep it if it is among the best, and better than all that are near it. */
static void keep(const struct guesser *by, struct guessed *g, const struct config *c)
{
  double guess = guess_of(by, c);
  size_t place = 0;
  for (; place < g->n && g->guess[place] <= guess; place++)
    if (are_near(by, &g->at[place], c))
      return;
  if (place == GUESSED_MOST)
    return;
  leave_out(by, g, place, c);
  g->n += g->n < GUESSED_MOST;
  for (size_t i = g->n - 1; i > place; i--) {
    g->at[i] = g->at[i - 1];
    g->guess[i] = g->guess[i - 1];
  }
  g->at[place] = *c;
  g->guess[place] = guess;
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
  const struct guesser by = {space, prior};
  struct config c;
  g->n = 0;
  for (int i = 0; i < DRAWN && config_set_draw(seen, space, r, &c); i++)
    keep(&by, g, &c);
  for (int i = 0, bred = 0; g->n && i < TRIES * BRED && bred < BRED; i++) {
    c = child(&by, g, r);
    if (config_set_lacks(seen, space, &c)) {
      keep(&by, g, &c);
      bred++;
    }
  }
}
