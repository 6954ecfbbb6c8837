/* decode_gfx12.c - the encodings of GFX12, as clang writes them for gfx1250.
 *
 * Scalar encodings have GFX9's fields, and so have VOP3's; operand codes differ
 * (inst.h). Addresses of memory are in three dwords. Literals, also of 64 bits,
 * and DPP may follow any vector instruction, and dual ones (VOPD) hold two.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"

#include <string.h>

enum { /* operand codes that mean something else on GFX9 */
  GFX12_NULL = 124,
  GFX12_M0 = 125,
  GFX12_DPP8 = 233,
  GFX12_DPP8_INACTIVE = 234,
  GFX12_DPP16 = 250,
};

static uint16_t own_code(unsigned code)
{
  return code == GFX12_NULL ? CODE_NULL : code == GFX12_M0 ? CODE_M0 : code;
}

static void own_codes(struct inst *i, int sources)
{
  for (int n = 0; n < sources; n++)
    i->src[n] = own_code(i->src[n]);
}

static unsigned flag_if(uint32_t word, unsigned bit, unsigned flag)
{
  return bits(word, bit, 1) ? flag : 0;
}

/* --- scalar --------------------------------------------------------------- */

enum {S_FMAAK = 0x45, S_FMAMK = 0x46}; /* have a literal besides */

static void sop2(const uint32_t *text, struct inst *i)
{
  decode_sop2(text, i);
  own_codes(i, 2);
  i->dst = own_code(i->dst);
  if (i->op == S_FMAAK || i->op == S_FMAMK)
    i->src[2] = CODE_LITERAL;
}

static void sopk(const uint32_t *text, struct inst *i)
{
  decode_sopk(text, i);
  i->dst = own_code(i->dst);
}

static void sop1(const uint32_t *text, struct inst *i)
{
  decode_sop1(text, i);
  own_codes(i, 1);
  i->dst = own_code(i->dst);
}

static void sopc(const uint32_t *text, struct inst *i)
{
  decode_sopc(text, i);
  own_codes(i, 2);
}

static int32_t offset24(uint32_t word, unsigned first)
{
  return (int32_t)(word >> first << 8) >> 8;
}

static void smem(const uint32_t *text, struct inst *i)
{
  unsigned soffset = bits(text[1], 25, 7);
  i->op = bits(text[0], 13, 6);
  i->dst = own_code(bits(text[0], 6, 7));
  i->srsrc = bits(text[0], 0, 6) << 1;
  i->flags |= INST_IMM | flag_if(text[1], 24, INST_SCALED);
  i->imm = offset24(text[1], 0);
  if (soffset != GFX12_NULL) {
    i->flags |= INST_SOFFSET;
    i->src[2] = own_code(soffset);
  }
}

/* --- vector --------------------------------------------------------------- */

static void dpp8(uint32_t word, struct inst *i)
{
  i->flags |= INST_DPP | INST_DPP8 | INST_BOUND_CTRL;
  i->imm = (int32_t)(word >> 8);
  i->rowmask = i->bankmask = 15;
}

/* DPP takes the place of src0, which is in the dword behind the instruction. */
static void dpp(uint32_t word, struct inst *i)
{
  unsigned code = i->src[0];
  if (code != GFX12_DPP16 && code != GFX12_DPP8 && code != GFX12_DPP8_INACTIVE)
    return;
  uint8_t neg = i->neg, abs = i->abs;
  if (code == GFX12_DPP16) {
    decode_dpp(word, i);
    i->flags |= flag_if(word, 18, INST_INACTIVE);
  } else {
    dpp8(word, i);
    i->flags |= code == GFX12_DPP8_INACTIVE ? INST_INACTIVE : 0;
  }
  i->src[0] = CODE_VGPR + bits(word, 0, 8);
  i->neg |= neg;
  i->abs |= abs;
}

static void vop1(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 9, 8);
  i->dst = bits(*text, 17, 8);
  i->src[0] = bits(*text, 0, 9);
  const struct op *o = inst_op(i);
  if (o && o->dst & OP_SCALAR)
    i->dst = own_code(i->dst);
  own_codes(i, 1);
  dpp(text[1], i);
}

static const uint8_t vop2_implied[64] = {
    [0x01] = CARRY_IN,             /* v_cndmask_b32 */
    [0x20] = CARRY_OUT | CARRY_IN, /* v_add_co_ci_u32 */
    [0x21] = CARRY_OUT | CARRY_IN, /* v_sub_co_ci_u32 */
    [0x22] = CARRY_OUT | CARRY_IN, /* v_subrev_co_ci_u32 */
    [0x23] = K_SRC1 | K_64,        /* v_fmamk_f64 */
    [0x24] = K_SRC2 | K_64,        /* v_fmaak_f64 */
    [0x2c] = K_SRC1,               /* v_fmamk_f32 */
    [0x2d] = K_SRC2,               /* v_fmaak_f32 */
    [0x37] = K_SRC1,               /* v_fmamk_f16 */
    [0x38] = K_SRC2,               /* v_fmaak_f16 */
};

static void vop2(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 25, 6);
  i->dst = bits(*text, 17, 8);
  i->src[0] = own_code(bits(*text, 0, 9));
  i->src[1] = CODE_VGPR + bits(*text, 9, 8);
  decode_implied(i, vop2_implied[i->op]);
  dpp(text[1], i);
}

enum {CMPX = 0x80}; /* bit of the compares' opcodes: EXEC is what they write */

static void vopc(const uint32_t *text, struct inst *i)
{
  i->op = bits(*text, 17, 8);
  i->src[0] = own_code(bits(*text, 0, 9));
  i->src[1] = CODE_VGPR + bits(*text, 9, 8);
  i->dst = i->sdst = i->op & CMPX ? CODE_EXEC : CODE_VCC;
  dpp(text[1], i);
}

static int is_compare(const struct inst *i)
{
  return i->op < 0x100;
}

static void vop3(const uint32_t *text, struct inst *i)
{
  decode_vop3(text, i);
  own_codes(i, 3);
  i->sdst = own_code(i->sdst);
  if (is_compare(i))
    i->dst = i->sdst = i->op & CMPX ? CODE_EXEC : own_code(i->dst);
  dpp(text[2], i);
}

static void vop3p(const uint32_t *text, struct inst *i)
{
  decode_vop3p(text, i);
  i->op = bits(text[0], 16, 8);
  own_codes(i, 3);
  dpp(text[2], i);
}

/* A product and, in two dwords before it, where the scales of A and B are: of 32 k
 * each, or of 16 in a pair of registers. */
enum {LD_SCALE_12 = 0xcc35, LD_SCALE16_12 = 0xcc3a, F8F6F4 = 0xcc33, F4 = 0xcc88};

int decode_scaled_gfx12(const uint32_t *text, size_t left, struct inst *i)
{
  unsigned first = left < 4 ? 0 : text[0] >> 16, second = left < 4 ? 0 : text[2] >> 16;
  if ((first != LD_SCALE_12 && first != LD_SCALE16_12) ||
      (second != F8F6F4 && second != F4))
    return 0;
  vop3p(text + 2, i);
  i->words = 4;
  i->srsrc = text[1] & 0x1ff;
  i->sdst = text[1] >> 9 & 0x1ff;
  i->dfmt = (uint8_t)(bits(text[0], 11, 1) | bits(text[1], 29, 2) << 1);
  i->nfmt = (uint8_t)(bits(text[1], 27, 1) | bits(text[0], 8, 2) << 1);
  i->flags |= flag_if(text[0], 17, INST_SCALE16);
  return 1;
}

/* A third source that nothing reads is v0. */
int decode_legal_scales(const uint32_t *text)
{
  return !(text[0] & 0x9400) && (text[1] & 0x97fc0000) == 0x04000000;
}

/* --- dual ----------------------------------------------------------------- */

/* Of a half: opcode, destination, sources. Bit 0 of the second destination is
 * not the first's. */
static void dual_half(const uint32_t *text, int second, struct inst *i)
{
  unsigned x = bits(text[1], 24, 8), y = bits(text[1], 17, 7) << 1 | !(x & 1);
  const uint32_t word = text[second];
  i->op = second ? bits(text[0], 17, 5) : bits(text[0], 22, 4);
  i->dst = second ? y : x;
  i->src[0] = own_code(bits(word, 0, 9));
  i->src[1] = CODE_VGPR + bits(word, 9, 8);
}

static unsigned dual_implied(unsigned op)
{
  enum {FMAAK = 1, FMAMK = 2, CNDMASK = 9};
  return op == FMAAK ? K_SRC2 : op == FMAMK ? K_SRC1 : op == CNDMASK ? CARRY_IN : 0;
}

static void dual(const uint32_t *text, int second, struct inst *i)
{
  dual_half(text, second, i);
  decode_implied(i, dual_implied(i->op));
}

enum {BITOP2 = 0x12};

/* In three dwords a half has a third source, an SGPR where that is a mask, and
 * signs; v_dual_bitop2_b32 has a table there. */
static void dual3(const uint32_t *text, int second, struct inst *i)
{
  const uint32_t last = text[2];
  unsigned third = second ? bits(last, 16, 8) : bits(text[1], 24, 8);
  i->op = second ? bits(text[0], 12, 6) : bits(text[0], 18, 6);
  i->dst = second ? bits(last, 24, 8) : bits(last, 0, 8);
  i->src[0] = own_code(second ? bits(text[1], 0, 9) : bits(text[0], 0, 9));
  i->src[1] = CODE_VGPR + (second ? bits(last, 8, 8) : bits(text[1], 16, 8));
  const struct op *o = inst_op(i);
  i->src[2] = o && o->src[2] == OP_MASK32 ? own_code(third) : CODE_VGPR + third;
  i->neg = bits(text[1], second ? 12 : 9, 3);
  if (i->op == BITOP2) { /* the truth table, where v_bitop3_b32 has it */
    i->neg = third & 7;
    i->abs = third >> 3 & 7;
    i->omod = third >> 6;
  }
}

static void vopd(const uint32_t *text, struct inst *i)
{
  dual(text, 0, i);
}

static void vopd3(const uint32_t *text, struct inst *i)
{
  dual3(text, 0, i);
}

void decode_half(const struct encoding *e, const uint32_t *text, struct inst *i)
{
  if (e->words == 2)
    dual(text, 1, i);
  else
    dual3(text, 1, i);
}

/* Opcodes of either half, a bit each, in two dwords and in three. */
static const uint64_t dual_opcodes[2][2] = {
    {0x3fff, 0x1f33fff},
    {0x1f007b3ff9, 0x1ff3ff9},
};
/* How many sources of an opcode may have a sign: those of integers, masks and bits have
 * none, and neither has v_dual_mov_b32's. */
static int dual_signs(unsigned op, int sources)
{
  enum {MOV = 8, CNDMASK = 9, INTEGERS = 0x1f70000};
  if (op == MOV || (op < 32 && INTEGERS >> op & 1))
    return 0;
  return op == CNDMASK ? 2 : sources;
}

int decode_legal_half(const struct encoding *e, int second, const uint32_t *text,
                      const struct inst *i)
{
  const struct op *o = inst_op(i);
  int sources = o->src[2] ? 3 : o->src[1] ? 2 : 1;
  if (i->op >= 64 || !(dual_opcodes[e->words - 2][second] >> i->op & 1))
    return 0;
  if (sources < 2 && i->src[1] != CODE_VGPR)
    return 0;
  if (e->words == 2)
    return 1;
  return (sources > 2 || i->op == BITOP2 || i->src[2] == CODE_VGPR) &&
         !(bits(text[1], second ? 12 : 9, 3) >> dual_signs(i->op, sources));
}

/* --- memory --------------------------------------------------------------- */

static void ds(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 18, 8);
  i->offset = i->imm = bits(text[0], 0, 16);
  i->src[0] = CODE_VGPR + bits(text[1], 0, 8);
  i->src[1] = CODE_VGPR + bits(text[1], 8, 8);
  i->src[2] = CODE_VGPR + bits(text[1], 16, 8);
  i->dst = bits(text[1], 24, 8);
}

enum {TH_RETURN = 1, /* temporal hint: of an atomic whether it returns */
      SCOPE_DEVICE = 2}; /* and beyond: of a load that it is atomic or volatile */

static int is_special(const uint32_t *text, const struct inst *i)
{
  const struct op *o = inst_op(i);
  return o && strstr(o->name, "_atomic_") ? bits(text[1], 20, 3) & TH_RETURN
                                          : bits(text[1], 18, 2) >= SCOPE_DEVICE;
}

static void offsets(const uint32_t *text, struct inst *i)
{
  i->op = bits(text[0], 14, 8);
  i->src[0] = CODE_VGPR + bits(text[2], 0, 8);
  i->imm = offset24(text[2], 8);
  i->flags |= is_special(text, i) ? INST_GLC : 0;
}

static void segment(const uint32_t *text, struct inst *i)
{
  unsigned saddr = bits(text[0], 0, 7);
  offsets(text, i);
  i->dst = bits(text[1], 0, 8);
  i->src[1] = CODE_VGPR + bits(text[1], 23, 8);
  i->flags |= flag_if(text[1], 16, INST_SCALED);
  if (saddr != GFX12_NULL) {
    i->flags |= INST_SADDR;
    i->src[2] = own_code(saddr);
  }
  if (i->format == SCRATCH)
    i->flags |= flag_if(text[1], 17, INST_VADDR);
}

static void buffer(const uint32_t *text, struct inst *i)
{
  offsets(text, i);
  i->flags |= flag_if(text[0], 22, INST_TFE) | flag_if(text[1], 30, INST_OFFEN) |
              flag_if(text[1], 31, INST_IDXEN);
  i->dst = bits(text[1], 0, 8);
  i->src[1] = CODE_VGPR + i->dst;
  i->src[2] = own_code(bits(text[0], 0, 7));
  i->srsrc = bits(text[1], 9, 9);
}

enum {NO_TENSOR = 2}; /* an opcode that there is not */

/* The tensor mover's words are those of an image instruction, most of whose fields
 * must be as they are. A descriptor's groups begin at every fourth SGPR. */
static void tensor(const uint32_t *text, struct inst *i)
{
  const uint32_t last = text[2];
  uint16_t *const groups[] = {&i->src[0], &i->src[1], &i->src[2], &i->srsrc};
  i->op = (text[1] & 0xff83feff) == (uint32_t)GFX12_NULL << 24 ? bits(text[0], 14, 1)
                                                      : NO_TENSOR;
  for (unsigned n = 0; n < 4; n++) {
    unsigned code = bits(last, 8 * n, 8);
    *groups[n] = n > 1 && code == GFX12_NULL ? CODE_NULL : code & ~3u;
  }
}

/* --- which of them -------------------------------------------------------- */

static const struct encoding encodings[] = {
    {0xfe000000, 0x7e000000, VOP1, 1, vop1},
    {0xfe000000, 0x7c000000, VOPC, 1, vopc},
    {0x80000000, 0x00000000, VOP2, 1, vop2},
    {0xff800000, 0xbf800000, SOPP, 1, decode_sopp},
    {0xff800000, 0xbf000000, SOPC, 1, sopc},
    {0xff800000, 0xbe800000, SOP1, 1, sop1},
    {0xf0000000, 0xb0000000, SOPK, 1, sopk},
    {0xc0000000, 0x80000000, SOP2, 1, sop2},
    {0xfc000000, 0xf4000000, SMEM, 2, smem},
    {0xff000000, 0xcc000000, VOP3P, 2, vop3p},
    {0xfc000000, 0xd4000000, VOP3, 2, vop3},
    {0xff000000, 0xcf000000, VOPD, 3, vopd3},
    {0xfc000000, 0xc8000000, VOPD, 2, vopd},
    {0xffff8077, 0xd0710001, TENSOR, 3, tensor},
    {0xfc000000, 0xd8000000, DS, 2, ds},
    {0xff000000, 0xec000000, FLAT, 3, segment},
    {0xff000000, 0xed000000, SCRATCH, 3, segment},
    {0xff000000, 0xee000000, GLOBAL, 3, segment},
    {0xfc000000, 0xc4000000, MUBUF, 3, buffer},
};

const struct encoding *encodings_gfx12(size_t *n)
{
  *n = sizeof encodings / sizeof *encodings;
  return encodings;
}
