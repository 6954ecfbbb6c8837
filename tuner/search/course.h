/* course.h - the course of a search that has a model: random configurations, each as
 * far from all before as a few draws allow, then those that the model chooses; long
 * without gain the results are forgotten, also those that are still to come, and it
 * begins anew.
 *
 * The search has a course among its state, which course_open() makes and
 * course_close() frees; it may read all of it.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_course_h
#define tuner_course_h

#include "tuner/search/config_set.h"
#include "tuner/search/ranking.h"
#include "tuner/search/search.h"

struct course {
  struct space *space;
  struct rng rng;
  struct config_set seen;
  struct config *asked; /* all proposals, in their order */
  size_t nasked, told, room;
  size_t random;          /* proposals up to this one are random */
  size_t begun;           /* proposals before this one belong to earlier beginnings */
  struct ranking results; /* since it began anew */
  size_t gained;          /* proposals before this one did not know of the last gain */
  size_t idle;            /* results of those that knew, without another */
};

/* What the search does; state is the search's. */
struct course_model {
  void (*renew)(void *state); /* the course has begun anew; NULL: nothing to do */
  int (*draw)(void *state, struct config *c); /* a random one that is not seen */
  /* What to try next, where there are results that did not fail. Both are 0 where
   * there is none. */
  int (*choose)(void *state, struct config *c);
};

void course_open(struct course *c, struct space *space, uint64_t seed);
enum search_answer course_ask(struct course *c, const struct course_model *m,
                              void *state, struct config *out);
void course_tell(struct course *c, const struct config *config, double cost);
void course_close(struct course *c);

#endif
