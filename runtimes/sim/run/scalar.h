/* scalar.h - what the scalar instructions share.
 *
 * Each SOP file holds handlers and a table of them by opcode; NULL where the
 * device has none. An opcode that is left out on purpose is listed with its
 * reason in scalar.c.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_scalar_h
#define sim_scalar_h

#include <string.h>

#include "runtimes/sim/run/wave.h"

extern exec_fn *const sop2_handlers[128];
extern exec_fn *const sopk_handlers[32];
extern exec_fn *const sop1_handlers[256];
extern exec_fn *const sopc_handlers[128];
extern exec_fn *const sopp_handlers[128];
extern exec_fn *const smem_handlers[256];

static inline uint32_t read32(const struct wave *w, const struct inst *i,
                              unsigned code)
{
  return code < CODE_INLINE ? w->s[code] : scalar_read(w, i, code);
}

/* SGPR pairs may start at an odd code where a program breaks the rules. */
static inline uint64_t read64(const struct wave *w, const struct inst *i,
                              unsigned code)
{
  uint64_t value;
  if (code >= CODE_INLINE)
    return scalar_read64(w, i, code);
  memcpy(&value, &w->s[code], sizeof value);
  return value;
}

static inline void write32(struct wave *w, unsigned code, uint32_t value)
{
  w->s[code] = value;
}

static inline void write64(struct wave *w, unsigned code, uint64_t value)
{
  memcpy(&w->s[code], &value, sizeof value);
}

/* Scalar memory: base, offsets and all, for an access of so many bytes; is it
 * memory (1, or 0 with a fault)? What was accessed. Cycles so far. */
uint64_t smem_address(const struct wave *w, const struct inst *i,
                      unsigned bytes);
int smem_mapped(struct wave *w, uint64_t address, unsigned bytes);
void smem_note(struct wave *w, const struct inst *i, uint64_t address,
               unsigned bytes);
uint64_t smem_cycles(const struct wave *w);

/* The address of the next instruction, and going to one. */
uint64_t scalar_pc(const struct wave *w);
void scalar_goto(struct wave *w, uint64_t address);

/* Go on `words` dwords behind the next instruction. */
static inline void scalar_branch(struct wave *w, int32_t words)
{
  w->pc += (uint32_t)words; /* wave_run() refuses what is outside */
}

#endif
