/* run.h - a session, and what it stands on: the journal's part for its
 * problem.
 *
 * run_open -> what differs is set in run.session (given, seeds, until) ->
 * session_run -> run_close, which may be called on one that was not opened.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_run_h
#define tuner_run_h

#include "tuner/session/task.h"
#include "tuner/session/session.h"
#include "tuner/session/target.h"

struct run {
  struct record *identity;
  struct history *history;
  struct session session;
};

/* Job and target outlive the run. It begins now and has no end. */
int run_open(struct run *run, const struct task *k, const struct target *t,
             struct session_view view, struct err *e);
void run_close(struct run *run);

/* Try just these, of which there is at least one. */
void run_given(struct run *run, const struct config *list, size_t n);

#endif
