/* int_more.c - integer instructions that came with GFX12 and later. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define GREATEST(a, b) ((a) > (b) ? (a) : (b))

OP2(v_add_nc_u64, u64, u64, u64, a + b)
OP2(v_sub_nc_u64, u64, u64, u64, a - b)
OP2(v_mul_u64, u64, u64, u64, a * b)
OP2(v_min_u64, u64, u64, u64, LEAST(a, b))
OP2(v_max_u64, u64, u64, u64, GREATEST(a, b))
OP2(v_min_i64, i64, i64, i64, LEAST(a, b))
OP2(v_max_i64, i64, i64, i64, GREATEST(a, b))
OP3(v_mad_nc_u64_u32, u64, u32, u32, u64, (u64)a * b + c)
OP3(v_mad_nc_i64_i32, u64, i32, i32, u64, (u64)((i64)a * b) + c)

OP3(v_mad_u32, u32, u32, u32, u32, a * b + c)
OP3(v_xor3_b32, u32, u32, u32, u32, a ^ b ^ c)
OP3(v_maxmin_u32, u32, u32, u32, u32, LEAST(GREATEST(a, b), c))
OP3(v_minmax_u32, u32, u32, u32, u32, GREATEST(LEAST(a, b), c))
OP3(v_maxmin_i32, i32, i32, i32, i32, LEAST(GREATEST(a, b), c))
OP3(v_minmax_i32, i32, i32, i32, i32, GREATEST(LEAST(a, b), c))

/* Their sums always saturate: LLVM 22 makes them of saturating additions. */
#define SUM(t, a, b) saturate((i64)(a) + (b), LEAST_##t, MOST_##t)
OP3(v_add_min_u32, u32, u32, u32, u32, (u32)LEAST(SUM(u32, a, b), (i64)c))
OP3(v_add_max_u32, u32, u32, u32, u32, (u32)GREATEST(SUM(u32, a, b), (i64)c))
OP3(v_add_min_i32, i32, i32, i32, i32, (i32)LEAST(SUM(i32, a, b), (i64)c))
OP3(v_add_max_i32, i32, i32, i32, i32, (i32)GREATEST(SUM(i32, a, b), (i64)c))

OP2(v_and_b16, u16, u16, u16, a & b)
OP2(v_or_b16, u16, u16, u16, a | b)
OP2(v_xor_b16, u16, u16, u16, a ^ b)
OP1(v_not_b16, u16, u16, ~a)
OP1(v_cvt_i32_i16, i32, i16, a)
OP1(v_cvt_u32_u16, u32, u16, a)

/* Two numbers shifted and bounded to bytes, in one half of a dword. */
INLINE u32 bounded(i32 x, i32 least, i32 most)
{
  return (u32)(x < least ? least : x > most ? most : x) & 0xff;
}
#define ASHR_PK(name, least, most)                                           \
  OP_FULL(LANES_FN, name, 3, u16, i32, i32, u32, V_KEEP,                     \
          bounded(a >> (c & 31), least, most) |                              \
              bounded(b >> (c & 31), least, most) << 8)
ASHR_PK(v_ashr_pk_i8_i32, -128, 127)
ASHR_PK(v_ashr_pk_u8_i32, 0, 255)
