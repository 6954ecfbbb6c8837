/* tally.h - what the timing model counts over all instructions.
 *
 * All doubles, so that a stretch which was skipped can be credited by
 * multiplying what a measured stretch added (sample.c).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_tally_h
#define sim_tally_h

struct tally {
  double waves;
  double valu, salu, smem, lds, vmem_rd, vmem_wr, flat; /* instructions */
  double all;                       /* every instruction */
  double valu_busy;                 /* SIMD cycles */
  double lds_busy;                  /* bank cycles, conflicts too */
  double lds_active, lds_conflict;  /* as the hardware's counters have it */
  double lds_wait;                  /* cycles waves waited to issue to LDS */
  double l1_reads, l1_misses, l2_reads, l2_misses; /* lines */
  double address_busy, l2_busy, hbm_busy; /* cycles of this CU's share */
};

#endif
