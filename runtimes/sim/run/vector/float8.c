/* float8.c - conversions of 8-bit floats, OCP's E4M3 (fp8) and E5M2 (bf8).
 *
 * Those to 8 bits round to nearest even. What is too large becomes the NaN of E4M3 and
 * the infinity of E5M2, or the largest number where MODE says FP16_OVFL, which is
 * assumed: no source says it of gfx1250.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/small_float.h"
#include "runtimes/sim/run/vector/plain.h"

static u32 to8(const struct wave *w, const struct small_format *format, f32 x)
{
  return small_write(format, x, !!(w->mode & MODE_FP16_OVFL));
}

/* --- from 8 bits ---------------------------------------------------------- */

/* Which byte of the source: the first bit of op_sel is the higher one. */
static int byte_shift(const struct inst *i)
{
  return 8 * ((i->opsel & 1) << 1 | (i->opsel >> 1 & 1));
}

static void wide(struct wave *w, const struct inst *i,
                 const struct small_format *format)
{
  ROW u32 room[LANES], row[LANES];
  const u32 *from = plain_source(w, i, 0, room);
  const int shift = byte_shift(i);
  for (int l = 0; l < LANES; l++)
    row[l] = f32_bits(small_read(format, from[l] >> shift & 0xff));
  blend(w->v[i->dst], row, WAVE_EXEC(w));
}

static void wide_pair(struct wave *w, const struct inst *i,
                      const struct small_format *format)
{
  ROW u32 room[LANES], row[2][LANES];
  const u32 *from = plain_source(w, i, 0, room);
  const int shift = i->opsel & 1 ? 16 : 0;
  for (int l = 0; l < LANES; l++)
    for (int n = 0; n < 2; n++)
      row[n][l] = f32_bits(small_read(format, from[l] >> (shift + 8 * n) & 0xff));
  blend(w->v[i->dst], row[0], WAVE_EXEC(w));
  blend(w->v[i->dst + 1], row[1], WAVE_EXEC(w));
}

static void half(struct wave *w, const struct inst *i,
                 const struct small_format *format)
{
  ROW u32 room[LANES], row[LANES];
  const u32 *from = plain_source(w, i, 0, room);
  const int shift = byte_shift(i);
  for (int l = 0; l < LANES; l++)
    row[l] = f16_of_float(small_read(format, from[l] >> shift & 0xff));
  plain_half(w, i, row);
}

static void half_pair(struct wave *w, const struct inst *i,
                      const struct small_format *format)
{
  ROW u32 room[LANES], row[LANES];
  const u32 *from = plain_source(w, i, 0, room);
  const int shift = i->opsel & 1 ? 16 : 0;
  for (int l = 0; l < LANES; l++)
    row[l] = f16_of_float(small_read(format, from[l] >> shift & 0xff)) |
             f16_of_float(small_read(format, from[l] >> (shift + 8) & 0xff)) << 16;
  blend(w->v[i->dst], row, WAVE_EXEC(w));
}

/* --- to 8 bits ------------------------------------------------------------ */

static void narrow(struct wave *w, const struct inst *i,
                   const struct small_format *format)
{
  ROW u32 a[LANES], b[LANES], row[LANES];
  plain_float(w, i, 0, a);
  plain_float(w, i, 1, b);
  for (int l = 0; l < LANES; l++)
    row[l] = to8(w, format, f32_of(a[l])) | to8(w, format, f32_of(b[l])) << 8;
  plain_half(w, i, row);
}

/* Of two f16 in one register; signs are of both. */
static void narrow_halves(struct wave *w, const struct inst *i,
                          const struct small_format *format)
{
  ROW u32 room[LANES], row[LANES];
  const u32 *from = plain_source(w, i, 0, room);
  const u32 keep = i->abs & 1 ? 0x7fff7fff : ~(u32)0;
  const u32 flip = i->neg & 1 ? 0x80008000 : 0;
  for (int l = 0; l < LANES; l++) {
    const u32 x = (from[l] & keep) ^ flip;
    row[l] = to8(w, format, float_of_f16(x & 0xffff)) |
             to8(w, format, float_of_f16(x >> 16)) << 8;
  }
  plain_half(w, i, row);
}

#define CONVERT(name, how, format)                                           \
  static void name##_exec(struct wave *w, const struct inst *i)              \
  {                                                                          \
    how(w, i, &small_##format);                                              \
  }                                                                          \
  ALONE(name)
CONVERT(v_cvt_f32_fp8, wide, e4m3_ocp)
CONVERT(v_cvt_f32_bf8, wide, e5m2_ocp)
CONVERT(v_cvt_pk_f32_fp8, wide_pair, e4m3_ocp)
CONVERT(v_cvt_pk_f32_bf8, wide_pair, e5m2_ocp)
CONVERT(v_cvt_f16_fp8, half, e4m3_ocp)
CONVERT(v_cvt_f16_bf8, half, e5m2_ocp)
CONVERT(v_cvt_pk_f16_fp8, half_pair, e4m3_ocp)
CONVERT(v_cvt_pk_f16_bf8, half_pair, e5m2_ocp)
CONVERT(v_cvt_pk_fp8_f32, narrow, e4m3_ocp)
CONVERT(v_cvt_pk_bf8_f32, narrow, e5m2_ocp)
CONVERT(v_cvt_pk_fp8_f16, narrow_halves, e4m3_ocp)
CONVERT(v_cvt_pk_bf8_f16, narrow_halves, e5m2_ocp)
