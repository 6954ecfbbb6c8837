/* sweep.h - one run of a sweep: from its file to a night in the store.
 *
 * sweep_open -> sweep_run -> sweep_close, which may be called on one that could
 * not be opened. sweep_open() finds the devices and what is known; nothing is
 * written before sweep_run(), which may be killed at any moment: each candidate is
 * in the journal, each problem in the night, then in the table, before it is told,
 * and the same command goes on.
 *
 * Nothing here prints: a view is told what happens.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_h
#define tuner_sweep_h

#include "tuner/device/worker.h"
#include "tuner/sweep/cost.h"
#include "tuner/sweep/lane.h"

enum {SWEEP_LANES = 256};

struct sweep;

struct sweep_view {
  void *user;
  void (*notice)(void *user, const char *text);
  /* A problem is done, its record in the night. */
  void (*problem)(void *user, const struct sweep *s, const struct record *r);
  /* It could not be tuned: it stays for another run. */
  void (*trouble)(void *user, const struct sweep *s,
                  const struct sweep_problem *p, const char *why);
  void (*tick)(void *user, const struct sweep *s); /* about once a second */
};

struct sweep_counts {
  size_t all, done, had; /* done: in this night; had: of these, before */
  size_t by_why[SWEEP_N];  /* of all */
  size_t ok, failed, cut; /* of those done */
  size_t trouble;        /* that could not be tuned */
  size_t candidates, known; /* of this run */
};

struct sweep {
  const struct options *line;
  struct sweep_view view;
  struct sweep_file file;
  struct sweep_problems problems;
  struct target targets[SWEEP_ARCHS];
  int found[SWEEP_ARCHS]; /* targets that there are */
  struct str store;
  struct night_name name;
  struct cost_book costs;
  struct sweep_counts counts;
  double begun, until; /* clock_now(); until 0: no end */
  struct night *night;
  int cut;             /* its time was up, or it was interrupted */
  /* while it runs */
  size_t nlanes, cores;
  struct lane lanes[SWEEP_LANES];
  size_t at[SWEEP_LANES]; /* the problem of each; SIZE_MAX: none */
  struct lane_now *now;   /* of each; shared with them */
  struct str scratch, told; /* notices that were */
  unsigned row;           /* of troubles */
};

int sweep_open(struct sweep *s, const char *file, const struct options *line,
               const struct sweep_view *view, struct err *e);

/* 0: all is done, or the time was up (s->cut); ERR_FAILED where a problem has
 * failed or could not be tuned; ERR_INTERRUPTED. */
int sweep_run(struct sweep *s, struct err *e);
void sweep_close(struct sweep *s);

/* "2/8" or NULL, which is all. */
int sweep_shard(const char *text, int *shard, int *shards, struct err *e);

/* Seconds that the rest should take; < 0: not known. */
double sweep_left(const struct sweep *s);

#endif
