/* split.h - wall time from the first compiled candidate to the last tried one,
 * by who was working. */
// SPDX-License-Identifier: MIT
#ifndef tuner_split_h
#define tuner_split_h

#include <stddef.h>

struct split {
  double from;      /* clock_now(); 0: nothing is compiled yet */
  double device;    /* all devices */
  double compilers; /* all compilers, not all devices */
  double some;      /* some of them: the search waits for results */
  double nobody;    /* overhead */
  double mark;      /* clock_now() up to which these count */
  double *busy;     /* the one that the time since then goes to */
};

struct working {
  size_t busy, all;
};

void split_begin(struct split *s); /* the first is compiled */
/* The time since the last call goes to those who were busy then. */
void split_account(struct split *s, struct working devices,
                   struct working compilers);

#endif
