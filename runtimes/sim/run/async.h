/* async.h - loads to LDS and stores from there that nobody waits for at once.
 *
 * They are done when they are executed, but nobody may count on that: until the
 * wave has waited for them (s_wait_asynccnt), what a load writes must not be
 * touched, and what a store reads must not be written, by any wave. Who does
 * faults, and the fault names both instructions. They end in the order in which
 * they began; the counter holds 63.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_async_h
#define sim_async_h

#include "runtimes/sim/run/dispatch.h"

/* Forget everything: another workgroup begins. */
void async_reset(struct group *g);
void async_free(struct group *g);

/* The oldest end, until `left` of the wave's are left. */
void async_wait(struct wave *w, unsigned left);

/* May the active lanes touch LDS at access.addr[k]? 0: no, with a fault. */
int async_check(struct wave *w, unsigned k, unsigned bytes);

#endif
