/* finals.h - the fastest candidates, timed again.
 *
 * On a real device clocks drift by percents within a session, so the fastest
 * few are timed again in turn before one of them is called the winner. On a
 * modelled one they are launched with their buffers at several places, and so is
 * what was given instead of a search: a time is the mean of these. Their new
 * records are marked final=1; where all have that already, nothing is done.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_finals_h
#define tuner_finals_h

#include "tuner/session/session.h"
#include "tuner/device/worker.h"

/* pools: the compile workers and the device workers, both idle. What does not
 * end within the session's budget leaves the times of the search, and sets
 * s->out_of_time; so does what takes minutes on a modelled device, without that. */
int finals_run(struct session *s, struct pool *const pools[2], int signals,
               struct err *e);

#endif
