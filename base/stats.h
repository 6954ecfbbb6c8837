/* stats.h - medians and what is known about them. */
// SPDX-License-Identifier: MIT
#ifndef tuner_stats_h
#define tuner_stats_h

#include <stddef.h>

double stats_median(const double *x, size_t n); /* n > 0 */
double stats_mad(const double *x, size_t n);    /* median absolute deviation */

/* Half of the 95 % confidence interval of a median of n samples with this
 * MAD: 1.96 * sqrt(pi/2) * 1.4826 * mad / sqrt(n). 1.4826 makes the MAD of a
 * normal distribution its standard deviation, sqrt(pi/2) is how much worse
 * than the mean the median is on one (Hampel, JASA 69, 1974). */
double stats_half_width(double mad, size_t n);

#endif
