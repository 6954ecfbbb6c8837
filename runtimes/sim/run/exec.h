/* exec.h - which function executes an instruction. */
// SPDX-License-Identifier: MIT
#ifndef sim_exec_h
#define sim_exec_h

#include "runtimes/sim/isa/inst.h"

/* By format; NULL where not implemented. Tables inside. */
exec_fn *scalar_handler(const struct inst *i); /* SOP*, SMEM */
exec_fn *vector_handler(const struct inst *i); /* VOP* */
exec_fn *memory_handler(const struct inst *i); /* DS .. MTBUF */

/* Set exec of n dwords of decoded code; it stays NULL where these are not legal. As
 * object_load() wants it. */
void exec_bind(struct inst *code, size_t n);

#endif
