/* sample.h - skipping the middle of long loops.
 *
 * A CU is simulated in detail until the waves of all its groups are in loops
 * whose periods have a constant number of instructions, and until an
 * instruction has taken as many cycles in one window as in the window before.
 * The waves then run functionally, each by a whole number of periods of its
 * loop, so that every wave is where it was within its loop. The state of all
 * queues and counters stays as it is, and the time is credited at the rate of
 * the window, in which each group moved as fast as it moves now. A stretch in
 * which a wave leaves its loop is undone, and tried again at half the length:
 * the end of the loop is simulated in detail. Loops that change device memory
 * are never skipped.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_sample_h
#define sim_sample_h

#include "runtimes/sim/timing/cu.h"

struct sampler *sample_open(void);
void sample_close(struct sampler *m);

/* The CU's u->looped took u->loop at time t: the place to measure and skip. */
void sample_loop(struct cu *u, double t);

/* Groups came or went: what was measured holds no more. */
void sample_restart(struct cu *u);

#endif
