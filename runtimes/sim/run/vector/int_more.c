/* int_more.c - integer instructions that came with GFX12 and later. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

OP2(v_add_nc_u64, u64, u64, u64, a + b)
OP2(v_sub_nc_u64, u64, u64, u64, a - b)
OP2(v_mul_u64, u64, u64, u64, a * b)
OP2(v_min_u64, u64, u64, u64, LEAST(a, b))
OP2(v_max_u64, u64, u64, u64, MOST(a, b))
OP2(v_min_i64, i64, i64, i64, LEAST(a, b))
OP2(v_max_i64, i64, i64, i64, MOST(a, b))
OP3(v_mad_nc_u64_u32, u64, u32, u32, u64, (u64)a * b + c)
OP3(v_mad_nc_i64_i32, u64, i32, i32, u64, (u64)((i64)a * b) + c)

OP3(v_mad_u32, u32, u32, u32, u32, a * b + c)
OP3(v_xor3_b32, u32, u32, u32, u32, a ^ b ^ c)
OP3(v_maxmin_u32, u32, u32, u32, u32, LEAST(MOST(a, b), c))
OP3(v_minmax_u32, u32, u32, u32, u32, MOST(LEAST(a, b), c))
OP3(v_maxmin_i32, i32, i32, i32, i32, LEAST(MOST(a, b), c))
OP3(v_minmax_i32, i32, i32, i32, i32, MOST(LEAST(a, b), c))

/* With clamp the sum saturates. */
INLINE u32 sum_u32(u32 a, u32 b) { return a + b; }
INLINE i32 sum_i32(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }
SAT3(v_add_min_u32, u32, u32, u32, u32, LEAST(sum_u32(a, b), c),
     LEAST(saturate(A + B, 0, UINT32_MAX), C))
SAT3(v_add_max_u32, u32, u32, u32, u32, MOST(sum_u32(a, b), c),
     MOST(saturate(A + B, 0, UINT32_MAX), C))
SAT3(v_add_min_i32, i32, i32, i32, i32, LEAST(sum_i32(a, b), c),
     LEAST(saturate(A + B, INT32_MIN, INT32_MAX), C))
SAT3(v_add_max_i32, i32, i32, i32, i32, MOST(sum_i32(a, b), c),
     MOST(saturate(A + B, INT32_MIN, INT32_MAX), C))

OP2(v_and_b16, u16, u16, u16, a & b)
OP2(v_or_b16, u16, u16, u16, a | b)
OP2(v_xor_b16, u16, u16, u16, a ^ b)
OP1(v_not_b16, u16, u16, ~a)
OP1(v_cvt_i32_i16, i32, i16, a)
OP1(v_cvt_u32_u16, u32, u16, a)
