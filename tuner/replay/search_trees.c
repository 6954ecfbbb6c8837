/* search_trees.c - see search_trees.h. */
// SPDX-License-Identifier: MIT
#include "tuner/replay/search_trees.h"

#include <math.h>

enum {
  SPLITS = 8, /* that a node compares */
  LEAF = 2,   /* samples that are not split any more */
};

struct growth {
  struct trees *trees;
  struct rng *rng;
  const struct result *list[TREES_SAMPLE];
};

struct split {
  int tunable;
  uint8_t at;
  double gain;
};

static double sum_of(const struct result *const *list, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += list[i]->y;
  return sum;
}

/* A random threshold of tunable t, where the samples differ in it, and what
 * it saves of the squared error, but for a constant. */
static int draw_split(const struct result *const *list, size_t n, double sum,
                      size_t t, struct rng *r, struct split *out)
{
  uint8_t low = 255, high = 0;
  for (size_t i = 0; i < n; i++) {
    uint8_t at = list[i]->config.at[t];
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  if (low >= high)
    return 0;
  *out = (struct split){(int)t, (uint8_t)(low + rng_below(r, high - low)), 0};
  double below = 0;
  size_t nbelow = 0;
  for (size_t i = 0; i < n; i++)
    if (list[i]->config.at[t] <= out->at) {
      below += list[i]->y;
      nbelow++;
    }
  out->gain = below * below / (double)nbelow
              + (sum - below) * (sum - below) / (double)(n - nbelow);
  return 1;
}

static struct split best_split(const struct growth *g,
                               const struct result *const *list, size_t n,
                               double sum)
{
  struct split best = {.tunable = -1}, s;
  const struct trees *t = g->trees;
  int drawn = 0;
  for (int i = 0; i < 2 * SPLITS && drawn < SPLITS; i++) {
    size_t tunable = t->tunables[rng_below(g->rng, t->n)];
    if (!draw_split(list, n, sum, tunable, g->rng, &s))
      continue;
    drawn++;
    if (best.tunable < 0 || s.gain > best.gain)
      best = s;
  }
  return best;
}

/* Move those up to the threshold to the front; how many they are. */
static size_t part(const struct result **list, size_t n,
                   const struct split *s)
{
  size_t front = 0;
  for (size_t i = 0; i < n; i++)
    if (list[i]->config.at[s->tunable] <= s->at) {
      const struct result *swap = list[front];
      list[front++] = list[i];
      list[i] = swap;
    }
  return front;
}

static short grow(struct growth *g, const struct result **list, size_t n)
{
  struct trees *t = g->trees;
  short me = t->used++;
  double sum = sum_of(list, n);
  struct split s = {.tunable = -1};
  if (n > LEAF)
    s = best_split(g, list, n, sum);
  t->branches[me] = (struct branch){.tunable = (short)s.tunable, .at = s.at,
                                    .mean = sum / (double)n};
  if (s.tunable >= 0) {
    size_t low = part(list, n, &s);
    short branch = grow(g, list, low);
    t->branches[me].low = branch;
    branch = grow(g, list + low, n - low);
    t->branches[me].high = branch;
  }
  return me;
}

void trees_grow(struct trees *t, const struct result *samples, size_t n,
                struct rng *r)
{
  struct growth g = {.trees = t, .rng = r};
  size_t take = n < TREES_SAMPLE ? n : TREES_SAMPLE;
  t->used = 0;
  for (int i = 0; i < TREES; i++) {
    for (size_t j = 0; j < take; j++)
      g.list[j] = &samples[rng_below(r, n)];
    t->roots[i] = grow(&g, g.list, take);
  }
}

double trees_guess(const struct trees *t, const struct config *c)
{
  double sum = 0;
  for (int i = 0; i < TREES; i++) {
    const struct branch *b = &t->branches[t->roots[i]];
    while (b->tunable >= 0)
      b = &t->branches[c->at[b->tunable] <= b->at ? b->low : b->high];
    sum += b->mean;
  }
  return sum / TREES;
}
