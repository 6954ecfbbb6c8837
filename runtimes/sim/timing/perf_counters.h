/* perf_counters.h - the hardware's counters, from what the simulated device
 * counted.
 *
 * Definitions: the lists of basic counters and derived metrics for gfx9 in
 * AMD's rocprofiler documentation. They count FLAT instructions in
 * SQ_INSTS_VMEM_* and SQ_INSTS_LDS as well, but "FLAT" may mean two things. For
 * SQ_INSTS_VMEM_* and SQ_INSTS_FLAT it is taken to be the encoding, GLOBAL and
 * SCRATCH included (VFetchInsts leaves these out by TA_FLAT_READ_WAVEFRONTS).
 * For SQ_INSTS_LDS it is taken to be the instructions named flat_, the only
 * ones of that encoding that can reach the LDS. Cycles that AMD gives in units
 * of four are in units of four here, too.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_perf_counters_h
#define sim_perf_counters_h

#include "runtimes/sim/timing/cu.h"
#include "runtimes/sim/hipsim.h"

/* From a compute unit's part of the grid that stands for `times` as much:
 * those that the timing model counts. */
void perf_counters_fill(struct hipsim_report *r, const struct cu *u, double times);

/* And those of waves and instructions, from what was executed: loops whose
 * middle was skipped by the model have run all the same. */
void perf_counters_count(struct hipsim_report *r, const struct counts *c,
                         double times);

#endif
