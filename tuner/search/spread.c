/* spread.c - see spread.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/spread.h"

#include <math.h>
#include <stdlib.h>

enum {DRAWS = 20};

static double distance(const struct space *space, const struct config *a,
                       const struct config *b)
{
  double sum = 0;
  for (size_t t = 0; t < space_tunables(space); t++)
    if (a->at[t] != b->at[t])
      sum += abs(a->at[t] - b->at[t]) / (double)(space_values(space, t) - 1);
  return sum;
}

static double distance_to_all(const struct space *space,
                              const struct config *list, size_t n,
                              const struct config *c)
{
  double least = INFINITY;
  for (size_t i = 0; i < n; i++)
    least = fmin(least, distance(space, c, &list[i]));
  return least;
}

int spread_draw(const struct space *space, const struct config *list, size_t n,
                int (*draw)(void *user, struct config *c), void *user,
                struct config *out)
{
  struct config drawn;
  double farthest = -1;
  for (int i = 0; i < DRAWS && draw(user, &drawn); i++) {
    double far = distance_to_all(space, list, n, &drawn);
    if (far > farthest) {
      farthest = far;
      *out = drawn;
    }
  }
  return farthest >= 0;
}
