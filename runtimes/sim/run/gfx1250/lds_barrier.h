/* lds_barrier.h - barriers that are 8 bytes of LDS.
 *
 * Bits 15:0 say how many must arrive yet, less 1; 31:16 the phase, which counts
 * down; 47:32 how many arrive in a phase, less 1; the rest is the program's. Who
 * waits reads the phase's lowest bit until it changes. (rocjitsu's
 * cdna5_tensor_dma_test.cpp, LdsBarrierCell*.)
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_barrier_h
#define sim_lds_barrier_h

#include "runtimes/sim/run/wave.h"

/* `count` arrive at an address inside of the LDS; what was there before. */
uint64_t lds_barrier_arrive(struct wave *w, uint32_t at, uint64_t count);

#endif
