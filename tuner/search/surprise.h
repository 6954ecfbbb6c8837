/* surprise.h - what results say beyond what was expected of them. */
// SPDX-License-Identifier: MIT
#ifndef tuner_surprise_h
#define tuner_surprise_h

#include "tuner/search/ranking.h"

/* Sets y of n > 0 results, the best one first and those that failed last, to how far the
 * logarithm of its cost over the best cost is above what was expected: leanings[i] plus
 * a level, which is returned: the mean of how far those that are not slow are above them.
 *
 * Of what is slow, or failed, only that counts, and nothing where it was expected; and
 * the farther a result is above what was expected, the less of that: bad values of one
 * tunable make good ones of the others slow. */
double surprise_take(struct result *results, const double *leanings, size_t n);

#endif
