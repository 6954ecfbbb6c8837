/* finals.h - the fastest candidates, timed again side by side.
 *
 * On a real device clocks drift by percents within a session, so the fastest
 * few are timed again in turn before one of them is called the winner. Their
 * new records are marked final=1; where all have that already, nothing is
 * done.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_finals_h
#define tuner_finals_h

#include "tuner/session/session.h"
#include "tuner/device/worker.h"

/* pools: the compile workers and the device workers, both idle. What does not
 * end within the session's budget leaves the times of the search, and sets
 * s->out_of_time. */
int finals_run(struct session *s, struct pool *const pools[2], int signals,
               struct err *e);

#endif
