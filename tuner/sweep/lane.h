/* lane.h - a process that tunes one problem of a sweep after the other.
 *
 * Several lanes run at once, each with an ordinary session of few workers: while
 * one waits for its search or begins a problem, the others keep the cores busy.
 * A lane is a worker of a pool (worker.h): what goes wrong in it costs the one
 * problem that it has. It inherits the sweep by fork.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_lane_h
#define tuner_sweep_lane_h

#include "tuner/session/target.h"
#include "tuner/sweep/problems.h"

/* What a lane is at, in memory that it shares with the sweep. */
struct lane_now {
  size_t done, evals; /* candidates */
};

/* What all lanes know. */
struct lane_job {
  const struct sweep_problems *problems;
  const struct target *targets; /* of problems->archs */
  const struct options *line;
  const char *store;
  const char *begun; /* the night: what was measured before is measured again
                      * where that is wanted */
};

struct lane {
  const struct lane_job *job;
  struct lane_now *now;
};

/* A worker body; user is a struct lane. */
void lane_worker(int fd, void *user);

/* Tune this problem by so many jobs; until: the night's end (clock_now(), 0:
 * none). */
void lane_request(size_t problem, size_t jobs, double until,
                  struct str *request);

/* code 0: record is the night's, and the caller's; ERR_INTERRUPTED: the night
 * was over before the problem was (night_over), or a signal came; else it could not
 * be tuned, which is not the problem's fault, and e says why. notices: lines; inside
 * the reply. 0, or -1 where the reply is rubbish. */
struct lane_reply {
  int code, night_over;
  size_t candidates, known; /* that it tried; of these, from the journal */
  struct record *record;
  const char *notices;
};
int lane_read(const struct str *reply, struct lane_reply *out, struct err *e);

#endif
