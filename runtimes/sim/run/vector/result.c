/* result.c - output modifiers, and the result put into its register. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/operand.h"

#include "runtimes/sim/run/vector/half.h"

static int is_16(enum type t) { return t == F16 || t == H16; }
static int is_float(enum type t)
{
  return is_16(t) || t == F32 || t == Z32 || t == F64;
}

static int keeps_denormals(u32 mode, enum type t)
{
  if (t == F32)
    return mode & MODE_DENORM_32 & 0x20;
  return t != Z32 && mode & MODE_DENORM_64 & 0x80;
}

static const f32 factors[4] = {1, 2, 4, 0.5f};

/* Clamp to [0, 1]; a NaN becomes 0 where MODE says DX10_CLAMP. -0 becomes 0. */
INLINE f64 clamp01(f64 x, int dx10)
{
  if (x != x)
    return dx10 ? 0 : x;
  return x > 0 ? x < 1 ? x : 1 : 0;
}

/* omod also makes -0 a 0. */
INLINE f64 scaled(f64 x, f64 factor)
{
  const f64 y = x * factor;
  return y == 0 ? 0 : y;
}

static void shape(f32 *x, f32 factor, int clamp, int dx10)
{
  if (factor != 1)
    EACH_LANE(l) x[l] = (f32)scaled(x[l], factor);
  if (clamp)
    EACH_LANE(l) x[l] = (f32)clamp01(x[l], dx10);
}

static void shape32(u32 *row, f32 factor, int clamp, int dx10)
{
  ROW f32 x[LANES];
  memcpy(x, row, sizeof x);
  shape(x, factor, clamp, dx10);
  memcpy(row, x, sizeof x);
}

static void shape16(u32 *row, f32 factor, int clamp, int dx10)
{
  ROW f32 x[LANES];
  half_load(row, x);
  shape(x, factor, clamp, dx10);
  half_store(row, x);
}

/* Both halves; packed instructions have no omod. */
static void shape_halves(u32 *row, int clamp, int dx10)
{
  ROW u32 high[LANES];
  EACH_LANE(l) high[l] = row[l] >> 16;
  shape16(row, 1, clamp, dx10);
  shape16(high, 1, clamp, dx10);
  EACH_LANE(l) row[l] |= high[l] << 16;
}

static void shape64(u32 *row, f64 factor, int clamp, int dx10)
{
  EACH_LANE(l) {
    f64 x = LOAD_f64(row, l);
    if (factor != 1)
      x = scaled(x, factor);
    if (clamp)
      x = clamp01(x, dx10);
    STORE_f64(row, l, x);
  }
}

/* Output modifiers of floats. omod is for results whose denormals are flushed
 * and outside of IEEE mode; elsewhere the hardware ignores it. */
static void shape_float(const struct wave *w, const struct inst *i,
                        enum type t, u32 *row)
{
  const int keep = keeps_denormals(w->mode, t);
  const f32 factor = keep || w->mode & MODE_IEEE ? 1 : factors[i->omod & 3];
  const int clamp = !!(i->flags & INST_CLAMP);
  const int dx10 = !!(w->mode & MODE_DX10_CLAMP);
  if (clamp || factor != 1) {
    switch (t) {
    case F16: shape16(row, factor, clamp, dx10); break;
    case H16: shape_halves(row, clamp, dx10); break;
    case F64: shape64(row, factor, clamp, dx10); break;
    default: shape32(row, factor, clamp, dx10); break;
    }
  }
  if (!keep)
    VEC(flush)(row, t);
}

/* Does a source x make infinity the true result? */
static int gives_infinity(const struct vop *op, enum type t, u32 x, int shift)
{
  const u32 half = x >> shift & 0x7fff;
  if (is_16(t))
    return half == 0x7c00 || (!half && op->flags & V_POLE);
  return (t == F32 || t == M16) && (x & 0x7fffffff) == 0x7f800000;
}

/* The number before infinity in place of a sum, product or whatever that was
 * too large: one that is infinite without infinite sources or division by 0
 * (MODE.FP16_OVFL, LLVM: User Guide for AMDGPU Backend). */
static void bound_half(const struct vop *op, const struct frame *f, int shift,
                       u32 *row)
{
  for (int l = 0; l < LANES; l++) {
    int overflow = (row[l] >> shift & 0x7fff) == 0x7c00;
    for (int n = 0; n < op->n; n++)
      overflow &= !gives_infinity(op, op->src[n], f->s[n][l], shift);
    row[l] -= (u32)overflow << shift;
  }
}

static void bound(const struct vop *op, const struct frame *f, u32 *row)
{
  bound_half(op, f, 0, row);
  if (op->dst == H16)
    bound_half(op, f, 16, row);
}

/* SDWA: the low bits of the result go to dst_sel; the rest of the register is
 * 0, the sign, or as before. */
static void place_sdwa(const struct inst *i, u32 *row, const u32 *old)
{
  static const u8 shift[] = {0, 8, 16, 24, 0, 16, 0};
  static const u8 bits[] = {8, 8, 8, 8, 16, 16, 32};
  const int s = shift[i->dsel], drop = 32 - bits[i->dsel];
  const u32 mask = ~(u32)0 >> drop << s;
  switch (i->dunused) {
  case 0:
    EACH_LANE(l) row[l] = row[l] << s & mask;
    break;
  case 1: /* bits below the selected ones are 0 */
    EACH_LANE(l) row[l] = (u32)((i32)(row[l] << drop) >> drop) << s;
    break;
  default:
    EACH_LANE(l) row[l] = (row[l] << s & mask) | (old[l] & ~mask);
    break;
  }
}

/* A 16-bit result beside the half that it leaves alone. */
static void place_half(u32 *row, const u32 *old, int high)
{
  if (high)
    EACH_LANE(l) row[l] = (old[l] & 0xffff) | row[l] << 16;
  else
    EACH_LANE(l) row[l] = (old[l] & 0xffff0000) | (row[l] & 0xffff);
}

void VEC(finish)(struct wave *w, const struct inst *i, const struct vop *op,
                 struct rows *r, const struct frame *f)
{
  const int words = VEC(type_words)(op->dst);
  if (!words)
    return;
  u32 *d = w->v[i->dst], *row = r->result;
  if (is_float(op->dst))
    shape_float(w, i, op->dst, row);
  if (is_16(op->dst) && w->mode & MODE_FP16_OVFL)
    bound(op, f, row);
  const int high = op->flags & V_HIGH || i->opsel & 8;
  if (i->flags & INST_SDWA)
    place_sdwa(i, row, d);
  else if (VEC(type_half)(op->dst) &&
           (high || op->flags & V_KEEP || isa_at(i->isa)->keeps_half))
    place_half(row, d, high);
  for (int k = 0; k < words; k++)
    blend(d + LANES * k, row + LANES * k, r->lanes);
}

/* Lanes that do not take part give a 0. */
void VEC(write_mask)(struct wave *w, const struct inst *i,
                     const struct vop *op, const struct rows *r)
{
  const u64 bits = mask_bits(r->mask) & r->lanes;
  scalar_write_mask(w, i->sdst, bits);
  if (op->flags & V_EXEC)
    WAVE_EXEC(w) = bits;
}
