/* clock.h - seconds since some fixed moment, never going back. */
// SPDX-License-Identifier: MIT
#ifndef tuner_clock_h
#define tuner_clock_h

#include <time.h>

static inline double clock_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that something may take: its own limit, or what is left until
 * `until` (0: no end) where that is less. */
static inline double clock_limit(double until, double own)
{
  double left = until > 0 ? until - clock_now() : own;
  return left < own ? left : own;
}

static inline int clock_past(double until)
{
  return until > 0 && clock_now() >= until;
}

#endif
