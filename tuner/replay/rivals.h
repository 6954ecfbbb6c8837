/* rivals.h - other ways to search that replay compares ours with. They tune no
 * kernel. */
// SPDX-License-Identifier: MIT
#ifndef tuner_rivals_h
#define tuner_rivals_h

#include "tuner/search/search.h"

extern const struct search_ops search_forest, search_local, search_genetic,
    search_annealing, search_hybrid;

/* All that can be replayed, search_list's among them; ends with NULL. */
extern const struct search_ops *const replay_list[];

#endif
