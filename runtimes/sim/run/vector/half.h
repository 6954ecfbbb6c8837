/* half.h - rows of f16 as rows of f32, and back.
 *
 * An f16 lies in the low half of a dword. Every f16 is an f32; on the way back
 * one rounding is done, in the host's current rounding mode.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_half_h
#define sim_vector_half_h

#include <fenv.h>

#include "runtimes/sim/run/vector/lane.h"

#ifdef __F16C__
#include <immintrin.h>

/* Eight dwords' low halves, packed. */
INLINE __m128i half_pack(const u32 *row)
{
  const __m256i x = _mm256_and_si256(_mm256_loadu_si256((const void *)row),
                                     _mm256_set1_epi32(0xffff));
  const __m256i y = _mm256_permute4x64_epi64(_mm256_packus_epi32(x, x), 0x08);
  return _mm256_castsi256_si128(y);
}

INLINE void half_load(const u32 *row, f32 *x)
{
  for (int l = 0; l < LANES; l += 8)
    _mm256_storeu_ps(x + l, _mm256_cvtph_ps(half_pack(row + l)));
}

#define HALF_STORE(name, rounding)                                           \
  INLINE void name(u32 *row, const f32 *x)                                   \
  {                                                                          \
    for (int l = 0; l < LANES; l += 8) {                                     \
      const __m128i h = _mm256_cvtps_ph(_mm256_loadu_ps(x + l), rounding);   \
      _mm256_storeu_si256((void *)(row + l), _mm256_cvtepu16_epi32(h));      \
    }                                                                        \
  }
HALF_STORE(half_store, _MM_FROUND_CUR_DIRECTION)
HALF_STORE(half_truncate, _MM_FROUND_TO_ZERO)

#else

/* A denormal f16 is its bits times 2^-24; any other has its exponent moved. */
INLINE f32 f32_of_half(u32 h)
{
  const u32 sign = (h & 0x8000) << 16, exp = h >> 10 & 0x1f, man = h & 0x3ff;
  if (exp == 0)
    return f32_of(sign | f32_bits((f32)man * 0x1p-24f));
  if (exp == 0x1f)
    return f32_of(sign | 0x7f800000 | man << 13 | (man ? 0x400000 : 0));
  return f32_of(sign | (exp + 112) << 23 | man << 13);
}

/* Does the rounding mode go up in magnitude from a value with this sign,
 * with the bits `rest` below `half` of the last place kept? */
INLINE u32 rounds_up(int mode, u32 sign, u32 odd, u32 rest, u32 half)
{
  switch (mode) {
  case FE_UPWARD: return !sign && rest;
  case FE_DOWNWARD: return sign && rest;
  case FE_TOWARDZERO: return 0;
  default: return rest > half || (rest == half && odd);
  }
}

INLINE u32 half_of_f32(f32 x, int mode)
{
  const u32 bits = f32_bits(x), sign = bits >> 31, mag = bits & 0x7fffffff;
  if (mag > 0x7f800000)
    return sign << 15 | 0x7e00 | (mag >> 13 & 0x3ff);
  if (mag == 0x7f800000)
    return sign << 15 | 0x7c00;
  const int exp = (int)(mag >> 23) - 112; /* with f16's bias */
  u32 man = mag & 0x7fffff, drop = 13, base;
  if (exp >= 1) {
    base = (u32)exp << 10;
  } else {
    man |= mag >> 23 ? 0x800000 : 0;
    drop = 14 - exp < 31 ? (u32)(14 - exp) : 31;
    base = 0;
  }
  u32 h = base + (man >> drop);
  const u32 rest = man & ((1u << drop) - 1);
  h += rounds_up(mode, sign, h & 1, rest, 1u << (drop - 1));
  if (h >= 0x7c00) /* overflow goes to infinity or to the largest number */
    h = rounds_up(mode, sign, 1, 1, 1) ? 0x7c00 : 0x7bff;
  return sign << 15 | h;
}

INLINE void half_load(const u32 *row, f32 *x)
{
  for (int l = 0; l < LANES; l++)
    x[l] = f32_of_half(row[l] & 0xffff);
}

#define HALF_STORE(name, rounding)                                           \
  INLINE void name(u32 *row, const f32 *x)                                   \
  {                                                                          \
    const int mode = rounding;                                               \
    for (int l = 0; l < LANES; l++)                                          \
      row[l] = half_of_f32(x[l], mode);                                      \
  }
HALF_STORE(half_store, fegetround())
HALF_STORE(half_truncate, FE_TOWARDZERO)

#endif

/* f64 to an f32 that rounds to f16 as the f64 itself would: the f32 is
 * truncated, and its last bit tells that something was cut off. */
INLINE f32 f32_sticky(f64 x)
{
  const u64 bits = f64_bits(x), low = ((u64)1 << 29) - 1;
  const u64 odd = bits & low ? low + 1 : 0;
  return (f32)f64_of((bits & ~low) | odd);
}

#endif
