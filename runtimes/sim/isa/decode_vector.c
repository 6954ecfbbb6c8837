/* decode_vector.c - the vector ALU's encodings, with SDWA and DPP. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"


enum {CODE_SDWA = 249, CODE_DPP = 250};

static unsigned flag_if(unsigned bit, unsigned flag)
{
  return bit ? flag : 0;
}

/* The second dword of an SDWA instruction. For VOPC the bits of the
 * destination's selection name an SGPR pair instead. */
static void sdwa(uint32_t word, struct inst *i)
{
  i->flags |= INST_SDWA;
  i->src[0] = bits(word, 0, 8) + (bits(word, 23, 1) ? 0 : CODE_VGPR);
  if (i->format != VOP1 && bits(word, 31, 1))
    i->src[1] -= CODE_VGPR;
  if (i->format == VOPC) {
    if (bits(word, 15, 1))
      i->sdst = bits(word, 8, 7);
  } else {
    i->dsel = bits(word, 8, 3);
    i->dunused = bits(word, 11, 2);
    i->flags |= flag_if(bits(word, 13, 1), INST_CLAMP);
    i->omod = bits(word, 14, 2);
  }
  i->ssel[0] = bits(word, 16, 3);
  i->ssel[1] = bits(word, 24, 3);
  i->sext = bits(word, 19, 1) | bits(word, 27, 1) << 1;
  i->neg = bits(word, 20, 1) | bits(word, 28, 1) << 1;
  i->abs = bits(word, 21, 1) | bits(word, 29, 1) << 1;
}

void decode_dpp(uint32_t word, struct inst *i)
{
  i->flags |= INST_DPP | flag_if(bits(word, 19, 1), INST_BOUND_CTRL);
  i->src[0] = CODE_VGPR + bits(word, 0, 8);
  i->dpp = bits(word, 8, 9);
  i->neg = bits(word, 20, 1) | bits(word, 22, 1) << 1;
  i->abs = bits(word, 21, 1) | bits(word, 23, 1) << 1;
  i->bankmask = bits(word, 24, 4);
  i->rowmask = bits(word, 28, 4);
}

static void modifiers(const uint32_t *text, struct inst *i)
{
  if (i->src[0] == CODE_SDWA)
    sdwa(text[1], i);
  else if (i->src[0] == CODE_DPP)
    decode_dpp(text[1], i);
}

/* Opcodes of VOP1 and VOP3P that name AGPRs, where there are any. */
enum {OP_ACCVGPR_MOV = 0x52, OP_ACCVGPR_READ = 0x58, OP_ACCVGPR_WRITE};

static void to_agpr(uint16_t *code)
{
  if (*code >= CODE_VGPR)
    *code += CODE_AGPR - CODE_VGPR;
}

void decode_vop1(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 9, 8);
  i->dst = bits(*text, 17, 8);
  i->src[0] = bits(*text, 0, 9);
  modifiers(text, i);
  if (i->op == OP_ACCVGPR_MOV && isa_at(i->isa)->agprs == AGPRS_UNIFIED) {
    to_agpr(&i->src[0]);
    i->dst += CODE_AGPR - CODE_VGPR;
  }
}

static const uint8_t vop2_implied[64] = {
    [0x00] = CARRY_IN,             /* v_cndmask_b32 */
    [0x17] = K_SRC1,               /* v_madmk_f32 */
    [0x18] = K_SRC2,               /* v_madak_f32 */
    [0x19] = CARRY_OUT,            /* v_add_co_u32 */
    [0x1a] = CARRY_OUT,            /* v_sub_co_u32 */
    [0x1b] = CARRY_OUT,            /* v_subrev_co_u32 */
    [0x1c] = CARRY_OUT | CARRY_IN, /* v_addc_co_u32 */
    [0x1d] = CARRY_OUT | CARRY_IN, /* v_subb_co_u32 */
    [0x1e] = CARRY_OUT | CARRY_IN, /* v_subbrev_co_u32 */
    [0x24] = K_SRC1,               /* v_madmk_f16 */
    [0x25] = K_SRC2,               /* v_madak_f16 */
};

void decode_implied(struct inst *i, unsigned implied)
{
  unsigned k = implied & K_64 ? CODE_LITERAL64 : CODE_LITERAL;
  if (implied & CARRY_OUT)
    i->sdst = CODE_VCC;
  if (implied & CARRY_IN)
    i->src[2] = CODE_VCC;
  if (implied & K_SRC1) {
    i->src[2] = i->src[1];
    i->src[1] = k;
  }
  if (implied & K_SRC2)
    i->src[2] = k;
}

void decode_vop2(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 25, 6);
  i->dst = bits(*text, 17, 8);
  i->src[0] = bits(*text, 0, 9);
  i->src[1] = CODE_VGPR + bits(*text, 9, 8);
  decode_implied(i, vop2_implied[i->op]);
  modifiers(text, i);
}

void decode_vopc(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 17, 8);
  i->src[0] = bits(*text, 0, 9);
  i->src[1] = CODE_VGPR + bits(*text, 9, 8);
  i->dst = i->sdst = CODE_VCC;
  modifiers(text, i);
  i->dst = i->sdst;
}

static void vop3_sources(const uint32_t *text, struct inst *i)
{
  for (int n = 0; n < 3; n++)
    i->src[n] = bits(text[1], 9 * n, 9);
  i->neg = bits(text[1], 29, 3);
  i->flags |= flag_if(bits(text[0], 15, 1), INST_CLAMP);
}

/* LLVM takes the codes of constants as destinations, and none behind them. */
enum {LAST_CONSTANT = 208, NO_REGISTER = 0xff};

void decode_vop3(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 16, 10);
  i->dst = bits(text[0], 0, 8);
  i->omod = bits(text[1], 27, 2);
  vop3_sources(text, i);
  const struct op *o = inst_op(i);
  if (o && o->dst & OP_CARRY) {
    i->sdst = bits(text[0], 8, 7);
    return;
  }
  i->abs = bits(text[0], 8, 3);
  i->opsel = bits(text[0], 11, 4);
  if (o && o->dst & OP_SCALAR)
    i->sdst = i->dst = i->dst > LAST_CONSTANT ? NO_REGISTER : i->dst & 0x7f;
}

/* Bits 59 and 60 make src0 and src1 AGPRs, 15 the destination and src2, unless
 * that is an index; these always are where AGPRs are a file of their own. */
static void matrix(const uint32_t *text, int sparse, struct inst *i)
{
  int apart = isa_at(i->isa)->agprs == AGPRS_APART;
  if (bits(text[1], 27, 1))
    to_agpr(&i->src[0]);
  if (bits(text[1], 28, 1))
    to_agpr(&i->src[1]);
  if (!apart && !bits(text[0], 15, 1))
    return;
  if (!sparse)
    to_agpr(&i->src[2]);
  i->dst += CODE_AGPR - CODE_VGPR;
}

void decode_vop3p(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 16, 7);
  i->dst = bits(text[0], 0, 8);
  i->abs = bits(text[0], 8, 3); /* neg_hi */
  i->opsel = bits(text[0], 11, 3);
  i->opselhi = bits(text[1], 27, 2) | bits(text[0], 14, 1) << 2;
  vop3_sources(text, i);
  const struct op *o = inst_op(i);
  if (o && o->matrix)
    matrix(text, o->matrix == OP_SPARSE, i);
  else if (isa_at(i->isa)->agprs && i->op == OP_ACCVGPR_READ)
    to_agpr(&i->src[0]);
  else if (isa_at(i->isa)->agprs && i->op == OP_ACCVGPR_WRITE)
    i->dst += CODE_AGPR - CODE_VGPR;
}
