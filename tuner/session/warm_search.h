/* warm_search.h - a search that begins with given configurations.
 *
 * It asks and tells as search.h does. While there are given configurations, one
 * of them goes out in place of each proposal of the search. That proposal is
 * kept, and goes out later, when the search proposes the given configuration
 * itself. The search thus hears as many results as it made proposals, each of a
 * configuration that was tried; no configuration is tried twice, and none is
 * lost.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_warm_search_h
#define tuner_warm_search_h

#include "tuner/session/warm_start.h"
#include "tuner/search/search.h"

struct warm_search {
  struct search search;
  size_t n, begun; /* starts; of these, gone out */
  struct config starts[WARM_START_MOST]; /* the given ones */
  size_t nkept;
  struct config kept[WARM_START_MOST]; /* proposals they went out for */
  size_t asked, told; /* proposals; results that the search heard of */
};

/* starts: legal, each there once, at most WARM_START_MOST; copied. */
struct warm_search warm_search_open(struct search search,
                                    const struct config *starts,
                                    size_t n);
enum search_answer warm_search_ask(struct warm_search *s, struct config *c);
void warm_search_tell(struct warm_search *s, const struct config *c,
                      double cost);
void warm_search_close(struct warm_search *s); /* the search too */

#endif
