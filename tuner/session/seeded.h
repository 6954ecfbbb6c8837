/* seeded.h - a search that begins with given configurations.
 *
 * It asks and tells as search.h does. While there are given configurations, one
 * of them goes out in place of each proposal of the search. That proposal is
 * kept, and goes out later, when the search proposes the given configuration
 * itself. The search thus hears as many results as it made proposals, each of a
 * configuration that was tried; no configuration is tried twice, and none is
 * lost.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_seeded_h
#define tuner_seeded_h

#include "tuner/session/near.h"
#include "tuner/search/search.h"

struct seeded {
  struct search search;
  size_t n, begun; /* seeds; of these, gone out */
  struct config seeds[NEAR_MOST];
  size_t nkept;
  struct config kept[NEAR_MOST]; /* proposals that seeds went out for */
  size_t asked, told; /* proposals; results that the search heard of */
};

/* Seeds are legal, each is there once, and there are at most NEAR_MOST. */
struct seeded seeded_open(struct search search, const struct config *seeds,
                          size_t n);
enum search_answer seeded_ask(struct seeded *s, struct config *c);
void seeded_tell(struct seeded *s, const struct config *c, double cost);
void seeded_close(struct seeded *s); /* the search too */

#endif
