/* operand.c - the sources of an instruction as rows of lanes. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/operand.h"

#include "runtimes/sim/run/vector/half.h"

int VEC(type_words)(enum type t)
{
  switch (t) {
  case NONE: return 0;
  case U64: case I64: case F64: return 2;
  case U128: return 4;
  default: return 1;
  }
}

int VEC(type_half)(enum type t)
{
  return t == U16 || t == I16 || t == F16;
}

static int is_float_code(unsigned code)
{
  return code >= CODE_FLOAT && code < CODE_FLOAT + 9;
}

/* 0.5 -0.5 1 -1 2 -2 4 -4 1/2pi, as f16 and f64. */
static const u16 float16[9] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                0xc000, 0x4400, 0xc400, 0x3118 };
static const u64 float64[9] = {
  0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
  0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
  0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882,
};

static u64 uniform64(const struct wave *w, const struct inst *i, unsigned code,
                     enum type t)
{
  if (is_float_code(code))
    return float64[code - CODE_FLOAT];
  if (code < CODE_INLINE || code == CODE_LITERAL64 || code == CODE_SCRATCH_BASE)
    return scalar_read64(w, i, code);
  const u32 x = scalar_read(w, i, code);
  if (code == CODE_LITERAL && t == F64)
    return (u64)x << 32;
  return t == U64 && code == CODE_LITERAL ? x : (u64)(i64)(i32)x;
}

static u32 uniform32(const struct wave *w, const struct inst *i, int n,
                     enum type t)
{
  const unsigned code = i->src[n];
  if (t == B16 && is_float_code(code))
    return scalar_read(w, i, code) >> 16;
  const int half = t == U16 || t == I16 || t == F16 || t == P16 || t == H16 ||
                   (t == M16 && i->opselhi >> n & 1);
  if (half && is_float_code(code))
    return float16[code - CODE_FLOAT];
  return scalar_read(w, i, code);
}

static void fill(u32 *row, u32 x)
{
  for (int l = 0; l < LANES; l++)
    row[l] = x;
}

static const u32 *source(const struct wave *w, const struct inst *i, int n,
                         enum type t, u32 *buffer)
{
  const unsigned code = i->src[n];
  if (code >= CODE_VGPR)
    return w->v[code - CODE_VGPR];
  if (VEC(type_words)(t) > 1) {
    const u64 x = uniform64(w, i, code, t);
    fill(buffer, (u32)x);
    fill(buffer + LANES, (u32)(x >> 32));
  } else {
    fill(buffer, uniform32(w, i, n, t));
  }
  return buffer;
}

static void spread(u32 *row, u64 mask)
{
  for (int n = 0; n < LANES; n += 32)
    for (int l = 0; l < 32; l++)
      row[n + l] = lane_take((u32)(mask >> n), l);
}

void VEC(sources)(const struct wave *w, const struct inst *i,
                  const struct vop *op, struct rows *r, struct frame *f)
{
  if (op->flags & V_COND) {
    const unsigned code = op->n < 3 ? i->src[2] : CODE_VCC;
    spread(r->cond, scalar_read64(w, i, code));
    f->cond = r->cond;
  }
  const int n = op->n - !!(op->flags & V_ACC);
  for (int k = 0; k < n; k++)
    f->s[k] = source(w, i, k, op->src[k], r->source[k]);
  if (n < op->n)
    f->s[n] = w->v[i->dst];
}

/* --- modifiers ----------------------------------------------------------- */

void VEC(flush)(u32 *row, enum type t)
{
  switch (t) {
  case F32: case M16:
    EACH_LANE(l) row[l] = flush32(row[l]);
    break;
  case F16:
    EACH_LANE(l) row[l] = row[l] & 0x7c00 ? row[l] : row[l] & 0x8000;
    break;
  case H16:
    EACH_LANE(l) {
      const u32 lo = row[l] & 0x7c00 ? 0xffff : 0x8000;
      const u32 hi = row[l] & 0x7c000000 ? 0xffff0000 : 0x80000000;
      row[l] &= lo | hi;
    }
    break;
  case F64:
    EACH_LANE(l) {
      const u32 normal = -(u32)((row[LANES + l] & 0x7ff00000) != 0);
      row[l] &= normal;
      row[LANES + l] &= normal | 0x80000000;
    }
    break;
  default:
    break;
  }
}

static int flushes_inputs(u32 mode, enum type t)
{
  if (t == F32 || t == M16)
    return !(mode & MODE_DENORM_32 & 0x10);
  return !(mode & MODE_DENORM_64 & 0x40);
}

static void select_sdwa(const struct inst *i, int n, const u32 *from, u32 *to)
{
  static const u8 shift[] = {0, 8, 16, 24, 0, 16, 0};
  static const u8 bits[] = {8, 8, 8, 8, 16, 16, 32};
  const int s = shift[i->ssel[n]], drop = 32 - bits[i->ssel[n]];
  if (i->sext >> n & 1)
    EACH_LANE(l) to[l] = (u32)((i32)(from[l] >> s << drop) >> drop);
  else
    EACH_LANE(l) to[l] = from[l] >> s << drop >> drop;
}

/* Each half of the operand is either half of the register. */
static void select_halves(const struct inst *i, int n, const u32 *from,
                          u32 *to)
{
  const int lo = i->opsel >> n & 1 ? 16 : 0;
  const int hi = i->opselhi >> n & 1 ? 16 : 0;
  EACH_LANE(l) to[l] = (from[l] >> lo & 0xffff) | from[l] >> hi << 16;
}

static void select_half(const struct inst *i, int n, const u32 *from, u32 *to)
{
  const int s = i->opsel >> n & 1 ? 16 : 0;
  EACH_LANE(l) to[l] = from[l] >> s & 0xffff;
}

/* The mix instructions read f32, or one half as f16. */
static void select_mix(const struct wave *w, const struct inst *i, int n,
                       const u32 *from, u32 *to)
{
  if (!(i->opselhi >> n & 1)) {
    memcpy(to, from, sizeof(u32) * LANES);
    return;
  }
  const int s = i->opsel >> n & 1 ? 16 : 0;
  EACH_LANE(l) to[l] = from[l] >> s;
  if (flushes_inputs(w->mode, F16))
    VEC(flush)(to, F16);
  ROW f32 x[LANES];
  half_load(to, x);
  EACH_LANE(l) to[l] = f32_bits(x[l]);
}

static void sign(u32 *row, u32 bits, int abs, int neg)
{
  const u32 clear = abs ? ~bits : ~(u32)0, flip = neg ? bits : 0;
  EACH_LANE(l) row[l] = (row[l] & clear) ^ flip;
}

static void apply_sign(const struct inst *i, int n, enum type t, u32 *row)
{
  const int abs = i->abs >> n & 1, neg = i->neg >> n & 1;
  switch (t) {
  case F32: case Z32: case B32: case M16:
    sign(row, 0x80000000, abs, neg);
    break;
  case F16:
    sign(row, 0x8000, abs, neg);
    break;
  case F64:
    sign(row + LANES, 0x80000000, abs, neg);
    break;
  case H16: case B16: /* neg is of the low half, abs negates the high one */
    sign(row, 0x8000, 0, neg);
    sign(row, 0x80000000, 0, abs);
    break;
  default:
    break;
  }
}

static const u32 *modified(const struct wave *w, const struct inst *i, int n,
                           const struct vop *op, struct rows *r,
                           const u32 *from)
{
  const enum type t = op->src[n];
  u32 *to = r->source[n];
  ROW u32 lanes[2 * LANES];
  if (n == 0 && i->flags & INST_DPP) {
    const u64 on = VEC(dpp)(w, i, from, lanes);
    if (VEC(type_words)(t) > 1)
      VEC(dpp)(w, i, from + LANES, lanes + LANES);
    r->lanes &= on;
    from = lanes;
  }
  if (i->flags & INST_SDWA && n < 2)
    select_sdwa(i, n, from, to);
  else if (t == P16 || t == H16 || t == B16)
    select_halves(i, n, from, to);
  else if (t == M16)
    select_mix(w, i, n, from, to);
  else if (VEC(type_half)(t))
    select_half(i, n, from, to);
  else if (from != to)
    memcpy(to, from, sizeof(u32) * LANES * (size_t)VEC(type_words)(t));
  apply_sign(i, n, t, to);
  if (!(op->flags & V_RAW) && flushes_inputs(w->mode, t))
    VEC(flush)(to, t);
  return to;
}

void VEC(modify)(const struct wave *w, const struct inst *i,
                 const struct vop *op, struct rows *r, struct frame *f)
{
  for (int n = 0; n < op->n; n++)
    f->s[n] = modified(w, i, n, op, r, f->s[n]);
}
