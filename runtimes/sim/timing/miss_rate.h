/* miss_rate.h - how compute units share the L2: which L1 misses go on to HBM.
 *
 * One simulated CU does not show what the others bring into the L2. All groups
 * that the whole card holds at once therefore first run functionally, in
 * rounds, a few thousand instructions a wave. The lines that they load go
 * through an L1 for each CU and one L2. Two figures are kept for each load
 * instruction: the part of its L1 misses that the L2 missed, and the part that
 * had to wait for HBM because the line came in the same round. Recent rounds
 * weigh more, unless all groups of the launch are there at once.
 *
 * A loop that lasts longer than these rounds is replayed (replay.h), through
 * the same caches and with the channels of L2 and HBM as servers. The figures
 * of the replay then replace those of the rounds, and the loop takes at least
 * the time that memory needed for a turn.
 *
 * Device memory must not change: stores and atomics are left out, except those
 * to a wave's private memory. A wave that faults for that reason just stops.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_miss_rate_h
#define sim_miss_rate_h

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/timing/vmem.h"

/* How unevenly the L2's channels are used: the load of the busiest over the
 * mean. HBM's channels belong to those of the L2. */
struct skew {
  double l2, hbm; /* >= 1 */
  double line; /* cycles of a CU that a line takes which missed the L1, where
                  memory sets the pace of a loop; else 0 */
};

/* Fill out[] (a row a dword of the object, zeroed) where an instruction was
 * met; returns the average, for the others. per_cu: groups that a CU holds. */
struct miss_rate miss_rate_measure(const struct dispatch *d, const struct card *c,
                                   unsigned per_cu, const struct prices *prices,
                                   struct miss_rate *out, struct skew *skew);

#endif
