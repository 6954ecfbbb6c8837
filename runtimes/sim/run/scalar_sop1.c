/* scalar_sop1.c - scalar instructions with one source. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/scalar.h"

#include "runtimes/sim/run/dispatch.h"

/* S1(name, result type, source type, result): SCC stays.
 * S1C: SCC becomes "the result is not zero". */
#define S1_BODY(name, bd, bs, result, scc_) \
  static void s_##name(struct wave *w, const struct inst *i) \
  { \
    uint##bs##_t a = read##bs(w, i, i->src[0]); \
    uint##bd##_t r = (uint##bd##_t)(result); \
    scc_; \
    write##bd(w, i->dst, r); \
  }
#define S1(name, bd, bs, result) S1_BODY(name, bd, bs, result, (void)0)
#define S1C(name, bd, bs, result) \
  S1_BODY(name, bd, bs, result, w->scc = r != 0)

static uint64_t reverse(uint64_t a)
{
  uint64_t r = 0;
  for (int n = 0; n < 64; n++)
    r |= (a >> n & 1) << (63 - n);
  return r;
}

/* Bit 4q of the result: has quad q of a bits any set? */
static uint64_t quads(uint64_t a)
{
  a |= a >> 2;
  return (a | a >> 1) & 0x1111111111111111;
}

static uint64_t pack_quads(uint64_t a)
{
  uint64_t r = 0;
  for (int q = 0; q < 16; q++)
    r |= (quads(a) >> (4 * q) & 1) << q;
  return r;
}

static uint64_t double_bits(uint32_t a)
{
  uint64_t r = 0;
  for (int n = 0; n < 32; n++)
    r |= (uint64_t)(a >> n & 1) * 3 << (2 * n);
  return r;
}

static int first_one(uint64_t a) /* from bit 0; -1: none */
{
  return a ? __builtin_ctzll(a) : -1;
}

static int leading_zeros(uint64_t a, int width) /* -1: no one */
{
  return a ? __builtin_clzll(a) - (64 - width) : -1;
}

/* Where, from the top, is the first bit that is not the sign? -1: nowhere. */
static int sign_bits(int64_t a, int width)
{
  return leading_zeros((uint64_t)(a < 0 ? ~a : a), width);
}

#define SIGNED(x) ((int64_t)(int32_t)(x))

S1(mov_b32, 32, 32, a)
S1(mov_b64, 64, 64, a)
S1(cmov_b32, 32, 32, w->scc ? a : w->s[i->dst])
S1(cmov_b64, 64, 64, w->scc ? a : read64(w, i, i->dst))
S1C(not_b32, 32, 32, ~a)
S1C(not_b64, 64, 64, ~a)
S1C(wqm_b32, 32, 32, quads(a) * 15)
S1C(wqm_b64, 64, 64, quads(a) * 15)
S1(brev_b32, 32, 32, reverse(a) >> 32)
S1(brev_b64, 64, 64, reverse(a))
S1C(bcnt0_i32_b32, 32, 32, 32 - __builtin_popcount(a))
S1C(bcnt0_i32_b64, 32, 64, 64 - __builtin_popcountll(a))
S1C(bcnt1_i32_b32, 32, 32, __builtin_popcount(a))
S1C(bcnt1_i32_b64, 32, 64, __builtin_popcountll(a))
S1(ff0_i32_b32, 32, 32, first_one((uint32_t)~a))
S1(ff0_i32_b64, 32, 64, first_one(~a))
S1(ff1_i32_b32, 32, 32, first_one(a))
S1(ff1_i32_b64, 32, 64, first_one(a))
S1(flbit_i32_b32, 32, 32, leading_zeros(a, 32))
S1(flbit_i32_b64, 32, 64, leading_zeros(a, 64))
S1(flbit_i32, 32, 32, sign_bits(SIGNED(a), 32))
S1(flbit_i32_i64, 32, 64, sign_bits((int64_t)a, 64))
S1(sext_i32_i8, 32, 32, (int8_t)a)
S1(sext_i32_i16, 32, 32, (int16_t)a)
S1(bitset0_b32, 32, 32, w->s[i->dst] & ~(1u << (a & 31)))
S1(bitset0_b64, 64, 32, read64(w, i, i->dst) & ~((uint64_t)1 << (a & 63)))
S1(bitset1_b32, 32, 32, w->s[i->dst] | 1u << (a & 31))
S1(bitset1_b64, 64, 32, read64(w, i, i->dst) | (uint64_t)1 << (a & 63))
S1C(quadmask_b32, 32, 32, pack_quads(a))
S1C(quadmask_b64, 64, 64, pack_quads(a))
S1C(abs_i32, 32, 32, SIGNED(a) < 0 ? 0 - a : a)
S1(bitreplicate_b64_b32, 64, 32, double_bits(a))

/* D = EXEC; EXEC = f(source, EXEC); SCC = EXEC != 0. */
#define SAVEEXEC(name, result) \
  static void s_##name##_saveexec_b64(struct wave *w, const struct inst *i) \
  { \
    uint64_t a = read64(w, i, i->src[0]), e = WAVE_EXEC(w); \
    write64(w, i->dst, e); \
    WAVE_EXEC(w) = (result); \
    w->scc = WAVE_EXEC(w) != 0; \
  }
SAVEEXEC(and, a & e)
SAVEEXEC(or, a | e)
SAVEEXEC(xor, a ^ e)
SAVEEXEC(andn2, a & ~e)
SAVEEXEC(orn2, a | ~e)
SAVEEXEC(nand, ~(a & e))
SAVEEXEC(nor, ~(a | e))
SAVEEXEC(xnor, ~(a ^ e))
SAVEEXEC(andn1, ~a & e)
SAVEEXEC(orn1, ~a | e)

static void write_exec(struct wave *w, const struct inst *i, uint64_t exec)
{
  WAVE_EXEC(w) = exec;
  w->scc = exec != 0;
  write64(w, i->dst, exec);
}

static void s_andn1_wrexec_b64(struct wave *w, const struct inst *i)
{
  write_exec(w, i, ~read64(w, i, i->src[0]) & WAVE_EXEC(w));
}

static void s_andn2_wrexec_b64(struct wave *w, const struct inst *i)
{
  write_exec(w, i, read64(w, i, i->src[0]) & ~WAVE_EXEC(w));
}

static void s_getpc_b64(struct wave *w, const struct inst *i)
{
  write64(w, i->dst, scalar_pc(w));
}

static void s_setpc_b64(struct wave *w, const struct inst *i)
{
  scalar_goto(w, read64(w, i, i->src[0]));
}

static void s_swappc_b64(struct wave *w, const struct inst *i)
{
  uint64_t to = read64(w, i, i->src[0]);
  write64(w, i->dst, scalar_pc(w));
  scalar_goto(w, to);
}

/* A register chosen by M0. Only SGPRs and VCC can be reached. */
static unsigned relative(struct wave *w, unsigned code, unsigned dwords)
{
  uint64_t at = (uint64_t)code + w->s[CODE_M0];
  if (at + dwords <= CODE_TTMP0)
    return (unsigned)at;
  wave_fault(w, FAULT_LAUNCH, "M0 = %u leads past the last SGPR",
             w->s[CODE_M0]);
  return 0; /* the wave runs no further */
}

static void s_movrels_b32(struct wave *w, const struct inst *i)
{
  write32(w, i->dst, w->s[relative(w, i->src[0], 1)]);
}

static void s_movrels_b64(struct wave *w, const struct inst *i)
{
  write64(w, i->dst, read64(w, i, relative(w, i->src[0], 2)));
}

static void s_movreld_b32(struct wave *w, const struct inst *i)
{
  write32(w, relative(w, i->dst, 1), read32(w, i, i->src[0]));
}

static void s_movreld_b64(struct wave *w, const struct inst *i)
{
  write64(w, relative(w, i->dst, 2), read64(w, i, i->src[0]));
}

static void s_set_gpr_idx_idx(struct wave *w, const struct inst *i)
{
  uint32_t *m0 = &w->s[CODE_M0];
  *m0 = (*m0 & ~0xffu) | (read32(w, i, i->src[0]) & 0xff);
}

exec_fn *const sop1_handlers[256] = {
    [0x00] = s_mov_b32,             [0x01] = s_mov_b64,
    [0x02] = s_cmov_b32,            [0x03] = s_cmov_b64,
    [0x04] = s_not_b32,             [0x05] = s_not_b64,
    [0x06] = s_wqm_b32,             [0x07] = s_wqm_b64,
    [0x08] = s_brev_b32,            [0x09] = s_brev_b64,
    [0x0a] = s_bcnt0_i32_b32,       [0x0b] = s_bcnt0_i32_b64,
    [0x0c] = s_bcnt1_i32_b32,       [0x0d] = s_bcnt1_i32_b64,
    [0x0e] = s_ff0_i32_b32,         [0x0f] = s_ff0_i32_b64,
    [0x10] = s_ff1_i32_b32,         [0x11] = s_ff1_i32_b64,
    [0x12] = s_flbit_i32_b32,       [0x13] = s_flbit_i32_b64,
    [0x14] = s_flbit_i32,           [0x15] = s_flbit_i32_i64,
    [0x16] = s_sext_i32_i8,         [0x17] = s_sext_i32_i16,
    [0x18] = s_bitset0_b32,         [0x19] = s_bitset0_b64,
    [0x1a] = s_bitset1_b32,         [0x1b] = s_bitset1_b64,
    [0x1c] = s_getpc_b64,           [0x1d] = s_setpc_b64,
    [0x1e] = s_swappc_b64,          [0x20] = s_and_saveexec_b64,
    [0x21] = s_or_saveexec_b64,     [0x22] = s_xor_saveexec_b64,
    [0x23] = s_andn2_saveexec_b64,  [0x24] = s_orn2_saveexec_b64,
    [0x25] = s_nand_saveexec_b64,   [0x26] = s_nor_saveexec_b64,
    [0x27] = s_xnor_saveexec_b64,   [0x28] = s_quadmask_b32,
    [0x29] = s_quadmask_b64,        [0x2a] = s_movrels_b32,
    [0x2b] = s_movrels_b64,         [0x2c] = s_movreld_b32,
    [0x2d] = s_movreld_b64,         [0x30] = s_abs_i32,
    [0x32] = s_set_gpr_idx_idx,     [0x33] = s_andn1_saveexec_b64,
    [0x34] = s_orn1_saveexec_b64,   [0x35] = s_andn1_wrexec_b64,
    [0x36] = s_andn2_wrexec_b64,    [0x37] = s_bitreplicate_b64_b32,
};
