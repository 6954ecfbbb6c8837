/* utilization.h - where the wall time went, from the first compiled candidate
 * to the last tried one. */
// SPDX-License-Identifier: MIT
#ifndef tuner_utilization_h
#define tuner_utilization_h

#include <stddef.h>

struct utilization {
  double from;      /* clock_now(); 0: nothing is compiled yet */
  double device;    /* all devices were busy */
  double compilers; /* a device waited for compilers, all of which were busy */
  double some;      /* some were busy: the search waited for results */
  double nobody;    /* none was busy: overhead of the coordinator */
  double mark;      /* clock_now() up to which these count */
  double *busy;     /* the one that the time since then goes to */
};

struct working {
  size_t busy, all;
};

void utilization_begin(struct utilization *s); /* the first is compiled */
/* The time since the last call goes to those who were busy then. */
void utilization_account(struct utilization *s, struct working devices,
                         struct working compilers);

#endif
