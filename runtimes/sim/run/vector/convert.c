/* convert.c - conversions between number formats. */
// SPDX-License-Identifier: MIT
#include <fenv.h>
#include <math.h>

#include "runtimes/sim/run/vector/half.h"

/* Towards zero; out of range gives the nearest there is, a NaN gives 0. */
#define TO_INT(x, least, beyond, most, t)                                    \
  ((x) != (x) ? 0 : (x) <= (least) ? (t)(least) : (x) >= (beyond) ? (most)   \
                                                                  : (t)(x))
INLINE i32 i32_of_f32(f32 x)
{
  return TO_INT(x, -0x1p31f, 0x1p31f, INT32_MAX, i32);
}
INLINE u32 u32_of_f32(f32 x)
{
  return TO_INT(x, 0.0f, 0x1p32f, UINT32_MAX, u32);
}
INLINE i32 i32_of_f64(f64 x)
{
  return TO_INT(x, -0x1p31, 0x1p31, INT32_MAX, i32);
}
INLINE u32 u32_of_f64(f64 x)
{
  return TO_INT(x, 0.0, 0x1p32, UINT32_MAX, u32);
}
INLINE u32 byte(u32 x, int n) { return x >> 8 * n & 0xff; }
INLINE f32 sixteenths(u32 x) { return (f32)((i32)(x << 28) >> 28) / 16; }

OP1(v_cvt_f32_i32, f32, i32, (f32)a)
OP1(v_cvt_f32_u32, f32, u32, (f32)a)
OP1(v_cvt_i32_f32, i32, f32, i32_of_f32(a))
OP1(v_cvt_u32_f32, u32, f32, u32_of_f32(a))
OP1(v_cvt_rpi_i32_f32, i32, f32, i32_of_f32(floorf(a + 0.5f)))
OP1(v_cvt_flr_i32_f32, i32, f32, i32_of_f32(floorf(a)))
OP1(v_cvt_off_f32_i4, f32, u32, sixteenths(a))
OP1(v_cvt_f32_ubyte0, f32, u32, (f32)byte(a, 0))
OP1(v_cvt_f32_ubyte1, f32, u32, (f32)byte(a, 1))
OP1(v_cvt_f32_ubyte2, f32, u32, (f32)byte(a, 2))
OP1(v_cvt_f32_ubyte3, f32, u32, (f32)byte(a, 3))
OP1(v_cvt_f32_f64, f32, f64, (f32)a)
OP1(v_cvt_f64_f32, f64, f32, a)
OP1(v_cvt_f64_i32, f64, i32, a)
OP1(v_cvt_f64_u32, f64, u32, a)
OP1(v_cvt_i32_f64, i32, f64, i32_of_f64(a))
OP1(v_cvt_u32_f64, u32, f64, u32_of_f64(a))

/* --- f16 ----------------------------------------------------------------- */

static void v_cvt_f16_f32_body(const struct frame *f)
{
  ROW f32 x[LANES];
  memcpy(x, f->s[0], sizeof x);
  half_store(f->d, x);
}
CUSTOM(v_cvt_f16_f32, 1, f16, f32, none, none, 0)

static void v_cvt_f32_f16_body(const struct frame *f)
{
  ROW f32 x[LANES];
  half_load(f->s[0], x);
  memcpy(f->d, x, sizeof x);
}
CUSTOM(v_cvt_f32_f16, 1, f32, f16, none, none, 0)

/* From a 16-bit integer, and to one. */
#define FROM_INT16(name, t)                                                  \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    ROW f32 x[LANES];                                                        \
    EACH_LANE(l) x[l] = (f32)LOAD_##t(f->s[0], l);                           \
    half_store(f->d, x);                                                     \
  }                                                                          \
  CUSTOM(name, 1, f16, t, none, none, 0)

#define TO_INT16(name, t, expr)                                              \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    ROW f32 x[LANES];                                                        \
    half_load(f->s[0], x);                                                   \
    EACH_LANE(l) {                                                           \
      const f32 a = x[l];                                                    \
      STORE_##t(f->d, l, (expr));                                            \
    }                                                                        \
  }                                                                          \
  CUSTOM(name, 1, t, f16, none, none, 0)

/* [-1, 1] to [-32767, 32767], [0, 1] to [0, 65535], to the nearest. */
INLINE i32 snorm(f32 x)
{
  const f64 y = x != x ? 0 : x < -1 ? -1 : x > 1 ? 1 : x;
  return (i32)roundeven(y * 32767);
}
INLINE u32 unorm(f32 x)
{
  const f64 y = !(x > 0) ? 0 : x > 1 ? 1 : x;
  return (u32)roundeven(y * 65535);
}

FROM_INT16(v_cvt_f16_u16, u16)
FROM_INT16(v_cvt_f16_i16, i16)
TO_INT16(v_cvt_u16_f16, u16, TO_INT(a, 0.0f, 65535.0f, UINT16_MAX, u16))
TO_INT16(v_cvt_i16_f16, i16, TO_INT(a, -32768.0f, 32767.0f, INT16_MAX, i16))
TO_INT16(v_cvt_norm_i16_f16, i16, snorm(a))
TO_INT16(v_cvt_norm_u16_f16, u16, unorm(a))

/* --- two results in one dword -------------------------------------------- */

INLINE u32 two(u32 lo, u32 hi) { return (lo & 0xffff) | hi << 16; }
INLINE u32 most16(u32 x) { return x > 0xffff ? 0xffff : x; }
INLINE u32 near16(i32 x)
{
  return (u32)(x < -32768 ? -32768 : x > 32767 ? 32767 : x);
}
INLINE u32 near8(i16 x) { return x < 0 ? 0 : x > 255 ? 255 : (u32)x; }

/* Byte number n of old becomes a as an unsigned byte. Where v_cvt_u32_f32 cuts
 * off, this rounds as MODE says for f32 (measured by others: to the nearest on
 * gfx90c, by MODE on gfx1201). */
INLINE u32 put_byte(f32 a, u32 n, u32 old)
{
  const u32 x = TO_INT(rintf(a), 0.0f, 255.0f, 255, u8), shift = 8 * (n & 3);
  return (old & ~((u32)0xff << shift)) | x << shift;
}

LANES_FN(put_byte, u32, f32, u32, u32, put_byte(a, b, c))

#define PUT_BYTE(name, flags)                                                \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    const int round = VEC(rounding)(f->mode, F32);                           \
    if (round != FE_TONEAREST)                                               \
      fesetround(round);                                                     \
    put_byte_lanes(f->d, f->s[0], 1, f->s[1], 1, f->s[2], 1);                \
    if (round != FE_TONEAREST)                                               \
      fesetround(FE_TONEAREST);                                              \
  }                                                                          \
  CUSTOM(name, 3, u32, f32, u32, u32, flags)
PUT_BYTE(v_cvt_pk_u8_f32, 0)
PUT_BYTE(v_cvt_pkaccum_u8_f32, V_ACC)

OP2(v_cvt_pk_u16_u32, u32, u32, u32, two(most16(a), most16(b)))
OP2(v_cvt_pk_i16_i32, u32, i32, i32, two(near16(a), near16(b)))
OP2(v_cvt_pknorm_i16_f32, u32, f32, f32, two((u32)snorm(a), (u32)snorm(b)))
OP2(v_cvt_pknorm_u16_f32, u32, f32, f32, two(unorm(a), unorm(b)))
OP1(v_sat_pk_u8_i16, u16, u32, near8((i16)a) | near8((i16)(a >> 16)) << 8)
OP2(v_pack_b32_f16, u32, f16, f16, two(a, b))

#define TWO_HALVES(name, expr)                                               \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    ROW f32 x[LANES], y[LANES];                                              \
    half_load(f->s[0], x);                                                   \
    half_load(f->s[1], y);                                                   \
    EACH_LANE(l) f->d[l] = two((u32)expr(x[l]), (u32)expr(y[l]));            \
  }                                                                          \
  CUSTOM(name, 2, u32, f16, f16, none, 0)
TWO_HALVES(v_cvt_pknorm_i16_f16, snorm)
TWO_HALVES(v_cvt_pknorm_u16_f16, unorm)

/* Two numbers that `narrow` makes f16. */
#define NARROWED(name, narrow)                                               \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    ROW f32 x[LANES], y[LANES];                                              \
    ROW u32 high[LANES];                                                     \
    memcpy(x, f->s[0], sizeof x);                                            \
    memcpy(y, f->s[1], sizeof y);                                            \
    narrow(f->d, x);                                                         \
    narrow(high, y);                                                         \
    EACH_LANE(l) f->d[l] |= high[l] << 16;                                   \
  }                                                                          \
  CUSTOM(name, 2, h16, f32, f32, none, 0)
NARROWED(v_cvt_pkrtz_f16_f32, half_truncate) /* whatever MODE says */

static void half_nearest(u32 *to, const f32 *x)
{
  const int round = fegetround();
  fesetround(FE_TONEAREST);
  half_store(to, x);
  fesetround(round);
}
NARROWED(v_cvt_pk_f16_f32, half_nearest) /* whatever MODE says: CDNA4 ISA */
