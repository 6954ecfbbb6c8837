/* scalar_sop2.c - scalar instructions with two sources. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/scalar.h"

#define READ_u32 (uint32_t)read32
#define READ_i32 (int32_t)read32
#define READ_u64 (uint64_t)read64
#define READ_i64 (int64_t)read64
#define WRITE_u32 write32
#define WRITE_i32 write32
#define WRITE_u64 write64
#define WRITE_i64 write64
#define TYPE_u32 uint32_t
#define TYPE_i32 int32_t
#define TYPE_u64 uint64_t
#define TYPE_i64 int64_t

/* S2(name, types of result, a and b, result): SCC stays. */
#define S2(name, t, ta, tb, result) \
  static void s_##name(struct wave *w, const struct inst *i) \
  { \
    TYPE_##ta a = READ_##ta(w, i, i->src[0]); \
    TYPE_##tb b = READ_##tb(w, i, i->src[1]); \
    TYPE_##t r = (TYPE_##t)(result); \
    (void)a, (void)b; \
    WRITE_##t(w, i->dst, r); \
  }

/* ... and SCC becomes a condition on a, b and the result r. */
#define S2C(name, t, ta, tb, result, condition) \
  static void s_##name(struct wave *w, const struct inst *i) \
  { \
    TYPE_##ta a = READ_##ta(w, i, i->src[0]); \
    TYPE_##tb b = READ_##tb(w, i, i->src[1]); \
    TYPE_##t r = (TYPE_##t)(result); \
    w->scc = (condition); \
    WRITE_##t(w, i->dst, r); \
  }

static int add_overflows(int32_t a, int32_t b)
{
  return __builtin_add_overflow(a, b, &a);
}

static int sub_overflows(int32_t a, int32_t b)
{
  return __builtin_sub_overflow(a, b, &a);
}

/* The unsigned sum or difference in 64 bits: bit 32 is carry or borrow. */
#define SUM ((uint64_t)a + b + w->scc)
#define DIFFERENCE ((uint64_t)a - b - w->scc)

S2C(add_u32, u32, u32, u32, a + b, r < a)
S2C(sub_u32, u32, u32, u32, a - b, b > a)
S2C(add_i32, u32, u32, u32, a + b, add_overflows((int32_t)a, (int32_t)b))
S2C(sub_i32, u32, u32, u32, a - b, sub_overflows((int32_t)a, (int32_t)b))
S2C(addc_u32, u32, u32, u32, SUM, SUM >> 32 & 1)
S2C(subb_u32, u32, u32, u32, DIFFERENCE, DIFFERENCE >> 32 & 1)
S2C(min_i32, i32, i32, i32, a < b ? a : b, a < b)
S2C(min_u32, u32, u32, u32, a < b ? a : b, a < b)
S2C(max_i32, i32, i32, i32, a > b ? a : b, a > b)
S2C(max_u32, u32, u32, u32, a > b ? a : b, a > b)
S2(cselect_b32, u32, u32, u32, w->scc ? a : b)
S2(cselect_b64, u64, u64, u64, w->scc ? a : b)

#define LOGIC(name, result) \
  S2C(name##_b32, u32, u32, u32, result, r != 0) \
  S2C(name##_b64, u64, u64, u64, result, r != 0)
LOGIC(and, a & b)
LOGIC(or, a | b)
LOGIC(xor, a ^ b)
LOGIC(andn2, a & ~b)
LOGIC(orn2, a | ~b)
LOGIC(nand, ~(a & b))
LOGIC(nor, ~(a | b))
LOGIC(xnor, ~(a ^ b))

S2C(lshl_b32, u32, u32, u32, a << (b & 31), r != 0)
S2C(lshl_b64, u64, u64, u32, a << (b & 63), r != 0)
S2C(lshr_b32, u32, u32, u32, a >> (b & 31), r != 0)
S2C(lshr_b64, u64, u64, u32, a >> (b & 63), r != 0)
S2C(ashr_i32, i32, i32, u32, a >> (b & 31), r != 0)
S2C(ashr_i64, i64, i64, u32, a >> (b & 63), r != 0)

/* n ones, n up to 127 */
static uint64_t ones(unsigned n)
{
  return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

S2(bfm_b32, u32, u32, u32, ones(a & 31) << (b & 31))
S2(bfm_b64, u64, u32, u32, ones(a & 63) << (b & 63))

/* Fields: b holds the first bit (4:0, or 5:0) and the width (22:16). */
static uint64_t extract(uint64_t value, unsigned first, unsigned width)
{
  return value >> first & ones(width);
}

static int64_t extract_signed(int64_t value, unsigned first, unsigned width)
{
  int64_t field = value >> first;
  if (!width)
    return 0;
  return width >= 64
             ? field
             : (int64_t)((uint64_t)field << (64 - width)) >> (64 - width);
}

#define WIDTH (b >> 16 & 127)
S2C(bfe_u32, u32, u32, u32, extract(a, b & 31, WIDTH), r != 0)
S2C(bfe_i32, i32, i32, u32, extract_signed(a, b & 31, WIDTH), r != 0)
S2C(bfe_u64, u64, u64, u32, extract(a, b & 63, WIDTH), r != 0)
S2C(bfe_i64, i64, i64, u32, extract_signed(a, b & 63, WIDTH), r != 0)

S2(mul_i32, u32, u32, u32, a * b)
S2(mul_hi_u32, u32, u32, u32, (uint64_t)a * b >> 32)
S2(mul_hi_i32, i32, i32, i32, (int64_t)a * b >> 32)
S2C(absdiff_i32, u32, i32, i32,
    a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a, r != 0)

#define LSHL_ADD(n) \
  S2C(lshl##n##_add_u32, u32, u32, u32, (a << n) + b, \
      (((uint64_t)a << n) + b) >> 32 != 0)
LSHL_ADD(1)
LSHL_ADD(2)
LSHL_ADD(3)
LSHL_ADD(4)

S2(pack_ll_b32_b16, u32, u32, u32, (a & 0xffff) | b << 16)
S2(pack_lh_b32_b16, u32, u32, u32, (a & 0xffff) | (b & 0xffff0000))
S2(pack_hh_b32_b16, u32, u32, u32, a >> 16 | (b & 0xffff0000))

exec_fn *const sop2_handlers[128] = {
    [0x00] = s_add_u32,        [0x01] = s_sub_u32,
    [0x02] = s_add_i32,        [0x03] = s_sub_i32,
    [0x04] = s_addc_u32,       [0x05] = s_subb_u32,
    [0x06] = s_min_i32,        [0x07] = s_min_u32,
    [0x08] = s_max_i32,        [0x09] = s_max_u32,
    [0x0a] = s_cselect_b32,    [0x0b] = s_cselect_b64,
    [0x0c] = s_and_b32,        [0x0d] = s_and_b64,
    [0x0e] = s_or_b32,         [0x0f] = s_or_b64,
    [0x10] = s_xor_b32,        [0x11] = s_xor_b64,
    [0x12] = s_andn2_b32,      [0x13] = s_andn2_b64,
    [0x14] = s_orn2_b32,       [0x15] = s_orn2_b64,
    [0x16] = s_nand_b32,       [0x17] = s_nand_b64,
    [0x18] = s_nor_b32,        [0x19] = s_nor_b64,
    [0x1a] = s_xnor_b32,       [0x1b] = s_xnor_b64,
    [0x1c] = s_lshl_b32,       [0x1d] = s_lshl_b64,
    [0x1e] = s_lshr_b32,       [0x1f] = s_lshr_b64,
    [0x20] = s_ashr_i32,       [0x21] = s_ashr_i64,
    [0x22] = s_bfm_b32,        [0x23] = s_bfm_b64,
    [0x24] = s_mul_i32,        [0x25] = s_bfe_u32,
    [0x26] = s_bfe_i32,        [0x27] = s_bfe_u64,
    [0x28] = s_bfe_i64,        [0x2a] = s_absdiff_i32,
    [0x2c] = s_mul_hi_u32,     [0x2d] = s_mul_hi_i32,
    [0x2e] = s_lshl1_add_u32,  [0x2f] = s_lshl2_add_u32,
    [0x30] = s_lshl3_add_u32,  [0x31] = s_lshl4_add_u32,
    [0x32] = s_pack_ll_b32_b16, [0x33] = s_pack_lh_b32_b16,
    [0x34] = s_pack_hh_b32_b16,
};
