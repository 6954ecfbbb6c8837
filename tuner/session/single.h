/* single.h - one configuration, compiled and run outside of a search.
 *
 * single_open -> { single_explain, single_reach, single_against } ->
 * single_close, which may be called on one that could not be opened. Task and
 * target outlive it, and it stays where it was opened. The configuration is
 * compiled, checked and timed by the same workers as a session's candidates, with
 * the same jobs; each request gets a worker of its own, and nothing is journalled.
 *
 * Errors: ERR_FAILED with what the compiler, the device or a worker's end said.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_session_single_h
#define tuner_session_single_h

#include "tuner/session/open.h"

struct single {
  struct session_setup setup;
  struct str cache; /* folder of compiled code */
  struct str plain; /* code of the family's own plain kernel */
  struct compile_job compile;
  struct device_job device;
};

/* against: a library whose product stands beside ours (rival.h), or NULL. */
int single_open(struct single *s, const struct task *k, const struct target *t,
                const char *against, struct err *e);
void single_close(struct single *s);

/* Check and time c on the device, with the simulator's counters where it is
 * simulated; explained_free() in any case. A candidate that fails is no
 * error: the record of *out says how. */
int single_explain(struct single *s, const struct config *c,
                   struct explained *out, struct err *e);

/* Can the device be opened, and with it the library of single_open()? */
int single_reach(struct single *s, struct err *e);

/* Its kernel as single_explain() has ours; the record as single_against()'s. */
int single_explain_against(struct single *s, const struct config *c,
                           struct explained *out, struct err *e);

/* The library's product, checked and timed in turn with c; the record is the
 * caller's (rival_request()), NULL where it fails. */
int single_against(struct single *s, const struct config *c,
                   struct record **out, struct err *e);

#endif
