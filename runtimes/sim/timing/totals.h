/* totals.h - what the timing model counts, over all instructions and of each.
 *
 * All doubles, so that a stretch which was skipped can be credited by
 * multiplying what a measured stretch added (sample.c).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_totals_h
#define sim_totals_h

struct totals {
  double waves;
  double all;                       /* every instruction */
  double icache_misses;             /* lines */
  double flat_lds;                  /* FLAT, of which all lanes were in LDS */
  double valu_busy;                 /* SIMD cycles */
  double valu_lanes;                /* the same times active lanes */
  double lds_busy;                  /* bank cycles, conflicts too */
  double lds_wait;                  /* cycles waves waited to issue to LDS */
  double l1_reads, l1_misses, l2_reads, l2_misses; /* lines */
  double l2_writes, l2_write_misses; /* lines, of stores and atomics */
  double address_busy, l2_busy, hbm_busy; /* cycles of this CU's share */
};

/* Of one instruction of the kernel. */
struct inst_count {
  double hits, latency, stall, lds_cycles, lds_conflicts;
};

#endif
