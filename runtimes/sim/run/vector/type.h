/* type.h - the types that operands have, and rows of lanes.
 *
 * A vector register is a row of 64 dwords, one a lane; a 64-bit value lies in
 * two neighbouring rows, the low halves first. For each type name t, in lower
 * case, there are C_t its type in C, K_t its enum, LOAD_t and STORE_t of one
 * lane, and IS_t, V_FLOAT where MODE has a say in it.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_type_h
#define sim_vector_type_h

#include <stdint.h>
#include <string.h>

#include "runtimes/sim/run/wave.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;

#define INLINE static inline __attribute__((always_inline, unused))
#define ROW __attribute__((aligned(32)))

/* Lanes never look at one another, so a loop over them has no order. */
#ifdef __clang__
#define NO_ORDER _Pragma("clang loop vectorize(assume_safety)")
#else
#define NO_ORDER _Pragma("GCC ivdep")
#endif
#define EACH_LANE(l) NO_ORDER for (int l = 0; l < LANES; l++)

enum type { /* ORDER TYPE */
  NONE,
  U16, I16, F16,      /* the low half of a row, or the high one by op_sel */
  P16, H16, B16,      /* both halves: integers, floats, bf16 */
  M16,                /* of the mix instructions: f32, or one half as f16 */
  U32, I32, F32, Z32, /* Z32: f32 whose denormals are always flushed */
  B32,                /* bits, on which neg and abs act as on an f32 */
  U64, I64, F64,
  U128,
  TYPE_N
};

/* --- values and their bits -------------------------------------------- */

INLINE u32 f32_bits(f32 x) { u32 u; memcpy(&u, &x, 4); return u; }
INLINE f32 f32_of(u32 u) { f32 x; memcpy(&x, &u, 4); return x; }
INLINE u64 f64_bits(f64 x) { u64 u; memcpy(&u, &x, 8); return u; }
INLINE f64 f64_of(u64 u) { f64 x; memcpy(&x, &u, 8); return x; }
INLINE u64 pair(u32 lo, u32 hi) { return lo | (u64)hi << 32; }

INLINE u32 flush32(u32 u)
{
  return u & 0x7f800000 ? u : u & 0x80000000;
}

#define C_none int
#define C_u16 u16
#define C_i16 i16
#define C_f16 u16 /* its bits; half.h */
#define C_p16 u32
#define C_h16 u32
#define C_b16 u32
#define C_u32 u32
#define C_b32 u32
#define C_i32 i32
#define C_f32 f32
#define C_z32 f32
#define C_u64 u64
#define C_i64 i64
#define C_f64 f64

#define K_none NONE
#define K_u16 U16
#define K_i16 I16
#define K_f16 F16
#define K_p16 P16
#define K_h16 H16
#define K_b16 B16
#define K_m16 M16
#define K_u32 U32
#define K_b32 B32
#define K_i32 I32
#define K_f32 F32
#define K_z32 Z32
#define K_u64 U64
#define K_i64 I64
#define K_f64 F64
#define K_u128 U128

#define LOAD_none(p, l) 0
#define LOAD_u16(p, l) ((u16)(p)[l])
#define LOAD_i16(p, l) ((i16)(p)[l])
#define LOAD_f16(p, l) ((u16)(p)[l])
#define LOAD_p16(p, l) ((p)[l])
#define LOAD_u32(p, l) ((p)[l])
#define LOAD_b32(p, l) ((p)[l])
#define LOAD_i32(p, l) ((i32)(p)[l])
#define LOAD_f32(p, l) f32_of((p)[l])
#define LOAD_z32(p, l) f32_of(flush32((p)[l]))
#define LOAD_u64(p, l) pair((p)[l], (p)[LANES + (l)])
#define LOAD_i64(p, l) ((i64)pair((p)[l], (p)[LANES + (l)]))
#define LOAD_f64(p, l) f64_of(pair((p)[l], (p)[LANES + (l)]))

#define STORE_u16(p, l, x) ((p)[l] = (u16)(x))
#define STORE_i16(p, l, x) ((p)[l] = (u16)(x))
#define STORE_u32(p, l, x) ((p)[l] = (u32)(x))
#define STORE_b32(p, l, x) ((p)[l] = (u32)(x))
#define STORE_i32(p, l, x) ((p)[l] = (u32)(x))
#define STORE_f32(p, l, x) ((p)[l] = f32_bits(x))
#define STORE_z32(p, l, x) ((p)[l] = flush32(f32_bits(x)))
#define STORE_f64(p, l, x) STORE_u64(p, l, f64_bits(x))
#define STORE_i64(p, l, x) STORE_u64(p, l, x)
#define STORE_u64(p, l, x)                                                   \
  do {                                                                       \
    u64 v_ = (u64)(x);                                                       \
    (p)[l] = (u32)v_;                                                        \
    (p)[LANES + (l)] = (u32)(v_ >> 32);                                      \
  } while (0)

#define IS_none 0
#define IS_u16 0
#define IS_i16 0
#define IS_f16 V_FLOAT
#define IS_h16 V_FLOAT
#define IS_b16 0
#define IS_p16 0
#define IS_m16 V_FLOAT
#define IS_u32 0
#define IS_b32 0
#define IS_i32 0
#define IS_f32 V_FLOAT
#define IS_z32 V_FLOAT
#define IS_u64 0
#define IS_i64 0
#define IS_f64 V_FLOAT
#define IS_u128 0

#endif
