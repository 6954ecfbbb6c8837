/* decode.h - the decoder's parts: one function an encoding.
 *
 * Each gets the dwords that decode() has seen to exist (two for the long
 * encodings) and fills *i from its fields; it sets no words, exec or unit.
 * Bit numbers are those of the "Vega" ISA's encoding diagrams.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_decode_h
#define sim_decode_h

#include "runtimes/sim/isa/inst.h"

static inline uint32_t bits(uint32_t word, unsigned first, unsigned n)
{
  return word >> first & ((1u << n) - 1);
}

typedef void decode_fn(const uint32_t *text, struct inst *i);

decode_fn decode_sop2, decode_sopk, decode_sop1, decode_sopc, decode_sopp;
decode_fn decode_smem;
decode_fn decode_vop1, decode_vop2, decode_vopc, decode_vop3, decode_vop3p;
decode_fn decode_ds, decode_flat, decode_mubuf, decode_mtbuf;

#endif
