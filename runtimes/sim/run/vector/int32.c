/* int32.c - integers and bits of 32 bits. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/hot.h"

INLINE u32 u24(u32 x) { return x & 0xffffff; }
INLINE i32 i24(u32 x) { return (i32)(x << 8) >> 8; }
INLINE i64 wide_u24(i64 x) { return x & 0xffffff; }
INLINE i64 wide_i24(i64 x) { return (i64)((u64)x << 40) >> 40; }
INLINE u32 mul_hi(u64 a, u64 b) { return (u32)(a * b >> 32); }
INLINE u32 low_bits(u32 n) { return ((u32)1 << (n & 31)) - 1; }

/* A field of `width` bits, of which the top one is the sign; 0 bits are 0. */
INLINE u32 signed_field(u32 x, u32 width)
{
  const u32 n = width & 31;
  return n ? (u32)((i32)(x << (32 - n)) >> (32 - n)) : 0;
}

INLINE u32 reverse(u32 x)
{
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
  return x >> 16 | x << 16;
}

INLINE u32 count(u32 x)
{
  x -= x >> 1 & 0x55555555;
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  return x * 0x01010101 >> 24;
}

/* Zeros in front of the first one; all ones where there is none. */
INLINE u32 leading(u32 x) { return x ? (u32)__builtin_clz(x) : ~(u32)0; }
INLINE u32 trailing(u32 x) { return x ? (u32)__builtin_ctz(x) : ~(u32)0; }
INLINE u32 leading_sign(u32 x) { return leading(x ^ (u32)((i32)x >> 31)); }

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MED(a, b, c) MAX(MIN(a, b), MIN(MAX(a, b), c))

HOT1(v_mov_b32, b32, b32, a)
HOT1(v_not_b32, u32, u32, ~a)
OP1(v_bfrev_b32, u32, u32, reverse(a))
OP1(v_ffbh_u32, u32, u32, leading(a))
OP1(v_ffbl_b32, u32, u32, trailing(a))
OP1(v_ffbh_i32, u32, u32, leading_sign(a))

HOT2(v_and_b32, u32, u32, u32, a & b)
HOT2(v_or_b32, u32, u32, u32, a | b)
HOT2(v_xor_b32, u32, u32, u32, a ^ b)
HOT2(v_xnor_b32, u32, u32, u32, ~(a ^ b))
HOT2(v_lshlrev_b32, u32, u32, u32, b << (a & 31))
HOT2(v_lshrrev_b32, u32, u32, u32, b >> (a & 31))
HOT2(v_ashrrev_i32, i32, u32, i32, b >> (a & 31))
OP2(v_bfm_b32, u32, u32, u32, low_bits(a) << (b & 31))
OP2(v_bcnt_u32_b32, u32, u32, u32, b + count(a))

HOT_SAT2(v_add_u32, u32, a + b, A + B)
HOT_SAT2(v_sub_u32, u32, a - b, A - B)
HOT_SAT2(v_subrev_u32, u32, b - a, B - A)
SAT2(v_add_i32, i32, (u32)a + (u32)b, A + B)
SAT2(v_sub_i32, i32, (u32)a - (u32)b, A - B)
HOT2(v_min_i32, i32, i32, i32, MIN(a, b))
HOT2(v_max_i32, i32, i32, i32, MAX(a, b))
HOT2(v_min_u32, u32, u32, u32, MIN(a, b))
HOT2(v_max_u32, u32, u32, u32, MAX(a, b))

HOT2(v_mul_u32_u24, u32, u32, u32, u24(a) * u24(b))
HOT2(v_mul_i32_i24, u32, u32, u32, (u32)i24(a) * (u32)i24(b))
OP2(v_mul_hi_u32_u24, u32, u32, u32, mul_hi(u24(a), u24(b)))
OP2(v_mul_hi_i32_i24, u32, u32, u32, mul_hi((u64)i24(a), (u64)i24(b)))
HOT2(v_mul_lo_u32, u32, u32, u32, a * b)
HOT2(v_mul_hi_u32, u32, u32, u32, mul_hi(a, b))
OP2(v_mul_hi_i32, u32, i32, i32, mul_hi((u64)a, (u64)b))

SAT3(v_mad_u32_u24, u32, u32, u32, u32, u24(a) * u24(b) + c, wide_u24(A) * wide_u24(B) + C)
SAT3(v_mad_i32_i24, i32, u32, u32, i32, (u32)i24(a) * (u32)i24(b) + (u32)c, wide_i24(A) * wide_i24(B) + C)
SAT3(v_mad_u32_u16, u32, u16, u16, u32, (u32)a * b + c, A * B + C)
SAT3(v_mad_i32_i16, i32, i16, i16, i32, (u32)(a * b) + (u32)c, A * B + C)

HOT3(v_lshl_add_u32, u32, u32, u32, u32, (a << (b & 31)) + c)
HOT3(v_add_lshl_u32, u32, u32, u32, u32, (a + b) << (c & 31))
HOT3(v_add3_u32, u32, u32, u32, u32, a + b + c)
HOT3(v_lshl_or_b32, u32, u32, u32, u32, a << (b & 31) | c)
HOT3(v_and_or_b32, u32, u32, u32, u32, (a & b) | c)
HOT3(v_or3_b32, u32, u32, u32, u32, a | b | c)
OP3(v_xad_u32, u32, u32, u32, u32, (a ^ b) + c)

OP3(v_bfe_u32, u32, u32, u32, u32, a >> (b & 31) & low_bits(c))
OP3(v_bfe_i32, u32, i32, u32, u32, signed_field((u32)(a >> (b & 31)), c))
OP3(v_bfi_b32, u32, u32, u32, u32, (a & b) | (~a & c))
OP3(v_alignbit_b32, u32, u32, u32, u32, (u32)(pair(b, a) >> (c & 31)))
OP3(v_alignbyte_b32, u32, u32, u32, u32, (u32)(pair(b, a) >> 8 * (c & 3)))

OP3(v_min3_i32, i32, i32, i32, i32, MIN(MIN(a, b), c))
OP3(v_max3_i32, i32, i32, i32, i32, MAX(MAX(a, b), c))
OP3(v_med3_i32, i32, i32, i32, i32, MED(a, b, c))
OP3(v_min3_u32, u32, u32, u32, u32, MIN(MIN(a, b), c))
OP3(v_max3_u32, u32, u32, u32, u32, MAX(MAX(a, b), c))
OP3(v_med3_u32, u32, u32, u32, u32, MED(a, b, c))
