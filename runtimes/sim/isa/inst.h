/* inst.h - one predecoded instruction.
 *
 * decode() fills a struct inst from one to four dwords, but for the function
 * that executes it (run/exec.h); execution and timing read only this. Operand
 * codes are the encoding's own 9-bit source codes (ISA "Vega" 7 nm, table of
 * SSRC/VSRC operands):
 *
 *   0..101 SGPR   102,103 FLAT_SCRATCH  104,105 XNACK_MASK  106,107 VCC
 *   108..123 TTMP 124 M0  126,127 EXEC  128..208 integers 0..64, -1..-16
 *   235..239 apertures  240..248 floats  249 SDWA  250 DPP  251 VCCZ
 *   252 EXECZ  253 SCC  255 literal  256..511 VGPR 0..255
 *
 * and 512..767 AGPR 0..255, where bits of the encoding turn a VGPR into one.
 * GFX12's are told by the same numbers: its M0 is 124, its null is 128 (a
 * constant 0 as a source; as a destination a place that nobody reads), 102..105
 * are SGPRs, 230 and 231 where private memory is, 254 a literal of 64 bits.
 *
 * SDWA and DPP are resolved by the decoder: src[0] then holds the real
 * operand and the sdwa/dpp fields say how it is read. So are implied operands:
 * the carry or mask read by VOP2 (v_addc_co, v_cndmask) is src[2] (VCC), the
 * constant of v_madmk is src[1] and of v_madak src[2] (both 255), so that
 * either is dst = src0 * src1 + src2.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_inst_h
#define sim_inst_h

#include <stddef.h>
#include <stdint.h>

#include "runtimes/sim/isa/isa.h"

enum {LANES = 64};

/* Scalar operand codes with a meaning. */
enum {
  CODE_FLAT_SCRATCH = 102,
  CODE_XNACK_MASK = 104,
  CODE_VCC = 106,
  CODE_TTMP0 = 108,
  CODE_M0 = 124,
  CODE_EXEC = 126,
  CODE_INLINE = 128,
  CODE_NULL = 128,
  CODE_SCRATCH_BASE = 230,
  CODE_SHARED_BASE = 235,
  CODE_SHARED_LIMIT,
  CODE_PRIVATE_BASE,
  CODE_PRIVATE_LIMIT,
  CODE_POPS_ID,
  CODE_FLOAT = 240,
  CODE_VCCZ = 251,
  CODE_EXECZ = 252,
  CODE_SCC = 253,
  CODE_LITERAL64 = 254, /* the upper half of it is in inst.offset */
  CODE_LITERAL = 255,
  CODE_VGPR = 256,
  CODE_AGPR = 512, /* of the decoder: no encoding has so many bits */
};

struct wave; /* run/wave.h */
struct inst;
typedef void exec_fn(struct wave *w, const struct inst *i);

enum format { /* ORDER FORMAT */
  SOP2, SOPK, SOP1, SOPC, SOPP, SMEM, VOP1, VOP2, VOPC, VOP3, VOP3P, VOPD, TENSOR,
  DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF, FORMAT_N
};

enum unit { /* which issue port it takes; ORDER UNIT */
  UNIT_VALU, UNIT_SALU, UNIT_SMEM, UNIT_LDS, UNIT_VMEM, UNIT_BRANCH,
  UNIT_OTHER, /* s_waitcnt, s_barrier, s_nop, s_endpgm, messages */
  UNIT_N
};

/* What the hardware's counters tell apart (hip_sim.c makes them of these).
 * RD also has what moves no data, WR also the atomics. ORDER CLASS */
enum op_class {
  CLASS_VALU, CLASS_SALU, CLASS_SMEM, CLASS_LDS,
  CLASS_BUFFER_RD, CLASS_BUFFER_WR, /* MUBUF, MTBUF */
  CLASS_GLOBAL_RD, CLASS_GLOBAL_WR, /* GLOBAL, SCRATCH */
  CLASS_FLAT_RD, CLASS_FLAT_WR,
  CLASS_OTHER, /* branches, waiting, messages */
  CLASS_N
};

enum sel { SEL_BYTE0, SEL_BYTE1, SEL_BYTE2, SEL_BYTE3, SEL_WORD0, SEL_WORD1,
           SEL_DWORD };

enum inst_flag {
  INST_CLAMP = 1 << 0,
  INST_GLC = 1 << 1,
  INST_SLC = 1 << 2,
  INST_LDS = 1 << 3,   /* memory to LDS, or the lds bit */
  INST_OFFEN = 1 << 4, /* MUBUF/MTBUF */
  INST_IDXEN = 1 << 5,
  INST_GDS = 1 << 6,
  INST_SDWA = 1 << 7,
  INST_DPP = 1 << 8,
  INST_LITERAL = 1 << 9,
  INST_SADDR = 1 << 10, /* GLOBAL/SCRATCH: src[2] is an SGPR base */
  INST_BOUND_CTRL = 1 << 11, /* DPP bound_ctrl:0 (bit set): zero from outside */
  INST_IMM = 1 << 12,   /* SMEM: imm is a byte offset */
  INST_SOFFSET = 1 << 13, /* SMEM: src[2] is an SGPR with a byte offset */
  INST_TFE = 1 << 14,   /* MUBUF/MTBUF: one more dword of status returned */
  INST_VADDR = 1 << 15, /* SCRATCH: src[0] is an address */
  INST_DPP8 = 1 << 16,  /* DPP: imm has the source of each of 8 lanes, 3 bits */
  INST_INACTIVE = 1 << 17, /* DPP: what lanes hold that are off is read, too */
  INST_SCALED = 1 << 18, /* the register offset counts what is accessed */
  INST_SCALE16 = 1 << 19, /* of 16 elements there is a scale, not of 32 */
  INST_ADDRESS = 1 << 20, /* memory: of a slice (timing/slice.h). Plain loads and stores
                             make and check addresses, and move nothing */
};

struct inst {
  exec_fn *exec;     /* bound by run/exec.h; NULL: not an instruction, or not
                        implemented */
  uint8_t format;    /* enum format */
  uint8_t unit;      /* enum unit */
  uint8_t words;     /* dwords, 1 to 5 */
  uint8_t legal;     /* 1: an instruction, all of whose operands exist */
  uint8_t op_class;  /* enum op_class */
  uint8_t isa;       /* of isa_at() */
  uint16_t op;       /* opcode within the format (VOP3: its own 10 bits) */
  uint32_t flags;    /* enum inst_flag */
  uint16_t dst;      /* vdst / sdst: VGPR number for vector results (0..255,
                        no 256 bias; from 256 on AGPRs), SGPR code for scalar results */
  uint16_t sdst;     /* VOP3B carry/condition result, VOPC result (VCC where
                        implied), SDWA VOPC sdst: SGPR code; operand code of
                        B's scales (inst_scaled()) */
  uint16_t src[3];   /* operand codes; memory: src[0] vaddr VGPR (256+n),
                        src[1] vdata/data0, src[2] data1 (DS), saddr SGPR code
                        (GLOBAL), or soffset (MUBUF) */
  uint16_t srsrc;    /* MUBUF/MTBUF resource, SMEM sbase: first SGPR;
                        operand code of A's scales; TENSOR: src[0..2] and this
                        are where the descriptor's four groups are */
  uint8_t neg, abs;  /* bit n: source n. VOP3P: neg is neg_lo, abs neg_hi */
  uint8_t omod;      /* 0, 1: *2, 2: *4, 3: /2 */
  uint8_t opsel;     /* VOP3 op_sel (bit 3: destination), VOP3P op_sel */
  uint8_t opselhi;   /* VOP3P op_sel_hi */
  uint8_t dsel, dunused, ssel[2], sext; /* SDWA; sext bit n: source n */
  uint16_t dpp;      /* dpp_ctrl, 9 bits */
  uint8_t rowmask, bankmask;
  uint8_t dfmt, nfmt; /* MTBUF; byte of A's scales, of B's; of GFX12's the half of
                         the lanes that has them, and twice their format */
  int32_t imm;       /* SIMM16 sign-extended; memory: byte offset */
  uint32_t literal;  /* the literal dword (INST_LITERAL) */
  uint32_t offset;   /* DS: offset0 | offset1 << 8 as encoded (imm: 16 bit) */
  uint16_t vgprs;    /* one past the highest VGPR that it names */
  uint16_t as;       /* what executes it: the opcode that it has on GFX9, its own
                        where that has none (exec_bind()) */
};

/* Decode at most `left` dwords for an architecture; always fills *i (legal 0 where unknown) and
 * returns the words consumed, 0 where the stream ends inside it. */
int decode(const struct isa *isa, const uint32_t *text, size_t left,
           struct inst *i);

/* A dual instruction (VOPD) decodes as its first half. This is the second, whose
 * sources are read before either writes; 0: there is none. */
int decode_second(const struct isa *isa, const uint32_t *text, size_t left,
                  struct inst *i);

/* The mnemonic without operands or suffix ("v_add_f32"), "?" if unknown. */
const char *inst_name(const struct inst *i);

/* Is a memory instruction a store or an atomic? */
int inst_writes(const struct inst *i);

/* The opcode's row of an ops*.def; NULL where the architecture has no such
 * opcode. op_table() is the isa.index of the one that brought it, or -1. */
struct op {
  const char *name;
  uint8_t dst;    /* dwords, | OP_SCALAR, OP_CARRY */
  uint8_t src[3]; /* dwords; OP_MASK: an SGPR pair with a bit a lane */
  uint8_t matrix; /* of the matrix cores, with bits for AGPRs: of a sparse
                     product's src2, which is its index, there is none; of a
                     scaled one modifiers say the formats of A and B */
  uint8_t way;    /* enum op_way */
  uint16_t like;  /* inst.as */
};
enum op_way {WAY_LIKE, WAY_OWN, WAY_NONE}; /* as GFX9's opcode `like`; by a
                                              function of its own; by none */
enum {OP_DENSE = 1, OP_SPARSE, OP_SCALED};
enum {OP_WIDTH = 0x3f, OP_SCALAR = 0x40, OP_CARRY = 0x80, OP_MASK = 0x42,
      OP_MASK32 = 0x41};
const struct op *op_find(const struct isa *isa, unsigned format, unsigned op);
int op_table(const struct isa *isa, unsigned format, unsigned op);
const struct op *inst_op(const struct inst *i);
/* Dwords of VGPRs (or SGPRs) that source n of a legal one names. */
unsigned inst_source_width(const struct inst *i, int n);
/* The same of VGPRs that a legal memory instruction writes; 0: none. */
unsigned inst_result_width(const struct inst *i);
/* Has a product of the matrix cores operands with scales? */
static inline int inst_scaled(const struct inst *i)
{
  return i->format == VOP3P && i->words == 4;
}
/* Has a DS instruction two addresses, by offsets of 8 bits each? */
int inst_two_offsets(const struct inst *i);

/* SOPP opcodes that others than the decoder ask for. */
enum {S_NOP = 0, S_ENDPGM = 1, S_BRANCH = 2, S_CBRANCH_FIRST = 4,
      S_CBRANCH_LAST = 9, S_WAITCNT = 12, S_SLEEP = 14};

/* What s_waitcnt waits for: how much may still be under way. vmcnt is in bits 3:0
 * and 15:14, expcnt in 6:4, lgkmcnt in 11:8. */
struct waitcnt {
  unsigned vm, exp, lgkm;
};
static inline struct waitcnt inst_waitcnt(const struct inst *i)
{
  unsigned imm = (unsigned)i->imm;
  return (struct waitcnt){(imm & 15) | (imm >> 14 & 3) << 4, imm >> 4 & 7,
                          imm >> 8 & 15};
}

/* The unit that executes i, and the counter that it goes to. */
enum unit inst_unit(const struct inst *i);
enum op_class inst_class(const struct inst *i);

#endif
