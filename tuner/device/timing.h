/* timing.h - how often to launch, and what to conclude.
 *
 * This part knows nothing of devices: a stopwatch launches once and gives the
 * time, and has a clock for the budget. On a modelled device a launch always
 * takes the same time over the same buffers, so that one sample is enough
 * (rule.exact); other places of the buffers are for finalists (trial_finals()).
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_timing_h
#define tuner_timing_h

#include <stddef.h>

#include "base/err.h"

struct timing_rule {
  int exact;        /* a modelled device: one sample, no warm-up */
  unsigned warmups; /* on MI50 the first five differ by up to 6 % */
  unsigned min, max; /* samples */
  double precision; /* wanted half-width of the median, relative */
  double seconds;   /* budget of one candidate, warm-up included */
  double best_us;   /* of the candidates so far; 0: none */
  double drop;      /* a first sample over drop * best_us ends it */
};

/* The rule that this project uses. */
struct timing_rule timing_rule(int exact, double precision, double best_us);

struct stopwatch {
  void *user;
  /* Launch candidate `which` once; 0, or a code with e set. */
  int (*launch)(void *user, size_t which, double *us, struct err *e);
  double (*now)(void *user); /* seconds */
  /* Launch it without timing it, and look at the device meanwhile. NULL: there
   * is nothing to be seen. Called in place of the last warm-up, between samples
   * every now and then, and after the last. */
  int (*look)(void *user, size_t which, struct err *e);
};

struct timing {
  double us, mad_us; /* median, or mean of places (trial_finals()); median absolute
                        deviation */
  unsigned n;        /* samples kept */
};

/* How many launches, not timed, to queue before one that is, if the last of
 * its kind took us (0: not known): while they run, the host queues the timed
 * one, and the time that it needs for that stays out of the figure. Long
 * launches need none: there the host's share is small. */
unsigned timing_leads(double us);

/* Time one candidate (which = 0). */
int timing_run(const struct timing_rule *rule, const struct stopwatch *watch,
               struct timing *out, struct err *e);

/* Time candidates 0..n-1 again, one launch of each in turn, so that drifting
 * clocks hurt all alike: warm-ups, then rule->min..max rounds. */
int timing_finals(const struct timing_rule *rule,
                  const struct stopwatch *watch, size_t n,
                  struct timing *out, struct err *e);

/* 1 where the two medians differ by less than their noise. */
int timing_tie(const struct timing *a, const struct timing *b);

#endif
