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

void decode_ds(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 17, 8);
  i->flags |= flag_if(text[0], 16, INST_GDS);
  i->offset = i->imm = bits(text[0], 0, 16);
  i->src[0] = vgpr(text[1], 0);
  i->src[1] = vgpr(text[1], 8);
  i->src[2] = vgpr(text[1], 16);
  i->dst = bits(text[1], 24, 8);
}

/* FLAT's offset is 12 bits without sign, the other segments' 13 with. */
void decode_flat(const uint32_t *text, struct inst *i)
{
  static const uint8_t segment[] = {FLAT, SCRATCH, GLOBAL, FORMAT_N};
  i->format = segment[bits(text[0], 14, 2)];
  i->op = bits(text[0], 18, 7);
  i->flags |= flag_if(text[0], 17, INST_SLC) | flag_if(text[0], 16, INST_GLC) |
              flag_if(text[0], 13, INST_LDS);
  i->imm = i->format == FLAT ? (int32_t)bits(text[0], 0, 12)
                             : (int32_t)(text[0] << 19) >> 19;
  i->src[0] = vgpr(text[1], 0);
  i->src[1] = vgpr(text[1], 8);
  i->src[2] = bits(text[1], 16, 7);
  if (i->format != FLAT && i->src[2] != SADDR_OFF)
    i->flags |= INST_SADDR;
  i->dst = bits(text[1], 24, 8);
}

static void buffer(const uint32_t *text, struct inst *i)
{
  i->flags |= flag_if(text[0], 14, INST_GLC) |
              flag_if(text[0], 13, INST_IDXEN) |
              flag_if(text[0], 12, INST_OFFEN);
  i->imm = bits(text[0], 0, 12);
  i->src[0] = vgpr(text[1], 0);
  i->src[1] = vgpr(text[1], 8);
  i->src[2] = bits(text[1], 24, 8);
  i->dst = bits(text[1], 8, 8);
  i->srsrc = bits(text[1], 16, 5) << 2;
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
