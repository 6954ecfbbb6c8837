/* open.h - the one way from a task and a target to a session.
 *
 * session_open -> session_run -> session_close, which may be called on one that
 * was not opened. Task and target outlive it, and it stays where it was opened.
 *
 * What a session tries is decided here: just the configurations of the wish, or these
 * with the winners of the nearest problems (warm_start.h);
 * or that of the task's --set, completed (complete.h); or what the search
 * proposes, which begins with the winners of the nearest problems, but
 * for --afresh and the searches that are random or exhaustive by name.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_session_open_h
#define tuner_session_open_h

#include "tuner/session/session.h"
#include "tuner/session/target.h"
#include "tuner/session/task.h"

/* What the task does not say. */
struct session_wish {
  double begun, until; /* clock_now(); until 0: no end */
  const struct config *given; /* try just these; NULL: see above */
  size_t ngiven;
  /* Not NULL: with these, winners of the nearest problems as the tables have them now, at
   * most WARM_START_MOST together, but for those that this text (db/tried.h) has; where it
   * has all, nothing is tried. */
  const char *tried;
  int settle; /* the given ones are tried even where nothing is new, and the fastest have
                 finals (finals.h) */
  struct session_view view;
};

/* What task and target decide of a session; the rest is 0. */
struct session_setup session_setup(const struct task *k,
                                   const struct target *t);

int session_open(struct session *s, const struct task *k,
                 const struct target *t, const struct session_wish *w,
                 struct err *e);
void session_close(struct session *s);

#endif
