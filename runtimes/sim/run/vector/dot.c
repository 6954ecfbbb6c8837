/* dot.c - dot products of packed numbers, and the mix of f32 and f16. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/half_op.h"

/* Element n of `bits` bits. */
INLINE i64 signed_at(u32 x, int n, int bits)
{
  return (i32)(x << (32 - bits * (n + 1))) >> (32 - bits);
}
INLINE i64 unsigned_at(u32 x, int n, int bits)
{
  return x << (32 - bits * (n + 1)) >> (32 - bits);
}

/* The sum is exact; with clamp it saturates, without it wraps. Sources of two
 * halves obey op_sel. */
#define DOT(name, t, ts, at, bits) DOT_FULL(name, t, ts, at, bits, 0)
#define DOT_FULL(name, t, ts, at, bits, flags) \
  DOT_OF(name, t, ts, at, at, bits, flags)
#define DOT_OF(name, t, ts, at_a, at_b, bits, flags)                         \
  INLINE i64 name##_sum(u32 a, u32 b, i64 c)                                 \
  {                                                                          \
    for (int n = 0; n < 32 / bits; n++)                                      \
      c += at_a(a, n, bits) * at_b(b, n, bits);                              \
    return c;                                                                \
  }                                                                          \
  LANES_FN(name, t, ts, ts, t, name##_sum(a, b, c))                          \
  SAT_FN(name, t, ts, ts, t, name##_sum((u32)A, (u32)B, C))                  \
  BODY_FN(name)                                                              \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, 3, t, ts, ts, t, flags, .sat = name##_sat)

DOT(v_dot2_i32_i16, i32, p16, signed_at, 16)
DOT(v_dot2_u32_u16, u32, p16, unsigned_at, 16)
DOT(v_dot4_i32_i8, i32, u32, signed_at, 8)
DOT(v_dot4_u32_u8, u32, u32, unsigned_at, 8)
DOT(v_dot8_i32_i4, i32, u32, signed_at, 4)
DOT(v_dot8_u32_u4, u32, u32, unsigned_at, 4)

/* The same, added to the destination. */
DOT_FULL(v_dot2c_i32_i16, i32, u32, signed_at, 16, V_ACC)
DOT_FULL(v_dot4c_i32_i8, i32, u32, signed_at, 8, V_ACC)
DOT_FULL(v_dot8c_i32_i4, i32, u32, signed_at, 4, V_ACC)

/* Whether the numbers of a source have signs is said by its bit of neg_lo. */
#define DOT_IU(name, bits)                                                   \
  DOT_OF(name##_uu, i32, u32, unsigned_at, unsigned_at, bits, 0)             \
  DOT_OF(name##_iu, i32, u32, signed_at, unsigned_at, bits, 0)               \
  DOT_OF(name##_ui, i32, u32, unsigned_at, signed_at, bits, 0)               \
  DOT_OF(name##_ii, i32, u32, signed_at, signed_at, bits, 0)                 \
  static void name##_exec(struct wave *w, const struct inst *i)              \
  {                                                                          \
    static const struct vop *const by_sign[] = {                             \
        &VEC(name##_uu), &VEC(name##_iu), &VEC(name##_ui), &VEC(name##_ii)}; \
    VEC(run)(w, i, by_sign[i->neg & 3]);                                     \
  }                                                                          \
  const struct vop VEC(name) = {.exec = name##_exec};
DOT_IU(v_dot4_i32_iu8, 8)
DOT_IU(v_dot8_i32_iu4, 4)

/* Products of f16 are exact in f32; each addition rounds. */
static void v_dot2_f32_f16_body(const struct frame *f)
{
  ROW f32 a[2][LANES], b[2][LANES], c[LANES];
  ROW u32 high[2][LANES];
  for (int n = 0; n < 2; n++)
    EACH_LANE(l) high[n][l] = f->s[n][l] >> 16;
  half_load(f->s[0], a[0]);
  half_load(f->s[1], b[0]);
  half_load(high[0], a[1]);
  half_load(high[1], b[1]);
  EACH_LANE(l) {
    const f32 first = f32_of(f->s[2][l]) + a[0][l] * b[0][l];
    c[l] = first + a[1][l] * b[1][l];
    if (c[l] != c[l])
      c[l] = f32_of(0xffc00000);
  }
  memcpy(f->d, c, sizeof c);
}
CUSTOM(v_dot2_f32_f16, 3, f32, h16, h16, f32, 0)

static void v_dot2c_f32_f16_body(const struct frame *f)
{
  v_dot2_f32_f16_body(f);
}
CUSTOM(v_dot2c_f32_f16, 3, f32, u32, u32, f32, V_ACC)

INLINE f32 low_bf16(u32 x) { return f32_of(x << 16); }
INLINE f32 high_bf16(u32 x) { return f32_of(x & 0xffff0000); }

/* In the order of AMD's "CDNA4 Instruction Set Architecture", each step rounded:
 * assumed. */
FLANES_FN(dot2_bf16, f32, u32, u32, f32,
          low_bf16(a) * low_bf16(b) + high_bf16(a) * high_bf16(b) + c)
FLANES_FN(dot2c_bf16, f32, u32, u32, f32,
          c + low_bf16(a) * low_bf16(b) + high_bf16(a) * high_bf16(b))

static void v_dot2_f32_bf16_body(const struct frame *f)
{
  dot2_bf16_lanes(f->d, f->s[0], 1, f->s[1], 1, f->s[2], 1);
}
CUSTOM(v_dot2_f32_bf16, 3, f32, b16, b16, f32, 0)

static void v_dot2c_f32_bf16_body(const struct frame *f)
{
  dot2c_bf16_lanes(f->d, f->s[0], 1, f->s[1], 1, f->s[2], 1);
}
CUSTOM(v_dot2c_f32_bf16, 3, f32, u32, u32, f32, V_ACC)

/* Sources are f32 already, whatever they were (operand.c). */
FLANES_FN(mix, f32, f32, f32, f32, fmaf(a, b, c))

static void v_fma_mix_f32_body(const struct frame *f)
{
  mix_lanes(f->d, f->s[0], 1, f->s[1], 1, f->s[2], 1);
}
CUSTOM(v_fma_mix_f32, 3, f32, m16, m16, m16, 0)

/* Rounded to f32 and then to f16, each by its own field of MODE. */
static void v_fma_mixlo_f16_body(const struct frame *f)
{
  ROW u32 sum[LANES];
  ROW f32 x[LANES];
  const int first = VEC(rounding)(f->mode, F32);
  const int second = VEC(rounding)(f->mode, F16);
  if (first != second)
    fesetround(first);
  mix_lanes(sum, f->s[0], 1, f->s[1], 1, f->s[2], 1);
  if (first != second)
    fesetround(second);
  memcpy(x, sum, sizeof x);
  half_store(f->d, x);
}
CUSTOM(v_fma_mixlo_f16, 3, f16, m16, m16, m16, V_KEEP)

static void v_fma_mixhi_f16_body(const struct frame *f)
{
  v_fma_mixlo_f16_body(f);
}
CUSTOM(v_fma_mixhi_f16, 3, f16, m16, m16, m16, V_KEEP | V_HIGH)
