/* lds_access.h - LDS cycles of one access, from the addresses of its lanes, by
 * the lane groups of the instruction's width (arch/lds_banks.c).
 *
 * A loop comes back to an instruction with all addresses moved by one distance,
 * to the other buffer or the next wave's part. If that distance is a whole
 * number of accesses the lanes meet other banks, but collide as before. A memo
 * therefore keeps the last answer for each instruction; zero it at first, but
 * for its layout.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_access_h
#define sim_lds_access_h

#include "runtimes/sim/run/wave.h"

struct lds_cost {
  unsigned cycles;    /* all */
  unsigned conflicts; /* of these, beyond one a phase */
};

struct lds_layout; /* arch/lds_banks.h: of the card's arch */
struct lds_cost lds_access_cost(const struct lds_layout *y,
                                const struct access *a);

enum {LDS_KNOWN = 64}; /* instructions: those with LDS of a main loop */

struct lds_memo {
  const struct lds_layout *layout;
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
