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

#endif
