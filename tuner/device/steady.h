/* steady.h - whether to measure again what a card measured while it throttled.
 *
 * A measurement is repeated at most STEADY_TRIES times, after a rest, as long as
 * there is time. A card that throttles all the time, since its power cap is low
 * or its fan has failed, gains nothing by that: after STEADY_STUBBORN
 * measurements in a row that stayed throttled no more are repeated, until one was
 * not throttled. What stays throttled is marked in its row.
 *
 * Sequence: for each measurement steady_begin(), then steady_again() after each
 * try until it says 0. Nothing here waits or knows devices.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_steady_h
#define tuner_steady_h

enum {STEADY_TRIES = 2, STEADY_STUBBORN = 3};

#define STEADY_REST 0.5 /* seconds */

struct steady {
  unsigned tries;    /* repeats of this measurement */
  unsigned stubborn; /* measurements in a row that stayed throttled */
};

void steady_begin(struct steady *s);

/* The last try took so many seconds, and so many are left. throttle: as in a
 * struct reading. 1: rest for STEADY_REST seconds, and measure again. */
int steady_again(struct steady *s, int throttle, double took, double left);

#endif
