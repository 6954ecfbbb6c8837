/* fast_forward.h - move all waves of a CU on by whole periods of their loops.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_fast_forward_h
#define sim_fast_forward_h

#include "runtimes/sim/timing/cu.h"

/* Is every wave in a settled loop that leaves device memory alone? */
int fast_forward_possible(struct cu *u);

/* Move on as far as all of them stay in their loops. Each group moves by its
 * rate (resident.rate, instructions a cycle). Returns the cycles skipped, and
 * adds what was executed to hits (a dword of [u->lo, u->hi) each). */
double fast_forward(struct cu *u, double *hits);

#endif
