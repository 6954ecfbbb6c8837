/* rivals.h - published ways to search that replay compares ours with. They
 * tune no kernel: the forest search is within 5 % of a recording's optimum
 * after fewer evaluations (tune replay tests/data/mi50_conv2d.tsv). */
// SPDX-License-Identifier: MIT
#ifndef tuner_rivals_h
#define tuner_rivals_h

#include "tuner/search/search.h"

extern const struct search_ops search_local, search_genetic, search_annealing,
    search_hybrid;

/* All that can be replayed, search_list's among them; ends with NULL. */
extern const struct search_ops *const replay_list[];

#endif
