/* replay.h - a search played on a recording, and what it is worth.
 *
 * The search is asked and told as a session does it: proposals run `ahead` of
 * results, and results come in the order of the proposals. A failed
 * configuration counts as an evaluation.
 *
 * Sequence: replay_target -> for each search: replay_score.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_replay_h
#define tuner_replay_h

#include "tuner/replay/recording.h"
#include "tuner/search/search.h"

enum {REPLAY_EVALS = 2000}; /* a run that found nothing better ends here */

/* What the published score P needs of a space (Willemsen et al., "A
 * Methodology for Comparing Auto-Tuning Optimization Algorithms", Future
 * Generation Computer Systems 159, 2024): between the evaluations after which
 * a random search without repetition is expected to have gone 1 % and 95 % of
 * the way from the median to the optimum. */
struct replay_target {
  double optimum, median;
  size_t from, to; /* evaluations */
};

void replay_target(const struct recording *r, struct replay_target *t);

enum {REPLAY_AFTER = 4, REPLAY_WITHIN = 2}; /* ORDER REPLAY */
extern const size_t replay_after[REPLAY_AFTER];   /* 25, 50, 100, 200 */
extern const double replay_within[REPLAY_WITHIN]; /* 0.05, 0.01 */

struct replay_score {
  double fraction[REPLAY_AFTER]; /* of the optimum, mean over the seeds */
  double expected[REPLAY_WITHIN]; /* evaluations; INFINITY: never reached */
  size_t reached[REPLAY_WITHIN]; /* seeds that came so near */
  double p; /* 1: the optimum at once, 0: as random, below: worse */
  double seconds; /* of the search's own thinking, over all seeds */
};

/* `seeds` runs, of the seed `first` and those after it. */
void replay_score(struct recording *r, const struct replay_target *t,
                  const struct search_ops *ops, uint64_t first, size_t seeds,
                  size_t ahead, struct replay_score *out);

#endif
