/* lds_dma.h - loads that go to LDS and not to registers. */
// SPDX-License-Identifier: MIT
#ifndef sim_lds_dma_h
#define sim_lds_dma_h

#include "runtimes/sim/run/memory.h"

/* Where lane 0's dword goes: M0 and the instruction's offset; lane l's stands
 * l * lds_dma_step() bytes behind it. 0 with a fault where a lane that is on
 * has no room. */
int lds_dma_start(struct wave *w, const struct inst *i,
                  const struct memory_op *op, uint32_t *start);

/* A lane's bytes from memory, narrow ones extended to a dword; from NULL
 * zeros. */
void lds_dma_put(struct wave *w, const struct memory_op *op, uint32_t start,
                 unsigned lane, const void *from);

/* Opcodes of GLOBAL and SCRATCH of their own; NULL: not one of them. */
exec_fn *lds_dma_handler(const struct inst *i);

#endif
