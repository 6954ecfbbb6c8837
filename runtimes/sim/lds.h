/* lds.h - the LDS of a compute unit as servers: two ports, each for a pair of
 * SIMDs, and the banks that both share.
 *
 * A port takes one instruction after the other; the banks are busy for the
 * access's own cycles (lds_access_cost), conflicts included. So one pair of
 * SIMDs cannot use more than half of the banks' rate, and a conflicted access
 * of one pair delays the other pair.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_h
#define sim_lds_h

#include "runtimes/sim/card.h"
#include "runtimes/sim/cost.h"

/* Ports: rocprofiler-compute docs, "SIMDs are connected in pairs". Commands a
 * port queues: rocRoller LDSModel. */
enum { LDS_PORTS = 2, LDS_QUEUE = 8 };

struct lds {
  double issue[LDS_PORTS], port[LDS_PORTS], bank; /* when each is free */
  double queue[LDS_PORTS][LDS_QUEUE]; /* when each command was done */
  unsigned n[LDS_PORTS];
};

/* When the next instruction may go into this port. */
double lds_free(const struct lds *l, unsigned port);

/* Take an instruction at time t whose addresses need `cycles` of the banks.
 * Returns when its result is back; *busy gets the bank cycles used. */
double lds_take(struct lds *l, const struct card *c, unsigned port, double t,
                const struct price *p, double cycles, double *busy);

#endif
