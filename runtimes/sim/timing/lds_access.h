/* lds_access.h - LDS cycles of one access, from the addresses, by the lane
 * groups of the instruction's width (arch/lds_banks.c).
 *
 * Loops come back to the same instruction with addresses that lie as far apart
 * as they did before, the other buffer's or the next wave's. All of them moved
 * by whole accesses meet other banks, but each other as before: a memo, zeroed
 * at first, has the last answer for each instruction.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_access_h
#define sim_lds_access_h

#include "runtimes/sim/run/wave.h"

struct lds_cost {
  unsigned cycles;    /* all */
  unsigned conflicts; /* of these, beyond one a phase */
};

struct lds_cost lds_access_cost(const struct access *a);

enum { LDS_KNOWN = 64 }; /* instructions: those with LDS of a main loop */

struct lds_memo {
  struct lds_known {
    uint64_t first, lanes, apart[LANES]; /* addresses: less the first */
    uint32_t bytes, kind;
    struct lds_cost cost;
  } at[LDS_KNOWN][2];
};

/* The same, for instruction pc. */
struct lds_cost lds_access_again(struct lds_memo *m, uint32_t pc,
                                 const struct access *a);

#endif
