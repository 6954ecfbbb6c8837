/* trend.h - how fast a family's winners became from night to night.
 *
 * A group is what may be compared: one family on one device, measured or
 * modelled. Its speed in a night, relative to the first, is the geometric mean
 * over its problems, chained from night to night over those that both have: so
 * that a problem which is added or removed does not change it.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_trend_h
#define tuner_report_trend_h

#include "tuner/report/nights.h"

struct trend {
  uint32_t arch, family, device; /* numbers of names */
  int source;
  size_t problems;  /* with a winner, in its last night */
  size_t first, last; /* nights that have it */
  double *speed;    /* by night; NAN where it did not run */
};

struct trends {
  size_t n;
  struct trend *list;
};

struct trends trends_make(const struct nights *s);
void trends_free(struct trends *t);

/* Is this point of its group? */
int trend_has(const struct trend *t, const struct subject *a,
              const struct point *p);

#endif
