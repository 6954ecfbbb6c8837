/* int64.c - integers of 64 bits, and sums with a carry. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

OP2(v_lshlrev_b64, u64, u32, u64, b << (a & 63))
OP2(v_lshrrev_b64, u64, u32, u64, b >> (a & 63))
OP2(v_ashrrev_i64, i64, u32, i64, b >> (a & 63))
OP1(v_mov_b64, u64, u64, a)
OP3(v_lshl_add_u64, u64, u64, u32, u64, (a << (b & 7)) + c)

/* Sums whose carry is a bit a lane in sdst: `out` of a, b and the result r;
 * `in` is the carry that comes in, 0 or 1. With clamp a carry saturates. */
#define CARRY_FN(name, suffix, fl, sum, out, stored)                         \
  static void name##_##suffix(const struct frame *f)                         \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const u32 a = f->s[0][l], b = f->s[1][l];                              \
      const u32 in = (fl) & V_COND ? f->cond[l] & 1 : 0;                     \
      (void)in;                                                              \
      const u32 r = sum;                                                     \
      const u32 carry = -(u32)(out);                                         \
      f->mask[l] = carry;                                                    \
      f->d[l] = stored;                                                      \
    }                                                                        \
  }
#define CARRY(name, fl, sum, out, clamped)                                   \
  CARRY_FN(name, body, fl, sum, out, r)                                      \
  CARRY_FN(name, sat, fl, sum, out, clamped)                                 \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, 2, u32, u32, u32, none, V_MASK | (fl), .sat = name##_sat)

CARRY(v_add_co_u32, 0, a + b, r < a, r | carry)
CARRY(v_sub_co_u32, 0, a - b, a < b, r & ~carry)
CARRY(v_subrev_co_u32, 0, b - a, b < a, r & ~carry)
CARRY(v_addc_co_u32, V_COND, a + b + in, (r < a) | (in & (r == a)), r | carry)
CARRY(v_subb_co_u32, V_COND, a - b - in, (a < b) | (in & (a == b)), r & ~carry)
CARRY(v_subbrev_co_u32, V_COND, b - a - in, (b < a) | (in & (b == a)), r & ~carry)

static void v_mad_u64_u32_body(const struct frame *f)
{
  EACH_LANE(l) {
    const u64 product = (u64)f->s[0][l] * f->s[1][l];
    const u64 r = product + LOAD_u64(f->s[2], l);
    f->mask[l] = -(u32)(r < product);
    STORE_u64(f->d, l, r);
  }
}
CUSTOM(v_mad_u64_u32, 3, u64, u32, u32, u64, V_MASK)

/* The bit is the sum's 65th: of a signed sum, its true sign. */
static void v_mad_i64_i32_body(const struct frame *f)
{
  EACH_LANE(l) {
    const u64 a = (u64)((i64)(i32)f->s[0][l] * (i32)f->s[1][l]);
    const u64 c = LOAD_u64(f->s[2], l), r = a + c;
    const u64 overflow = (a ^ r) & (c ^ r);
    f->mask[l] = -(u32)((r ^ overflow) >> 63);
    STORE_u64(f->d, l, r);
  }
}
CUSTOM(v_mad_i64_i32, 3, i64, i32, i32, i64, V_MASK)
