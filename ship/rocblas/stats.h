/* stats.h - how many calls were served, and why others were not. */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_stats_h
#define ship_rocblas_stats_h

#include "ship/rocblas/reason.h"

/* Any number of threads at once. */
void stats_count(enum reason r);

#endif
