/* few.h - a few kernels for many problems.
 *
 * Known are the times of results (`config` on `problem`) and those that rows of
 * tables have in `tried`, of one architecture, family, device, source and
 * caches. A problem's loss is the least known time of the chosen kernels on it
 * over the least of all, less 1. Where no chosen kernel was timed on it, it is
 * not covered, which counts as UNCOVERED times the best time.
 *
 * The method: kernels are added one by one, each time the one that lowers the
 * sum of the logarithms the most (greedy); then each chosen one is exchanged for
 * any other as long as that lowers the sum. Not always the best set; what greedy
 * saves against no kernel at all is at least 1 - 1/e of what the best set does,
 * and exchanges only add to that.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_few_h
#define tuner_store_few_h

#include "tuner/store/exchange.h"

#define UNCOVERED 4.0

struct few_problem {
  const char *text; /* of a record */
  double best_us;
  double loss; /* of the chosen; negative: not covered */
  size_t kernel; /* which of the chosen, where it is covered */
};

struct few {
  size_t nproblems, nkernels; /* known */
  struct few_problem *problems; /* as the records name them first */
  const char **kernels;         /* configurations, of records */
  double *us;                   /* [problem * nkernels + kernel]; 0: unknown */
  size_t nchosen;
  size_t *chosen; /* kernels, in the order in which greedy took them */
};

/* The records must be of one question but for their problems, and live as long
 * as *out. */
void few_open(struct few *out, const struct results *r);
void few_free(struct few *f);

/* n kernels, or all where there are fewer; fills in loss and kernel. */
void few_choose(struct few *f, size_t n);

/* Sum over the problems of ln(1 + loss), uncovered ones as above. */
double few_cost(const struct few *f);

#endif
