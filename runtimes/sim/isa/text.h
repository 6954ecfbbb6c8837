/* text.h - an instruction as people read it: "ds_read_b32 v1, v0 offset:16".
 *
 * As LLVM writes it, without what only tells encodings apart (_e32, _e64), and
 * of SDWA and DPP that they are there. Branches name their distance in bytes
 * from the next instruction.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_text_h
#define sim_text_h

#include "runtimes/sim/isa/inst.h"

/* Cut where there is no room. */
void inst_text(const struct inst *i, char *to, size_t room);

#endif
