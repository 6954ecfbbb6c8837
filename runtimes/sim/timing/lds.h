/* lds.h - the LDS of a compute unit as servers: two ports that take commands,
 * each for a pair of SIMDs; a data path for each SIMD; and the banks, which all
 * SIMDs share.
 *
 * The data path of a SIMD takes the data of one instruction after the other.
 * One SIMD therefore uses at most half of the banks' rate, and two can use all
 * of it: ds_read_b128 takes 16 cycles from one SIMD and 8 from two (pyhip
 * mem_latency, MI308X). That a pair shares a data path, as
 * rocprofiler-compute's documentation has it, does not fit measured kernels
 * (docs/model.md). The banks are busy for the cycles of the access itself
 * (lds_access.h), conflicts included, and delay all SIMDs.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_h
#define sim_lds_h

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/cost.h"

/* Ports: rocprofiler-compute docs, "SIMDs are connected in pairs". Commands a
 * port queues: rocRoller LDSModel. */
enum {LDS_SIMDS = 4, LDS_PORTS = 2, LDS_QUEUE = 8};

struct lds {
  double issue[LDS_PORTS], back[LDS_SIMDS], bank; /* when each is free */
  double queue[LDS_PORTS][LDS_QUEUE]; /* when each command was done */
  unsigned n[LDS_PORTS];
};

/* When this SIMD's port takes the next instruction. */
double lds_free(const struct lds *l, unsigned simd);

/* Take an instruction at time t whose addresses need `cycles` of the banks.
 * Returns when its result is back; *busy gets the bank cycles used. */
double lds_take(struct lds *l, const struct card *c, unsigned simd, double t,
                const struct price *p, double cycles, double *busy);

#endif
