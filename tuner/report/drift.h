/* drift.h - what earlier nights tell of noise (inside of report only). */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_drift_h
#define tuner_report_drift_h

#include "tuner/report/compare.h"

struct timed point_timed(const struct point *p);

/* How much the card differs, relative, between two nights in which a kernel
 * did not change, beyond what the spread of its launches explains: over the
 * last nights before night n; at least JUDGE_DRIFT. */
double nights_drift(const struct nights *s, size_t n);

/* How much the launches of subject i spread, in both nights of the comparison
 * and in those shortly before them on the same device. */
struct noise nights_noise(const struct comparison *c, size_t i);

#endif
