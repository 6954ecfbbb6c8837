/* convert_small.c - conversions from and to floats of 16, 8, 6 and 4 bits, to the
 * nearest or by chance, with and without a scale.
 *
 * One function does them all; a row says of an instruction which formats and how
 * many elements. Elements lie one after the other from bit 0 of the source on. Of 8
 * or 16 bits that are part of a dword op_sel says which part: bits 0 and 1 of the
 * source, 2 and 3 of the result, whose other bits stay.
 *
 * A scale is the exponent of a float; larger formats are multiplied with it and
 * smaller ones divided by it, exactly, before the one rounding. A float that is
 * infinite or no number makes all results NaNs, as E8M0's last code does. Chance is a
 * dword of src1, and for each further element the next one of v_prng_b32.
 *
 * Sources: AMD's "CDNA3" and "CDNA4 Instruction Set Architecture" for operands, bytes
 * and the random numbers; OCP's specifications and gem5 for the formats (small_float.h).
 * Assumed: which bits of chance count where the result is subnormal; that 8 bits
 * overflow to infinity or NaN unless MODE.FP16_OVFL bounds them.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/small_float.h"
#include "runtimes/sim/run/vector/operand.h"

enum {F32_BITS = 32, FLOAT32 = SMALL_TYPES, /* a type of its own */
      MOST = 32 /* elements, and dwords of a source or result */};

enum how {
  TWO = 1,    /* elements of src0 and src1 by turns */
  CHANCE = 2, /* rounded by src1 */
  SCALE = 4,  /* the last source is one */
};

struct conversion {
  u8 to, from; /* enum small_type, or FLOAT32 */
  u8 n;        /* elements */
  u8 how;
};

INLINE u32 prng(u32 a) { return a << 1 ^ (a >> 31 ? 197u : 0); }
OP1(v_prng_b32, u32, u32, prng(a))

static unsigned bits_of(unsigned type)
{
  return type == FLOAT32 ? F32_BITS : small_bits(small_of(type, 1));
}

static unsigned sources_of(const struct conversion *c)
{
  return 1 + !!(c->how & (TWO | CHANCE)) + !!(c->how & SCALE);
}

/* Which byte of the source: GFX12 has op_sel's first bit as the higher one. */
static unsigned byte_of(const struct inst *i)
{
  const unsigned sel = i->opsel & 3;
  return isa_at(i->isa)->encoding == ENCODING_GFX12 ? sel >> 1 | (sel & 1) << 1 : sel;
}

/* Of part of a dword: where it begins. */
static unsigned part(unsigned bits, unsigned sel)
{
  return bits == 8 ? 8 * (sel & 3) : bits == 16 ? 16 * (sel & 1) : 0;
}

/* Of halves there is a constant of 16 bits. */
static void narrow_constant(const struct inst *i, const struct conversion *c,
                            u32 *row)
{
  const unsigned code = i->src[0];
  if (code < CODE_FLOAT || code >= CODE_FLOAT + 9 || c->from > SMALL_BF16)
    return;
  const u32 x = row[0];
  EACH_LANE(l)
    row[l] = c->from == SMALL_F16 ? f16_of_float(f32_of(x)) : x >> 16;
}

/* What a lane's elements are made of and to. */
struct lane {
  const struct inst *i;
  const struct conversion *c;
  const struct small_format *to, *from;
  const struct frame *f;
  int l, scale; /* its exponent; the lane */
  u32 chance;
};

static u32 element(const struct lane *t, unsigned k)
{
  const struct conversion *c = t->c;
  const unsigned bits = bits_of(c->from), all = c->how & TWO ? bits : c->n * bits;
  const u32 *row = t->f->s[c->how & TWO ? k % 2 : 0];
  const unsigned sel = all == 8 ? byte_of(t->i) : t->i->opsel;
  const unsigned at = (c->how & TWO ? k / 2 : k) * bits + part(all, sel);
  const u32 low = row[at / 32 * LANES + (unsigned)t->l];
  const int straddles = at % 32 + bits > 32;
  const u32 high = straddles ? row[(at / 32 + 1) * LANES + (unsigned)t->l] : 0;
  return (u32)(pair(low, high) >> at % 32) & (u32)(((u64)1 << bits) - 1);
}

static f64 number(const struct lane *t, unsigned k)
{
  const unsigned n = t->c->how & TWO ? k % 2 : 0;
  const u32 u = element(t, k);
  const f32 x = t->from ? small_read(t->from, u) : f32_of(u);
  const f32 size = t->i->abs >> n & 1 ? fabsf(x) : x;
  return (f64)(t->i->neg >> n & 1 ? -size : size);
}

static f64 scaled(const struct lane *t, f64 x)
{
  enum {BIAS = 127, NO_SCALE = 255};
  if (!(t->c->how & SCALE))
    return x;
  if (t->scale == NO_SCALE)
    return (f64)NAN;
  const int by = t->scale - BIAS;
  return ldexp(x, bits_of(t->c->to) > bits_of(t->c->from) ? by : -by);
}

static f64 clamped(const struct lane *t, f64 x)
{
  if (!(t->i->flags & INST_CLAMP))
    return x;
  if (x != x)
    return t->f->mode & MODE_DX10_CLAMP ? 0 : x;
  return x > 0 ? x < 1 ? x : 1 : 0;
}

/* MODE.FP16_OVFL leaves an infinite half alone. */
static int saturates(const struct lane *t, f64 x)
{
  if (!(t->f->mode & MODE_FP16_OVFL) || t->c->to == SMALL_BF16)
    return 0;
  return t->c->to != SMALL_F16 || isfinite(x);
}

/* A float that is no number keeps its bits in a half. */
static u32 nan_half(const struct lane *t, f64 x)
{
  return t->c->to == SMALL_F16 ? f16_of_float((f32)x) : bf16_of_float((f32)x);
}

static u32 converted(struct lane *t, unsigned k)
{
  const f64 x = clamped(t, scaled(t, number(t, k)));
  if (!t->to)
    return f32_bits((f32)x);
  if (x != x && t->c->to <= SMALL_BF16)
    return nan_half(t, x);
  const u32 chance = t->chance;
  t->chance = prng(chance);
  if (t->c->how & CHANCE)
    return small_write_by_chance(t->to, x, chance, saturates(t, x));
  return small_write(t->to, x, saturates(t, x));
}

static void convert_lane(struct lane *t, u32 *result)
{
  const unsigned bits = bits_of(t->c->to);
  u64 pending = 0;
  for (unsigned k = 0, have = 0, word = 0; k < t->c->n; k++) {
    pending |= (u64)converted(t, k) << have;
    have += bits;
    if (have >= 32 || k + 1u == t->c->n) {
      result[word++ * LANES + (unsigned)t->l] = (u32)pending;
      pending >>= 32;
      have = have > 32 ? have - 32 : 0;
    }
  }
}

/* Into the register: part of it, or floats with their output modifiers, or all. */
static void put(struct wave *w, const struct inst *i, const struct conversion *c,
                const struct frame *f, struct rows *r, const u32 *result)
{
  static const struct vop number = {.dst = F32}, plain = {.dst = U32};
  const unsigned all = c->n * bits_of(c->to), words = (all + 31) / 32;
  const u32 mask = all < 32 ? ((u32)1 << all) - 1 : ~(u32)0;
  const unsigned at = part(all, all == 8 ? i->opsel >> 2 : i->opsel >> 3);
  for (unsigned k = 0; k < words; k++) {
    struct inst one = *i;
    const u32 *old = w->v[i->dst + k];
    one.dst = (u16)(i->dst + k);
    EACH_LANE(l)
      r->result[l] = (old[l] & ~(mask << at)) | (result[k * LANES + l] & mask) << at;
    VEC(finish)(w, &one, c->to == FLOAT32 ? &number : &plain, r, f);
  }
}

static void convert(struct wave *w, const struct inst *i, const struct conversion *c)
{
  const unsigned n = sources_of(c);
  const int pair_of_floats = c->from == FLOAT32 && c->n == 2 && !(c->how & TWO);
  struct vop op = {.n = (u8)n, .src = {pair_of_floats ? U64 : U32, U32, U32}};
  struct rows r;
  struct frame f = {.mode = w->mode};
  ROW u32 result[MOST * LANES];
  r.lanes = WAVE_EXEC(w);
  VEC(sources)(w, i, &op, &r, &f);
  if (f.s[0] == r.source[0])
    narrow_constant(i, c, r.source[0]);
  if (i->flags & (INST_SDWA | INST_DPP))
    VEC(modify)(w, i, &op, &r, &f);
  const int ocp = isa_at(i->isa)->ocp;
  struct lane t = {.i = i, .c = c, .f = &f};
  t.to = c->to == FLOAT32 ? NULL : small_of(c->to, ocp);
  t.from = c->from == FLOAT32 ? NULL : small_of(c->from, ocp);
  for (t.l = 0; t.l < LANES; t.l++) {
    t.chance = c->how & CHANCE ? f.s[1][t.l] : 0;
    t.scale = c->how & SCALE ? (int)(f.s[n - 1][t.l] >> 23 & 255) : 0;
    convert_lane(&t, result);
  }
  put(w, i, c, &f, &r, result);
}

#define CONVERT(name, to, from, n, how)                                      \
  static void name##_exec(struct wave *w, const struct inst *i)              \
  {                                                                          \
    static const struct conversion c = {to, from, n, how};                   \
    convert(w, i, &c);                                                       \
  }                                                                          \
  const struct vop VEC(name) = {.exec = name##_exec};

/* 8 bits */
CONVERT(v_cvt_f32_fp8, FLOAT32, SMALL_FP8, 1, 0)
CONVERT(v_cvt_f32_bf8, FLOAT32, SMALL_BF8, 1, 0)
CONVERT(v_cvt_pk_f32_fp8, FLOAT32, SMALL_FP8, 2, 0)
CONVERT(v_cvt_pk_f32_bf8, FLOAT32, SMALL_BF8, 2, 0)
CONVERT(v_cvt_f16_fp8, SMALL_F16, SMALL_FP8, 1, 0)
CONVERT(v_cvt_f16_bf8, SMALL_F16, SMALL_BF8, 1, 0)
CONVERT(v_cvt_pk_f16_fp8, SMALL_F16, SMALL_FP8, 2, 0)
CONVERT(v_cvt_pk_f16_bf8, SMALL_F16, SMALL_BF8, 2, 0)
CONVERT(v_cvt_pk_fp8_f16, SMALL_FP8, SMALL_F16, 2, 0)
CONVERT(v_cvt_pk_bf8_f16, SMALL_BF8, SMALL_F16, 2, 0)
CONVERT(v_cvt_pk_fp8_f32, SMALL_FP8, FLOAT32, 2, TWO)
CONVERT(v_cvt_pk_bf8_f32, SMALL_BF8, FLOAT32, 2, TWO)
CONVERT(v_cvt_sr_fp8_f32, SMALL_FP8, FLOAT32, 1, CHANCE)
CONVERT(v_cvt_sr_bf8_f32, SMALL_BF8, FLOAT32, 1, CHANCE)

/* 16 bits */
CONVERT(v_cvt_f32_bf16, FLOAT32, SMALL_BF16, 1, 0)
CONVERT(v_cvt_pk_bf16_f32, SMALL_BF16, FLOAT32, 2, TWO)
CONVERT(v_cvt_sr_f16_f32, SMALL_F16, FLOAT32, 1, CHANCE)
CONVERT(v_cvt_sr_bf16_f32, SMALL_BF16, FLOAT32, 1, CHANCE)

/* 8 bits with a scale; X stands for fp8 and bf8 */
#define SCALED8(X, type)                                                     \
  CONVERT(v_cvt_scalef32_pk_##X##_f32, type, FLOAT32, 2, TWO | SCALE)        \
  CONVERT(v_cvt_scalef32_pk_##X##_f16, type, SMALL_F16, 2, SCALE)            \
  CONVERT(v_cvt_scalef32_pk_##X##_bf16, type, SMALL_BF16, 2, SCALE)          \
  CONVERT(v_cvt_scalef32_sr_##X##_f32, type, FLOAT32, 1, CHANCE | SCALE)     \
  CONVERT(v_cvt_scalef32_sr_##X##_f16, type, SMALL_F16, 1, CHANCE | SCALE)   \
  CONVERT(v_cvt_scalef32_sr_##X##_bf16, type, SMALL_BF16, 1, CHANCE | SCALE) \
  CONVERT(v_cvt_scalef32_pk_f32_##X, FLOAT32, type, 2, SCALE)                \
  CONVERT(v_cvt_scalef32_pk_f16_##X, SMALL_F16, type, 2, SCALE)              \
  CONVERT(v_cvt_scalef32_pk_bf16_##X, SMALL_BF16, type, 2, SCALE)            \
  CONVERT(v_cvt_scalef32_f32_##X, FLOAT32, type, 1, SCALE)                   \
  CONVERT(v_cvt_scalef32_f16_##X, SMALL_F16, type, 1, SCALE)
SCALED8(fp8, SMALL_FP8)
SCALED8(bf8, SMALL_BF8)

/* 4 bits */
CONVERT(v_cvt_scalef32_pk_fp4_f32, SMALL_FP4, FLOAT32, 2, TWO | SCALE)
CONVERT(v_cvt_scalef32_pk_fp4_f16, SMALL_FP4, SMALL_F16, 2, SCALE)
CONVERT(v_cvt_scalef32_pk_fp4_bf16, SMALL_FP4, SMALL_BF16, 2, SCALE)
CONVERT(v_cvt_scalef32_sr_pk_fp4_f32, SMALL_FP4, FLOAT32, 2, CHANCE | SCALE)
CONVERT(v_cvt_scalef32_sr_pk_fp4_f16, SMALL_FP4, SMALL_F16, 2, CHANCE | SCALE)
CONVERT(v_cvt_scalef32_sr_pk_fp4_bf16, SMALL_FP4, SMALL_BF16, 2, CHANCE | SCALE)
CONVERT(v_cvt_scalef32_pk_f32_fp4, FLOAT32, SMALL_FP4, 2, SCALE)
CONVERT(v_cvt_scalef32_pk_f16_fp4, SMALL_F16, SMALL_FP4, 2, SCALE)
CONVERT(v_cvt_scalef32_pk_bf16_fp4, SMALL_BF16, SMALL_FP4, 2, SCALE)

/* 32 of 6 bits; X stands for fp6 and bf6 */
#define SCALED6(X, type)                                                     \
  CONVERT(v_cvt_scalef32_2xpk16_##X##_f32, type, FLOAT32, 32, TWO | SCALE)   \
  CONVERT(v_cvt_scalef32_pk32_##X##_f16, type, SMALL_F16, 32, SCALE)         \
  CONVERT(v_cvt_scalef32_pk32_##X##_bf16, type, SMALL_BF16, 32, SCALE)       \
  CONVERT(v_cvt_scalef32_sr_pk32_##X##_f32, type, FLOAT32, 32, CHANCE | SCALE) \
  CONVERT(v_cvt_scalef32_sr_pk32_##X##_f16, type, SMALL_F16, 32, CHANCE | SCALE) \
  CONVERT(v_cvt_scalef32_sr_pk32_##X##_bf16, type, SMALL_BF16, 32, CHANCE | SCALE) \
  CONVERT(v_cvt_scalef32_pk32_f32_##X, FLOAT32, type, 32, SCALE)             \
  CONVERT(v_cvt_scalef32_pk32_f16_##X, SMALL_F16, type, 32, SCALE)           \
  CONVERT(v_cvt_scalef32_pk32_bf16_##X, SMALL_BF16, type, 32, SCALE)
SCALED6(fp6, SMALL_FP6)
SCALED6(bf6, SMALL_BF6)
