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
  size_t n, begun; /* seeds; of these, gone out */
  struct config seeds[WARM_START_MOST];
  size_t nkept;
  struct config kept[WARM_START_MOST]; /* proposals that seeds went out for */
  size_t asked, told; /* proposals; results that the search heard of */
};

/* Seeds are legal, each is there once, at most WARM_START_MOST. */
struct warm_search warm_search_open(struct search search,
                                    const struct config *seeds,
                          size_t n);
enum search_answer warm_search_ask(struct warm_search *s, struct config *c);
void warm_search_tell(struct warm_search *s, const struct config *c,
                      double cost);
void warm_search_close(struct warm_search *s); /* the search too */

#endif
