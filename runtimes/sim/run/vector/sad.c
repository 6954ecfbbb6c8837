/* sad.c - sums of absolute differences, and other work on bytes. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

INLINE u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }
INLINE u32 byte(u32 x, int n) { return x >> 8 * n & 0xff; }

INLINE u32 sad8(u32 a, u32 b)
{
  u32 sum = 0;
  for (int n = 0; n < 4; n++)
    sum += distance(byte(a, n), byte(b, n));
  return sum;
}

/* Masked: bytes of b that are 0 do not count. */
INLINE u32 msad8(u32 a, u32 b)
{
  u32 sum = 0;
  for (int n = 0; n < 4; n++)
    sum += byte(b, n) ? distance(byte(a, n), byte(b, n)) : 0;
  return sum;
}

INLINE u32 sad16(u32 a, u32 b)
{
  return distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16);
}

/* The mean of each byte of a and b, rounded up where c's lowest bit says. */
INLINE u32 lerp(u32 a, u32 b, u32 c)
{
  u32 r = 0;
  for (int n = 0; n < 4; n++)
    r |= (byte(a, n) + byte(b, n) + (byte(c, n) & 1)) >> 1 << 8 * n;
  return r;
}

#define SAD(name, sum)                                                       \
  SAT3(name, u32, u32, u32, u32, sum(a, b) + c, (i64)sum((u32)A, (u32)B) + C)
#define SHIFTED(a, b) (sad8(a, b) << 16)

SAD(v_sad_u8, sad8)
SAD(v_sad_hi_u8, SHIFTED)
SAD(v_sad_u16, sad16)
SAD(v_sad_u32, distance)
SAD(v_msad_u8, msad8)
OP3(v_lerp_u8, u32, u32, u32, u32, lerp(a, b, c))

/* Four sums, of the bytes of a from 0, 1, 2 and 3 on; added to the 16 bits
 * each of c, or to its four dwords. */
INLINE u64 four_sums(u64 a, u32 b, u64 c, u32 (*sum)(u32, u32), u64 most)
{
  u64 r = 0;
  for (int n = 0; n < 4; n++) {
    const u64 x = (c >> 16 * n & 0xffff) + sum((u32)(a >> 8 * n), b);
    r |= ((x > most ? most : x) & 0xffff) << 16 * n;
  }
  return r;
}

#define QSAD(name, sum)                                                      \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    for (int l = 0; l < LANES; l++)                                          \
      STORE_u64(f->d, l,                                                     \
                four_sums(LOAD_u64(f->s[0], l), f->s[1][l],                  \
                          LOAD_u64(f->s[2], l), sum, ~(u64)0));              \
  }                                                                          \
  static void name##_sat(const struct frame *f)                              \
  {                                                                          \
    for (int l = 0; l < LANES; l++)                                          \
      STORE_u64(f->d, l,                                                     \
                four_sums(LOAD_u64(f->s[0], l), f->s[1][l],                  \
                          LOAD_u64(f->s[2], l), sum, 0xffff));               \
  }                                                                          \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, 3, u64, u64, u32, u64, 0, .sat = name##_sat)

QSAD(v_qsad_pk_u16_u8, sad8)
QSAD(v_mqsad_pk_u16_u8, msad8)

static void v_mqsad_u32_u8_body(const struct frame *f)
{
  for (int l = 0; l < LANES; l++) {
    const u64 a = LOAD_u64(f->s[0], l);
    const u32 b = f->s[1][l];
    for (int n = 0; n < 4; n++)
      f->d[LANES * n + l] =
          f->s[2][LANES * n + l] + msad8((u32)(a >> 8 * n), b);
  }
}
static void v_mqsad_u32_u8_sat(const struct frame *f)
{
  for (int l = 0; l < LANES; l++) {
    const u64 a = LOAD_u64(f->s[0], l);
    const u32 b = f->s[1][l];
    for (int n = 0; n < 4; n++) {
      const u64 x = (u64)f->s[2][LANES * n + l] + msad8((u32)(a >> 8 * n), b);
      f->d[LANES * n + l] = x > UINT32_MAX ? UINT32_MAX : (u32)x;
    }
  }
}
EXEC_FNS(v_mqsad_u32_u8)
DESCRIBE(v_mqsad_u32_u8, 3, u128, u64, u32, u128, 0,
         .sat = v_mqsad_u32_u8_sat)
