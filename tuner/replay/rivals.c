/* rivals.c - see rivals.h. */
// SPDX-License-Identifier: MIT
#include "tuner/replay/rivals.h"

#include <stddef.h>

const struct search_ops *const replay_list[] = {
    &search_bayes,     &search_forest, &search_local,  &search_genetic,
    &search_annealing, &search_hybrid, &search_random, &search_exhaustive,
    NULL};
