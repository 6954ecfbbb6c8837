/* gauss.h - what results say of a configuration that nobody tried, and how surely: a
 * Gaussian process.
 *
 * Results of two configurations are the more alike the fewer tunables tell these
 * apart and the nearer their values: p = exp(-sum) of each tunable's distance, of its
 * whole range, times its weight. Times also jump where nothing foretells it, as where a
 * register more costs a wave: of what is not known a part is shared by p, and the rest
 * by p to the 8th, so by near ones only. The weights are the likeliest by the results;
 * before there are any they are what the family says, or small (Rasmussen, Williams,
 * "Gaussian Processes for Machine Learning", 2006, chapters 2 and 5).
 *
 * Sequence: gauss_open -> { gauss_take -> { gauss_believe } -> { gauss_gain } } ->
 * gauss_close.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_gauss_h
#define tuner_gauss_h

#include "gen/space.h"
#include "tuner/search/ranking.h"

enum {GAUSS_MOST = 224}; /* samples: the work grows with their cube */

struct gauss;

struct gauss *gauss_open(const struct space *space);
void gauss_close(struct gauss *g); /* NULL is fine */

/* The weight of a tunable before there are results, as if the family had said so. */
void gauss_weigh(struct gauss *g, size_t tunable, double weight);

/* From now on it knows the y of these, n <= GAUSS_MOST, of a mean of about 0. learn:
 * the weights are looked for too, from those that it has. Returned is the logarithm of
 * how likely the weights are then, by the samples and without them, but for a constant. */
double gauss_take(struct gauss *g, const struct result *samples, size_t n,
                  int learn);

/* One more, whose result is still to come: it is taken to be as expected. One too
 * many is left out. */
void gauss_believe(struct gauss *g, const struct config *c);

/* By how much c may be expected to come out below `best` (the expected improvement),
 * where the caller expects `before` of it without the samples; 0 where that is not
 * more than `least`. */
double gauss_gain(const struct gauss *g, const struct config *c, double before,
                  double best, double least);

#endif
