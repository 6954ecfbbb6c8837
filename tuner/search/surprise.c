/* surprise.c - see surprise.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/surprise.h"

#include <math.h>

static const double slow = 0.3; /* logarithm of 1.35 times the best: the most that counts */
static const double mild = 0.1; /* of as much above what was expected 0.7 count */

/* Of those that are not slow; the best one is among them. */
static double mean_level(const struct result *results, const double *leanings, size_t n)
{
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++)
    if (results[i].y < slow) {
      sum += results[i].y - leanings[i];
      count++;
    }
  return sum / count;
}

/* Where it is slow, no less than `slow` is above what was expected, and no more where
 * it was expected to be slow. */
static double surprise(double y, double expected)
{
  double above = fmin(y - expected, fmax(slow - expected, 0));
  return above > 0 ? mild * log1p(above / mild) : above;
}

double surprise_take(struct result *results, const double *leanings, size_t n)
{
  for (size_t i = 0; i < n; i++)
    results[i].y = log(results[i].cost / results[0].cost);
  double level = mean_level(results, leanings, n);
  for (size_t i = 0; i < n; i++)
    results[i].y = surprise(results[i].y, level + leanings[i]);
  return level;
}
