/* operand.h - the sources of an instruction as rows, and its result put away.
 *
 * run_plain() and run() of lane.h do: sources, the loop over the lanes,
 * result. Both need the rows below.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_operand_h
#define sim_vector_operand_h

#include "runtimes/sim/run/vector/lane.h"

enum {WORDS = 4}; /* rows of the widest operand */

struct rows {
  u32 source[3][WORDS * LANES] ROW; /* those that are not a register's rows */
  u32 result[WORDS * LANES] ROW;
  u32 cond[LANES] ROW, mask[LANES] ROW;
  u64 lanes; /* that write: EXEC without those that DPP switches off */
};

/* Fill f->s and f->cond with the sources as they are encoded. */
void VEC(sources)(const struct wave *w, const struct inst *i,
                  const struct vop *op, struct rows *r, struct frame *f);

/* Then read them as SDWA, DPP, op_sel, neg, abs and MODE ask. */
void VEC(modify)(const struct wave *w, const struct inst *i,
                 const struct vop *op, struct rows *r, struct frame *f);

/* Output modifiers, and what MODE makes of an overflow of the sources in f;
 * then into the register under r->lanes. */
void VEC(finish)(struct wave *w, const struct inst *i, const struct vop *op,
                 struct rows *r, const struct frame *f);
void VEC(write_mask)(struct wave *w, const struct inst *i,
                     const struct vop *op, const struct rows *r);

/* Replace row by row[l] = what lane l reads through dpp_ctrl; returns the
 * lanes that write. */
u64 VEC(dpp)(const struct wave *w, const struct inst *i, const u32 *from,
             u32 *to);

/* Make the denormals of a row zeros of their sign. */
void VEC(flush)(u32 *row, enum type t);

int VEC(type_words)(enum type t);
int VEC(type_half)(enum type t); /* 16 bits: U16, I16, F16 */

#endif
