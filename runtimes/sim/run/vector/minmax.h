/* minmax.h - the least, greatest and middle of floats.
 *
 * A NaN loses against a number; -0 is less than 0. In IEEE mode a signalling
 * NaN wins, made quiet; any NaN does so in minimum and maximum (IEEE 754-2019).
 * The mode is tested outside of the loops: every definition comes once for each.
 * No branches, so that loops over them can be vector code.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_minmax_h
#define sim_vector_minmax_h

#include "runtimes/sim/run/vector/lane.h"

/* Keys that order floats as integers, -0 before 0. */
INLINE i32 key32(u32 x) { return (i32)(x ^ (u32)((i32)x >> 31) >> 1); }
INLINE i64 key64(u64 x) { return (i64)(x ^ (u64)((i64)x >> 63) >> 1); }

INLINE int is_nan32(u32 x) { return (x & 0x7fffffff) > 0x7f800000; }
INLINE int is_nan64(u64 x) { return x << 1 > (u64)0x7ff << 53; }
INLINE int is_nan16(u32 x) { return (x & 0x7fff) > 0x7c00; }
INLINE int signals32(u32 x) { return is_nan32(x) & !(x & 0x400000); }
INLINE int signals64(u64 x) { return is_nan64(x) & !(x >> 51 & 1); }
INLINE int signals16(u32 x) { return is_nan16(x) & !(x & 0x200); }
INLINE u32 quiet32(u32 x) { return x | 0x400000; }
INLINE u64 quiet64(u64 x) { return x | (u64)1 << 51; }
INLINE u32 quiet16(u32 x) { return x | 0x200; }
INLINE i32 key16(u32 x) { return key32(x << 16); }

#define MINMAX_FNS(size, u)                                                  \
  INLINE u pick##size(u a, u b, int first, int ieee)                         \
  {                                                                          \
    u r = (is_nan##size(b) | first) ? a : b;                                 \
    r = is_nan##size(a) ? b : r;                                             \
    if (!ieee)                                                               \
      return r;                                                              \
    r = signals##size(b) ? quiet##size(b) : r;                               \
    return signals##size(a) ? quiet##size(a) : r;                            \
  }                                                                          \
  INLINE u min##size(u a, u b, int ieee)                                     \
  {                                                                          \
    return pick##size(a, b, key##size(a) < key##size(b), ieee);              \
  }                                                                          \
  INLINE u max##size(u a, u b, int ieee)                                     \
  {                                                                          \
    return pick##size(a, b, key##size(a) >= key##size(b), ieee);             \
  }                                                                          \
  INLINE u min3_##size(u a, u b, u c, int ieee)                              \
  {                                                                          \
    return min##size(min##size(a, b, ieee), c, ieee);                        \
  }                                                                          \
  INLINE u max3_##size(u a, u b, u c, int ieee)                              \
  {                                                                          \
    return max##size(max##size(a, b, ieee), c, ieee);                        \
  }                                                                          \
  INLINE u med3_##size(u a, u b, u c, int ieee)                              \
  {                                                                          \
    const u least = min3_##size(a, b, c, ieee);                              \
    const u middle = max##size(                                              \
        min##size(a, b, 0), min##size(max##size(a, b, 0), c, 0), 0);         \
    const int any = is_nan##size(a) | is_nan##size(b) | is_nan##size(c);     \
    return any ? least : middle;                                             \
  }                                                                          \
  INLINE u number##size(u a, u b, int first)                                 \
  {                                                                          \
    u r = is_nan##size(b) ? quiet##size(b) : first ? a : b;                  \
    return is_nan##size(a) ? quiet##size(a) : r;                             \
  }                                                                          \
  INLINE u minimum##size(u a, u b)                                           \
  {                                                                          \
    return number##size(a, b, key##size(a) < key##size(b));                  \
  }                                                                          \
  INLINE u maximum##size(u a, u b)                                           \
  {                                                                          \
    return number##size(a, b, key##size(a) >= key##size(b));                 \
  }                                                                          \
  INLINE u minimum3_##size(u a, u b, u c, int ieee)                          \
  {                                                                          \
    (void)ieee;                                                              \
    return minimum##size(minimum##size(a, b), c);                            \
  }                                                                          \
  INLINE u maximum3_##size(u a, u b, u c, int ieee)                          \
  {                                                                          \
    (void)ieee;                                                              \
    return maximum##size(maximum##size(a, b), c);                            \
  }

MINMAX_FNS(16, u32)
MINMAX_FNS(32, u32)
MINMAX_FNS(64, u64)

#endif
