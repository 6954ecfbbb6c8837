/* decode.h - the decoder's parts: one function an encoding.
 *
 * Each gets five dwords, zeros behind those that exist, and fills *i from its
 * fields; it sets no words, exec or unit. Bit numbers are those of the "Vega"
 * ISA's encoding diagrams; GFX12's are those by which LLVM 22 encodes.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_decode_h
#define sim_decode_h

#include "runtimes/sim/isa/inst.h"

static inline uint32_t bits(uint32_t word, unsigned first, unsigned n)
{
  return word >> first & ((1u << n) - 1);
}

/* What VOP2 opcodes imply: carries through VCC, and a constant (K), of 64 bits. */
enum implied {CARRY_OUT = 1, CARRY_IN = 2, K_SRC1 = 4, K_SRC2 = 8, K_64 = 16};

void decode_implied(struct inst *i, unsigned implied);

typedef void decode_fn(const uint32_t *text, struct inst *i);

struct encoding {
  uint32_t mask, value; /* of the first dword */
  uint8_t format, words;
  decode_fn *fields;
};
const struct encoding *encodings_gfx12(size_t *n);
/* The second half of a dual instruction of e (decode_gfx12.c). */
void decode_half(const struct encoding *e, const uint32_t *text, struct inst *i);
/* A scaled product? 1: it is, and *i is filled but for legal. */
int decode_scaled_gfx12(const uint32_t *text, size_t left, struct inst *i);
/* Do the two dwords before such a product have no other bits than those of scales? */
int decode_legal_scales(const uint32_t *text);
/* May the half have this opcode; are the fields that it leaves alone zero? */
int decode_legal_half(const struct encoding *e, int second, const uint32_t *text,
                      const struct inst *i);
/* The dword behind an instruction with DPP: all of it, over what is there. */
void decode_dpp(uint32_t word, struct inst *i);

/* 1: the bits that i's opcode leaves alone are zero (zeros.c). */
int decode_zeros(const struct inst *i, const uint32_t *text);

decode_fn decode_sop2, decode_sopk, decode_sop1, decode_sopc, decode_sopp;
decode_fn decode_smem;
decode_fn decode_vop1, decode_vop2, decode_vopc, decode_vop3, decode_vop3p;
decode_fn decode_ds, decode_flat, decode_mubuf, decode_mtbuf;

#endif
