/* decode.c - dwords into struct inst: which encoding, how long, is it legal.
 *
 * What is not an instruction of the device (an opcode that does not exist, an
 * operand code without a meaning, registers beyond the last) is decoded as
 * far as it goes and keeps exec NULL: it faults when a wave reaches it.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/decode.h"

#include <string.h>

/* GFX9's. The first row that matches; those with more fixed bits come first. */
static const struct encoding encodings[] = {
    {0xfe000000, 0x7e000000, VOP1, 1, decode_vop1},
    {0xfe000000, 0x7c000000, VOPC, 1, decode_vopc},
    {0x80000000, 0x00000000, VOP2, 1, decode_vop2},
    {0xff800000, 0xbf800000, SOPP, 1, decode_sopp},
    {0xff800000, 0xbf000000, SOPC, 1, decode_sopc},
    {0xff800000, 0xbe800000, SOP1, 1, decode_sop1},
    {0xf0000000, 0xb0000000, SOPK, 1, decode_sopk},
    {0xc0000000, 0x80000000, SOP2, 1, decode_sop2},
    {0xfc000000, 0xc0000000, SMEM, 2, decode_smem},
    {0xff800000, 0xd3800000, VOP3P, 2, decode_vop3p},
    {0xfc000000, 0xd0000000, VOP3, 2, decode_vop3},
    {0xfc000000, 0xd8000000, DS, 2, decode_ds},
    {0xfc000000, 0xdc000000, FLAT, 2, decode_flat},
    {0xfc000000, 0xe0000000, MUBUF, 2, decode_mubuf},
    {0xfc000000, 0xe8000000, MTBUF, 2, decode_mtbuf},
};

static const struct encoding *find_encoding(const struct isa *isa,
                                            uint32_t word)
{
  const struct encoding *all = encodings;
  size_t count = sizeof encodings / sizeof *encodings;
  if (isa->encoding == ENCODING_GFX12)
    all = encodings_gfx12(&count);
  for (size_t n = 0; n < count; n++)
    if ((word & all[n].mask) == all[n].value)
      return &all[n];
  return NULL;
}

static int is_setreg_imm32(const struct inst *i)
{
  const struct op *o = inst_op(i);
  return i->format == SOPK && o && !strcmp(o->name, "s_setreg_imm32_b32");
}

/* On GFX9 the code means LDS by M0, which the simulator has not. */
static int is_literal64(const struct inst *i, unsigned code)
{
  return code == CODE_LITERAL64 && isa_at(i->isa)->encoding == ENCODING_GFX12;
}

/* Dwords: 0, 1 or 2. */
static unsigned literal_words(const struct inst *i)
{
  if (i->format == SOPK)
    return (unsigned)is_setreg_imm32(i);
  if (i->format == SMEM || i->format >= DS)
    return 0;
  for (int n = 0; n < 3; n++)
    if (i->src[n] == CODE_LITERAL || is_literal64(i, i->src[n]))
      return i->src[n] == CODE_LITERAL ? 1 : 2;
  return 0;
}

static unsigned length(const struct isa *isa, struct inst *i,
                       const uint32_t *text)
{
  unsigned n = i->words, more;
  if (n > 1 && isa->encoding == ENCODING_GFX9)
    return n;
  if (i->flags & (INST_SDWA | INST_DPP))
    return n + 1;
  if (!(more = literal_words(i)))
    return n;
  i->flags |= INST_LITERAL;
  i->literal = text[n];
  i->offset = more > 1 ? text[n + 1] : 0;
  return n + more;
}

static int is_memory(const struct inst *i)
{
  return i->format >= DS;
}

/* Dwords of 32 elements of 8, 6 or 4 bits: CBSZ says it of A, BLGP of B. */
static unsigned format_width(const struct inst *i, int n)
{
  static const uint8_t widths[8] = {8, 8, 6, 6, 4, 8, 8, 8};
  return widths[n ? i->neg : i->abs];
}

/* The same where op_sel says it of A, op_sel_hi of B. */
enum {WMMA_F8F6F4 = 0x33};

static unsigned format_width12(const struct inst *i, int n)
{
  static const uint8_t widths[8] = {16, 16, 12, 12, 8, 16, 16, 16};
  return widths[n ? i->opselhi : i->opsel];
}

unsigned inst_source_width(const struct inst *i, int n)
{
  const struct op *o = inst_op(i);
  unsigned width = o->src[n] & OP_WIDTH;
  int saddr = i->flags & INST_SADDR;
  switch (i->format) {
  case FLAT:
  case GLOBAL:
    return n == 0 && saddr && width ? 1 : width;
  case SCRATCH:
    return n == 0 && !(i->flags & INST_VADDR) ? 0 : width;
  case MUBUF:
  case MTBUF:
    if (n == 0)
      return !!(i->flags & INST_OFFEN) + !!(i->flags & INST_IDXEN);
    return i->flags & INST_LDS ? 0 : width;
  case VOP3P:
    if (n < 2 && i->op == WMMA_F8F6F4 && isa_at(i->isa)->encoding == ENCODING_GFX12)
      return format_width12(i, n);
    return o->matrix == OP_SCALED && n < 2 ? format_width(i, n) : width;
  default:
    return width;
  }
}

/* Numbers, and of up to two dwords the places of memory and the flags that have a code
 * of their own. GFX12 has the base of private memory, too, in one dword or two. */
static int is_constant(const struct inst *i, unsigned code, unsigned width)
{
  int gfx12 = isa_at(i->isa)->encoding == ENCODING_GFX12;
  if (gfx12 && code >= CODE_SCRATCH_BASE && code - CODE_SCRATCH_BASE < 2)
    return code - CODE_SCRATCH_BASE + width <= 2;
  if ((code >= CODE_INLINE && code <= 208) || (code >= CODE_FLOAT && code <= 248))
    return 1;
  return (width <= 2 || !gfx12) && ((code >= CODE_SHARED_BASE && code < CODE_FLOAT) ||
                                    (code >= CODE_VCCZ && code <= CODE_SCC));
}

/* Transposing loads of three dwords may begin at an odd register. */
static int may_be_odd(const struct inst *i)
{
  enum {DS_READ_B96_TR = 0xe1, DS_LOAD_TR6 = 0xfb, GLOBAL_LOAD_TR6 = 0x74};
  if (isa_at(i->isa)->encoding == ENCODING_GFX9)
    return i->format == DS && i->op == DS_READ_B96_TR;
  return (i->format == DS && i->op == DS_LOAD_TR6) ||
         (i->format == GLOBAL && i->op == GLOBAL_LOAD_TR6);
}

static int may_begin(const struct inst *i, unsigned code, unsigned width)
{
  return width < 2 || !(code & 1) || !isa_at(i->isa)->even || may_be_odd(i);
}

/* Can so many dwords begin at a scalar register? Those that have names of their own,
 * which begin behind the last row's SGPRs, are no part of anything wider than a pair,
 * and neither they nor TTMPs, 108 and on, go over into what follows. */
static int may_begin_scalar(const struct inst *i, unsigned code, unsigned width)
{
  static const struct {
    uint8_t encoding, width, sgprs, ttmps; /* the last ones */
  } rows[] = {
      {ENCODING_GFX9, 2, 101, 123},  {ENCODING_GFX9, 4, 101, 123},
      {ENCODING_GFX9, 8, 99, 119},   {ENCODING_GFX9, 16, 91, 111},
      {ENCODING_GFX12, 2, 105, 123}, {ENCODING_GFX12, 3, 103, 119},
      {ENCODING_GFX12, 4, 103, 123}, {ENCODING_GFX12, 8, 99, 119},
      {ENCODING_GFX12, 16, 91, 111},
  };
  unsigned encoding = isa_at(i->isa)->encoding;
  if (width == 1)
    return code + width <= CODE_INLINE;
  if (width == 2 && code > 101 && !(code & 1) && code != CODE_M0)
    return 1;
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    if (rows[n].encoding == encoding && rows[n].width == width)
      return code <= rows[n].sgprs ||
             (code >= CODE_TTMP0 && code <= rows[n].ttmps);
  return 0;
}

/* Note the VGPRs code..code+width-1 in i->vgprs; 0 if there is no such
 * operand. */
static int operand(struct inst *i, unsigned code, unsigned width)
{
  if (!width)
    return 1;
  if (code >= CODE_AGPR)
    return code - CODE_AGPR + width <= 256 && may_begin(i, code, width);
  if (code >= CODE_VGPR) {
    unsigned end = code - CODE_VGPR + width;
    if (i->vgprs < end)
      i->vgprs = end;
    return end <= 256 && may_begin(i, code, width);
  }
  if (code < CODE_INLINE)
    return code != 125 && may_begin_scalar(i, code, width);
  return code == CODE_LITERAL || is_literal64(i, code)
             ? !!(i->flags & INST_LITERAL)
             : is_constant(i, code, width);
}

static int legal_scalar(struct inst *i, const struct op *o)
{
  if (!operand(i, i->dst, o->dst & OP_WIDTH))
    return 0;
  if (i->format != SMEM)
    return operand(i, i->src[0], o->src[0]) && operand(i, i->src[1], o->src[1]);
  return operand(i, i->srsrc, o->src[0]) &&
         (!(i->flags & INST_SOFFSET) || operand(i, i->src[2], 1));
}

/* Some write their source, too; the number of v_movrels_b32's is added to. */
static int needs_vgpr(const struct op *o)
{
  static const char *const names[] = {"_swap_b32", "v_movrels", "v_swaprel_b32",
                                      "v_permlane64_b32"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (strstr(o->name, names[n]))
      return 1;
  return 0;
}

/* Matrices are VGPRs or AGPRs, but for a C that is one number. */
static int legal_matrix(struct inst *i, const struct op *o)
{
  return i->src[0] >= CODE_VGPR && i->src[1] >= CODE_VGPR &&
         (i->src[2] >= CODE_VGPR || is_constant(i, i->src[2], 1)) &&
         operand(i, CODE_VGPR + i->dst, o->dst) &&
         operand(i, i->src[0], inst_source_width(i, 0)) &&
         operand(i, i->src[1], inst_source_width(i, 1)) &&
         operand(i, i->src[2], o->src[2]) &&
         (!inst_scaled(i) || (i->srsrc >= CODE_VGPR && i->sdst >= CODE_VGPR &&
                           operand(i, i->srsrc, 1) && operand(i, i->sdst, 1)));
}

/* op_sel_hi chooses halves of packed numbers elsewhere. In matrix products of waves of 32
 * lanes it is all ones, where it does not name formats, or say that B is used again. */
enum {WMMA_F32_K4 = 0x5d, WMMA_F4 = 0x88};

static int keeps_op_sel_hi(const struct inst *i)
{
  unsigned ones = i->op < WMMA_F32_K4 || i->op == WMMA_F4 ? 7 : 3;
  return i->op == WMMA_F8F6F4 || (i->opselhi & ones) == ones;
}

/* legal_matrix() for waves of 32 lanes. */
static int legal_wmma(struct inst *i)
{
  unsigned width = i->flags & INST_SCALE16 ? 2 : 1;
  return i->src[0] >= CODE_VGPR && i->src[1] >= CODE_VGPR &&
         (i->src[2] >= CODE_VGPR || is_constant(i, i->src[2], 8)) &&
         keeps_op_sel_hi(i) &&
         (i->words < 4 || (i->srsrc >= CODE_VGPR && i->sdst >= CODE_VGPR &&
                           operand(i, i->srsrc, width) && operand(i, i->sdst, width)));
}

static int legal_vector(struct inst *i, const struct op *o)
{
  if (o->matrix)
    return legal_matrix(i, o);
  if (i->format == VOP3P && strstr(o->name, "mma") && !legal_wmma(i))
    return 0;
  if (i->src[0] < CODE_VGPR && needs_vgpr(o))
    return 0;
  if (i->src[0] >= CODE_VGPR && !strncmp(o->name, "v_s_", 4))
    return 0; /* of scalars */
  int scalar = o->dst & OP_SCALAR || i->format == VOPC;
  if (scalar && i->dst > CODE_NULL)
    return 0;
  if (!operand(i, (scalar ? 0 : CODE_VGPR) + i->dst, o->dst & OP_WIDTH))
    return 0;
  unsigned mask = isa_at(i->isa)->lanes / 32;
  if ((o->dst & OP_CARRY || i->format == VOPC) && !operand(i, i->sdst, mask))
    return 0;
  for (int n = 0; n < 3; n++)
    if (!operand(i, i->src[n], inst_source_width(i, n)))
      return 0;
  return 1;
}

/* Is a bit missing that a GFX9 opcode always has? What stores from LDS says so, and
 * what is for the global data share. */
static int lacks_bit(const struct inst *i)
{
  static const struct {
    uint8_t format, first, last; /* opcodes */
    unsigned flag;
  } rows[] = {
      {MUBUF, 0x3d, 0x3d, INST_LDS}, /* buffer_store_lds_dword */
      {DS, 0x98, 0x9d, INST_GDS},    /* ds_gws_* */
      {DS, 0xbf, 0xbf, INST_GDS},    /* ds_ordered_count */
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    if (i->format == rows[n].format && i->op >= rows[n].first &&
        i->op <= rows[n].last && !(i->flags & rows[n].flag))
      return isa_at(i->isa)->encoding == ENCODING_GFX9;
  return 0;
}

/* What is done to caches and to the tensor mover as a whole has no address. */
static int is_for_all(const struct op *o)
{
  static const char *const names[] = {"global_inv", "global_wb", "tensor_stop"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (!strncmp(o->name, names[n], strlen(names[n])))
      return 1;
  return 0;
}

static int legal_memory(struct inst *i, const struct op *o)
{
  if (lacks_bit(i))
    return 0;
  unsigned width = i->flags & INST_LDS ? 0 : o->dst; /* else it is LDS */
  if (!operand(i, CODE_VGPR + i->dst, width))
    return 0;
  int sources = i->format == DS ? 3 : 2;
  for (int n = 0; n < sources; n++)
    if (!operand(i, i->src[n], inst_source_width(i, n)))
      return 0;
  if (i->format >= MUBUF)
    return !(i->flags & INST_TFE) && operand(i, i->srsrc, 4) &&
           operand(i, i->src[2], 1);
  return !(i->flags & INST_SADDR) ||
         (!is_for_all(o) && operand(i, i->src[2], i->format == SCRATCH ? 1 : 2));
}

/* dpp_ctrl values that GFX9 has, as first and last. */
static const struct {
  uint16_t first, last;
} dpp_controls[] = {
    {0x000, 0x0ff},                                 /* quad_perm */
    {0x101, 0x10f}, {0x111, 0x11f}, {0x121, 0x12f}, /* row_shl, shr, ror */
    {0x130, 0x130}, {0x134, 0x134},                 /* wave_shl, wave_rol */
    {0x138, 0x138}, {0x13c, 0x13c},                 /* wave_shr, wave_ror */
    {0x140, 0x143},                                 /* mirrors, broadcasts */
};
enum {ROW_SHARE = 0x150, /* .. 0x15f: row_newbcast */
      ROW_XMASK = 0x160}; /* .. 0x16f */

/* GFX12 moves nothing from row to row. */
static int legal_dpp12(const struct inst *i)
{
  unsigned kind = i->dpp >> 4;
  return i->flags & INST_DPP8 || kind < 0x10 || (kind < 0x13 && i->dpp & 15) ||
         i->dpp == 0x140 || i->dpp == 0x141 || kind == ROW_SHARE >> 4 ||
         kind == ROW_XMASK >> 4;
}

static int legal_modifiers(const struct inst *i)
{
  if (i->flags & INST_SDWA)
    return i->dsel <= SEL_DWORD && i->ssel[0] <= SEL_DWORD &&
           i->ssel[1] <= SEL_DWORD && i->dunused <= 2;
  if (!(i->flags & INST_DPP))
    return 1;
  if (isa_at(i->isa)->encoding == ENCODING_GFX12)
    return legal_dpp12(i);
  for (size_t n = 0; n < sizeof dpp_controls / sizeof *dpp_controls; n++)
    if (i->dpp >= dpp_controls[n].first && i->dpp <= dpp_controls[n].last)
      return 1;
  return isa_at(i->isa)->row_share && i->dpp >> 4 == ROW_SHARE >> 4;
}

/* All in SGPRs, or all in TTMPs. */
static int one_file(unsigned code, unsigned width)
{
  return code + width <= CODE_VCC ||
         (code >= CODE_TTMP0 && code + width <= CODE_M0);
}

/* The later groups of a descriptor may be missing. */
static int legal_tensor(const struct inst *i, const struct op *o)
{
  return one_file(i->src[0], o->src[0]) && one_file(i->src[1], o->src[1]) &&
         (i->src[2] == CODE_NULL || one_file(i->src[2], o->src[2])) &&
         (i->srsrc == CODE_NULL || one_file(i->srsrc, o->src[2]));
}

static int legal(struct inst *i)
{
  const struct op *o = inst_op(i);
  if (!o || !legal_modifiers(i))
    return 0;
  if (i->format == TENSOR)
    return legal_tensor(i, o);
  if (i->format <= SMEM)
    return legal_scalar(i, o);
  return is_memory(i) ? legal_memory(i, o) : legal_vector(i, o);
}

/* v_mfma_ld_scale_b32 and a product with ABID 1 are one instruction of four dwords:
 * where the scales are, and which byte of each. */
enum {LD_SCALE = 0xd3ac, WITH_SCALES = 1 << 11, BESIDE_SCALES = 0x7000};

static int is_scaled(const struct isa *isa, const uint32_t *text, size_t left)
{
  if (isa->encoding != ENCODING_GFX9 || left < 4 || text[0] >> 16 != LD_SCALE || !(text[2] & WITH_SCALES))
    return 0;
  const struct op *o = op_find(isa, VOP3P, text[2] >> 16 & 0x7f);
  return text[2] >> 23 == LD_SCALE >> 7 && o && o->matrix == OP_SCALED;
}

static void take_scales(const uint32_t *text, struct inst *i)
{
  i->words = 4;
  i->srsrc = text[1] & 0x1ff;
  i->sdst = text[1] >> 9 & 0x1ff;
  i->dfmt = (uint8_t)((text[0] >> 11 & 1) | (text[1] >> 27 & 1) << 1);
  i->nfmt = (uint8_t)((text[0] >> 12 & 1) | (text[1] >> 28 & 1) << 1);
}

static void start(const struct isa *isa, const struct encoding *e,
                  struct inst *i)
{
  memset(i, 0, sizeof *i);
  i->isa = isa->index;
  i->format = e ? e->format : FORMAT_N;
  i->words = e ? e->words : 1;
  i->unit = UNIT_OTHER;
}

/* Of a dual instruction either half may have the literal. */
static void length_of_two(const struct isa *isa, struct inst *i,
                          struct inst *other, const uint32_t *text)
{
  unsigned a = length(isa, i, text), b = length(isa, other, text);
  i->words = other->words = (uint8_t)(a > b ? a : b);
}

/* Does the opcode have a constant of 32 bits besides its operands? */
static int has_constant(const struct inst *i)
{
  int may = i->format == SOP2 || i->format == VOP2 || i->format == VOPD;
  return may && (i->src[2] == CODE_LITERAL ||
                 (i->src[1] == CODE_LITERAL && i->format != SOP2));
}

static int has_literal64(const struct inst *i)
{
  return i->src[0] == CODE_LITERAL64 || i->src[1] == CODE_LITERAL64;
}

/* A literal of 64 bits does not fit in behind such a constant, of the same half or of
 * the other one. */
static int fits_literal(const struct inst *i, const struct inst *other)
{
  return !(has_literal64(i) || has_literal64(other)) ||
         !(has_constant(i) || has_constant(other));
}

static void decode_rest(const struct isa *isa, const struct encoding *e,
                        const uint32_t *text, struct inst *i)
{
  if (i->format != VOPD) {
    i->words = (uint8_t)length(isa, i, text);
    i->legal = legal(i) && fits_literal(i, i) && decode_zeros(i, text);
    return;
  }
  struct inst other;
  start(isa, e, &other);
  decode_half(e, text, &other);
  length_of_two(isa, i, &other, text);
  i->legal = legal(i) && legal(&other) && fits_literal(i, &other) &&
             decode_legal_half(e, 0, text, i) && decode_legal_half(e, 1, text, &other);
}

enum {WORDS = 5}; /* of the longest */

static void copy_words(const uint32_t *text, size_t left, uint32_t *to)
{
  memset(to, 0, WORDS * sizeof *to);
  memcpy(to, text, (left < WORDS ? left : WORDS) * sizeof *to);
}

int decode_second(const struct isa *isa, const uint32_t *text, size_t left,
                  struct inst *i)
{
  uint32_t words[WORDS];
  struct inst first;
  const struct encoding *e = left ? find_encoding(isa, *text) : NULL;
  int n = e && e->format == VOPD ? decode(isa, text, left, &first) : 0;
  if (!n)
    return 0;
  copy_words(text, left, words);
  start(isa, e, i);
  decode_half(e, words, i);
  length_of_two(isa, i, &first, words);
  i->legal = (uint8_t)legal(i);
  i->unit = first.unit;
  i->op_class = first.op_class;
  return n;
}

int decode(const struct isa *isa, const uint32_t *text, size_t left,
           struct inst *i)
{
  const struct encoding *e = left ? find_encoding(isa, *text) : NULL;
  uint32_t words[WORDS];
  start(isa, e, i);
  if (!e)
    return left > 0;
  copy_words(text, left, words);
  if (isa->encoding == ENCODING_GFX12 && decode_scaled_gfx12(words, left, i)) {
    i->legal = legal(i) && decode_legal_scales(words) && decode_zeros(i, words + 2);
  } else if (is_scaled(isa, words, left)) {
    e->fields(words + 2, i);
    take_scales(words, i);
    i->legal = legal(i) && !(words[2] & BESIDE_SCALES);
  } else {
    e->fields(words, i);
    decode_rest(isa, e, words, i);
  }
  if (i->words > left)
    return i->legal = 0;
  if (i->legal) {
    i->unit = (uint8_t)inst_unit(i);
    i->op_class = (uint8_t)inst_class(i);
  }
  return i->words;
}
