/* memory.h - what the memory instructions share.
 *
 * A handler computes an address for every lane into w->access (begin() sets
 * the rest of it), checks them all, and only then moves data: an instruction
 * that faults has changed nothing. Register numbers need no check: wave_run()
 * has made sure that the wave owns them.
 *
 * Tables of struct memory_op say what each opcode moves; ds.c has one for DS,
 * memory.c one for all others, whose opcodes agree.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_memory_h
#define sim_memory_h

#include "runtimes/sim/run/wave.h"

enum memory_kind {MEMORY_NONE, MEMORY_LOAD, MEMORY_STORE, MEMORY_ATOMIC};
enum memory_half {WHOLE, HALF_LOW, HALF_HIGH};

struct memory_op {
  uint8_t kind;   /* enum memory_kind */
  uint8_t bytes;  /* at each address: 1 2 4 8 12 16 */
  uint8_t sign;   /* 1: a narrow load extends the sign */
  uint8_t half;   /* enum memory_half: of the register, the D16 forms */
  uint8_t atomic; /* enum atomic_op */
};

/* What a FLAT, GLOBAL, SCRATCH or MUBUF opcode moves; kind MEMORY_NONE where
 * there is no such opcode (or it is not a plain load, store or atomic). */
const struct memory_op *memory_op_find(unsigned op);

/* Start this instruction's access: lanes, width, what it does. */
void memory_begin(struct wave *w, const struct memory_op *op, unsigned n,
                  int lds);

/* Is access.addr[0] inside allocations for every active lane, `bytes` long
 * (and aligned, for an atomic)? Faults if not. */
int memory_check(struct wave *w, unsigned bytes);

/* Move between registers (from number v) and base + access.addr[k]. Dwords
 * of one lane stand `step` bytes apart: 4, or 256 in swizzled memory. */
void memory_load(struct wave *w, const struct memory_op *op, unsigned v,
                 unsigned k, uintptr_t base, unsigned step);
void memory_store(struct wave *w, const struct memory_op *op, unsigned v,
                  unsigned k, uintptr_t base, unsigned step);

/* Load, store or atomic at access.addr[0] as op says: data from `data`,
 * results to `dst`. */
void memory_move(struct wave *w, const struct inst *i,
                 const struct memory_op *op, uintptr_t base, unsigned step);

/* The addresses of a FLAT or GLOBAL instruction, and the private offsets of a SCRATCH
 * one (flat.c). */
void global_addresses(struct wave *w, const struct inst *i);
void scratch_offsets(struct wave *w, const struct inst *i);

/* Private memory (memory_swizzle.c). memory_private() makes addresses of the
 * lanes' private offsets in access.addr[0]; memory_private_check() finds
 * whether addresses that were made otherwise are the wave's own. Both fault
 * outside it. memory_private_read() puts together what is at one of these addresses.
 * memory_move_swizzled() is memory_move() for such addresses. */
enum {PRIVATE_STEP = 4 * LANES};
int memory_private(struct wave *w);
void memory_private_read(uint64_t at, unsigned bytes, void *to);
int memory_private_check(struct wave *w, unsigned step);
void memory_move_swizzled(struct wave *w, const struct inst *i,
                          const struct memory_op *op, unsigned step);

/* By format. NULL: no such opcode, or not implemented. */
exec_fn *ds_handler(const struct inst *i);
exec_fn *flat_handler(const struct inst *i);   /* FLAT, GLOBAL, SCRATCH */
exec_fn *buffer_handler(const struct inst *i); /* MUBUF, MTBUF */

static inline unsigned vgpr(unsigned code) /* number of a VGPR operand */
{
  return code - CODE_VGPR;
}

/* For every lane of a mask, in order. */
#define FOR_LANES(l, mask) \
  for (uint64_t m_ = (mask); \
       m_ && ((l) = (unsigned)__builtin_ctzll(m_), 1); m_ &= m_ - 1)

#endif
