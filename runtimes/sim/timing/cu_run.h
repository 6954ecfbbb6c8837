/* cu_run.h - one compute unit, simulated instruction by instruction.
 *
 * Sequence: cu_open(), cu_run() until every workgroup that the supplier hands
 * out has ended or something faults, cu_close(). Instructions execute
 * functionally at the moment they issue (wave_step), so results are real and
 * addresses are known; completion times come from the servers of lds.h and
 * vmem.h. Time is in cycles, kept in doubles because shares of L2 and HBM are
 * not whole cycles.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_cu_run_h
#define sim_cu_run_h

#include "runtimes/sim/timing/cu.h"

/* per_cu: resident groups; cus: compute units at work on the launch. The other
 * fields that are pointers to const, counts, supply and user are the
 * caller's. */
void cu_open(struct cu *u, unsigned per_cu, double cus);
void cu_close(struct cu *u);

/* 0, or the fault's code. *end: the last group's end, skipped cycles too. */
int cu_run(struct cu *u, struct fault *fault, double *end);

#endif
