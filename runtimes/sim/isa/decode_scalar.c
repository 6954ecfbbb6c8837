/* decode_scalar.c - the scalar encodings. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"


static int32_t simm16(uint32_t word)
{
  return (int16_t)word;
}

void decode_sop2(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 23, 7);
  i->dst = bits(*text, 16, 7);
  i->src[0] = bits(*text, 0, 8);
  i->src[1] = bits(*text, 8, 8);
}

void decode_sopk(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 23, 5);
  i->dst = bits(*text, 16, 7);
  i->imm = simm16(*text);
}

void decode_sop1(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 8, 8);
  i->dst = bits(*text, 16, 7);
  i->src[0] = bits(*text, 0, 8);
}

void decode_sopc(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 16, 7);
  i->src[0] = bits(*text, 0, 8);
  i->src[1] = bits(*text, 8, 8);
}

void decode_sopp(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 16, 7);
  i->imm = simm16(*text);
}

/* The offset is a signed 21-bit constant (imm), an SGPR named in the same
 * bits (neither), or an SGPR in bits 63:57 (soffset_en), with imm added. */
void decode_smem(const uint32_t *text, struct inst *i)
{
  unsigned imm = bits(text[0], 17, 1), soffset = bits(text[0], 14, 1);
  i->op = bits(text[0], 18, 8);
  i->dst = bits(text[0], 6, 7);
  i->srsrc = bits(text[0], 0, 6) << 1;
  i->flags |= bits(text[0], 16, 1) ? INST_GLC : 0;
  if (imm) {
    i->flags |= INST_IMM;
    i->imm = (int32_t)(text[1] << 11) >> 11;
  }
  if (soffset || !imm) {
    i->flags |= INST_SOFFSET;
    i->src[2] = soffset ? bits(text[1], 25, 7) : bits(text[1], 0, 7);
  }
}
