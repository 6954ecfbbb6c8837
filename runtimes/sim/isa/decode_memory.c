/* decode_memory.c - the LDS and vector memory encodings. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"


enum {SADDR_OFF = 0x7f};

static uint16_t vgpr(uint32_t word, unsigned first)
{
  return CODE_VGPR + bits(word, first, 8);
}

static unsigned flag_if(uint32_t word, unsigned bit, unsigned flag)
{
  return bits(word, bit, 1) ? flag : 0;
}

/* What to add to the codes of data: AGPRs take the place of VGPRs where the
 * bit says so. */
static unsigned agprs_if(const struct inst *i, uint32_t word, unsigned bit)
{
  int unified = isa_at(i->isa)->agprs == AGPRS_UNIFIED;
  return unified && bits(word, bit, 1) ? CODE_AGPR - CODE_VGPR : 0;
}

void decode_ds(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 17, 8);
  i->flags |= flag_if(text[0], 16, INST_GDS);
  i->offset = i->imm = bits(text[0], 0, 16);
  unsigned data = agprs_if(i, text[0], 25);
  i->src[0] = vgpr(text[1], 0);
  i->src[1] = vgpr(text[1], 8) + data;
  i->src[2] = vgpr(text[1], 16) + data;
  i->dst = bits(text[1], 24, 8) + data;
}

/* Has a SCRATCH instruction an address in a VGPR? Once one in an SGPR took its
 * place; where hardware knows the private memory there may be both or none. */
static int scratch_vaddr(const struct inst *i, uint32_t word)
{
  return isa_at(i->isa)->own_scratch ? bits(word, 13, 1)
                                     : !(i->flags & INST_SADDR);
}

/* FLAT's offset is 12 bits without sign, the other segments' 13 with. */
void decode_flat(const uint32_t *text, struct inst *i)
{
  static const uint8_t segment[] = {FLAT, SCRATCH, GLOBAL, FORMAT_N};
  i->format = segment[bits(text[0], 14, 2)];
  i->op = bits(text[0], 18, 7);
  i->flags |= flag_if(text[0], 17, INST_SLC) | flag_if(text[0], 16, INST_GLC);
  i->imm = i->format == FLAT ? (int32_t)bits(text[0], 0, 12)
                             : (int32_t)(text[0] << 19) >> 19;
  unsigned data = agprs_if(i, text[1], 23);
  i->src[0] = vgpr(text[1], 0);
  i->src[1] = vgpr(text[1], 8) + data;
  i->src[2] = bits(text[1], 16, 7);
  if (i->format != FLAT && i->src[2] != SADDR_OFF)
    i->flags |= INST_SADDR;
  int scratch = i->format == SCRATCH;
  if (!scratch || !isa_at(i->isa)->own_scratch)
    i->flags |= flag_if(text[0], 13, INST_LDS);
  if (scratch && scratch_vaddr(i, text[0]))
    i->flags |= INST_VADDR;
  i->dst = bits(text[1], 24, 8) + data;
}

static void buffer(const uint32_t *text, struct inst *i)
{
  i->flags |= flag_if(text[0], 14, INST_GLC) |
              flag_if(text[0], 13, INST_IDXEN) |
              flag_if(text[0], 12, INST_OFFEN);
  unsigned data = agprs_if(i, text[1], 23);
  i->imm = bits(text[0], 0, 12);
  i->src[0] = vgpr(text[1], 0);
  i->src[1] = vgpr(text[1], 8) + data;
  i->src[2] = bits(text[1], 24, 8);
  i->dst = bits(text[1], 8, 8) + data;
  i->srsrc = bits(text[1], 16, 5) << 2;
  if (isa_at(i->isa)->agprs != AGPRS_UNIFIED) /* whose bit it was */
    i->flags |= flag_if(text[1], 23, INST_TFE);
}

void decode_mubuf(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 18, 7);
  i->flags |= flag_if(text[0], 17, INST_SLC) | flag_if(text[0], 16, INST_LDS);
  buffer(text, i);
}

void decode_mtbuf(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 15, 4);
  i->dfmt = bits(text[0], 19, 4);
  i->nfmt = bits(text[0], 23, 3);
  i->flags |= flag_if(text[1], 22, INST_SLC);
  buffer(text, i);
}
