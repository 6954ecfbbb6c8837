/* scalar_sopc.c - scalar compares. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/scalar.h"

#define CMP(name, type, bits, condition) \
  static void s_##name(struct wave *w, const struct inst *i) \
  { \
    type a = (type)read##bits(w, i, i->src[0]); \
    type b = (type)read##bits(w, i, i->src[1]); \
    w->scc = (condition); \
  }

#define CMPS(t, type) \
  CMP(cmp_eq_##t, type, 32, a == b) \
  CMP(cmp_lg_##t, type, 32, a != b) \
  CMP(cmp_gt_##t, type, 32, a > b) \
  CMP(cmp_ge_##t, type, 32, a >= b) \
  CMP(cmp_lt_##t, type, 32, a < b) \
  CMP(cmp_le_##t, type, 32, a <= b)
CMPS(i32, int32_t)
CMPS(u32, uint32_t)
CMP(bitcmp0_b32, uint32_t, 32, !(a >> (b & 31) & 1))
CMP(bitcmp1_b32, uint32_t, 32, a >> (b & 31) & 1)
CMP(cmp_eq_u64, uint64_t, 64, a == b)
CMP(cmp_lg_u64, uint64_t, 64, a != b)

static uint32_t bit64(const struct wave *w, const struct inst *i)
{
  return read64(w, i, i->src[0]) >> (read32(w, i, i->src[1]) & 63) & 1;
}

static void s_bitcmp0_b64(struct wave *w, const struct inst *i)
{
  w->scc = !bit64(w, i);
}

static void s_bitcmp1_b64(struct wave *w, const struct inst *i)
{
  w->scc = bit64(w, i);
}

static void s_setvskip(struct wave *w, const struct inst *i)
{
  uint32_t a = read32(w, i, i->src[0]), b = read32(w, i, i->src[1]);
  w->mode &= ~(uint32_t)MODE_VSKIP;
  w->mode |= a >> (b & 31) & 1 ? (uint32_t)MODE_VSKIP : 0;
}

/* The second source's field is a constant here: which operands to index. */
static void s_set_gpr_idx_on(struct wave *w, const struct inst *i)
{
  uint32_t *m0 = &w->s[CODE_M0];
  uint32_t index = read32(w, i, i->src[0]) & 0xff;
  *m0 = (*m0 & ~0xf0ffu) | index | (i->src[1] & 15u) << 12;
  w->mode |= MODE_GPR_IDX;
}

exec_fn *const sopc_handlers[128] = {
    [0x00] = s_cmp_eq_i32,  [0x01] = s_cmp_lg_i32,
    [0x02] = s_cmp_gt_i32,  [0x03] = s_cmp_ge_i32,
    [0x04] = s_cmp_lt_i32,  [0x05] = s_cmp_le_i32,
    [0x06] = s_cmp_eq_u32,  [0x07] = s_cmp_lg_u32,
    [0x08] = s_cmp_gt_u32,  [0x09] = s_cmp_ge_u32,
    [0x0a] = s_cmp_lt_u32,  [0x0b] = s_cmp_le_u32,
    [0x0c] = s_bitcmp0_b32, [0x0d] = s_bitcmp1_b32,
    [0x0e] = s_bitcmp0_b64, [0x0f] = s_bitcmp1_b64,
    [0x10] = s_setvskip,    [0x11] = s_set_gpr_idx_on,
    [0x12] = s_cmp_eq_u64,  [0x13] = s_cmp_lg_u64,
};
