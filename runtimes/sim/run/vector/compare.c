/* compare.c - v_cmp and v_cmpx: a bit a lane. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/half.h"

/* v_cmp_NAME and v_cmpx_NAME of one body. */
#define DESCRIBE_CMP(name, rest, type_a, type_b, bits, ...)                  \
  const struct vop VEC(name) = {                                             \
    .body = cmp_##rest##_body, .plain = name##_plain, .exec = name##_exec,   \
    .n = 2, .dst = NONE, .src = {type_a, type_b},                          \
    .flags = V_MASK | (bits), __VA_ARGS__                                    \
  };
#define PAIR(rest, type_a, type_b, bits, ...)                                \
  EXEC_FNS(v_cmpx_##rest)                                                    \
  DESCRIBE_CMP(v_cmpx_##rest, rest, type_a, type_b, (bits) | V_EXEC, )       \
  EXEC_FNS(v_cmp_##rest)                                                     \
  DESCRIBE_CMP(v_cmp_##rest, rest, type_a, type_b, bits, __VA_ARGS__)

/* The loop, with a stride of 0 or 1 as for LANES_FN. */
#define CMP_FNS(rest, t, cond)                                               \
  INLINE void cmp_##rest##_lanes(u32 *m, const u32 *pa, int sa,              \
                                 const u32 *pb)                              \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const C_##t a = LOAD_##t(pa, l * sa), b = LOAD_##t(pb, l);             \
      (void)a, (void)b;                                                      \
      m[l] = -(u32)(cond);                                                   \
    }                                                                        \
  }                                                                          \
  static void cmp_##rest##_body(const struct frame *f)                       \
  {                                                                          \
    cmp_##rest##_lanes(f->mask, f->s[0], 1, f->s[1]);                        \
  }

#define CMP(rest, t, cond)                                                   \
  CMP_FNS(rest, t, cond)                                                     \
  PAIR(rest, K_##t, K_##t, IS_##t, )

/* Those of 32 bits also without calls, by kind of operand. */
#define HOT_CMP_FN(rest, suffix, sa, bits)                                   \
  static void v_cmp_##rest##_##suffix(struct wave *w, const struct inst *i)  \
  {                                                                          \
    if ((bits) & V_FLOAT && !mode_is_usual(w)) {                             \
      v_cmp_##rest##_exec(w, i);                                             \
      return;                                                                \
    }                                                                        \
    const u32 k = sa ? 0 : scalar_read(w, i, i->src[0]);                     \
    ROW u32 m[LANES];                                                        \
    cmp_##rest##_lanes(m, sa ? w->v[i->src[0] - CODE_VGPR] : &k, sa,         \
                       w->v[i->src[1] - CODE_VGPR]);                         \
    scalar_write_mask(w, i->sdst, mask_bits(m) & WAVE_EXEC(w));                 \
  }
#define HOT_CMP(rest, t, cond)                                               \
  extern const struct vop VEC(v_cmp_##rest);                                 \
  static void v_cmp_##rest##_exec(struct wave *w, const struct inst *i);     \
  CMP_FNS(rest, t, cond)                                                     \
  HOT_CMP_FN(rest, vv, 1, IS_##t)                                            \
  HOT_CMP_FN(rest, sv, 0, IS_##t)                                            \
  PAIR(rest, K_##t, K_##t, IS_##t, .vv = v_cmp_##rest##_vv,                  \
       .sv = v_cmp_##rest##_sv)

#define HALF_CMP(rest, t, cond)                                              \
  static void cmp_##rest##_body(const struct frame *f)                       \
  {                                                                          \
    ROW f32 x[LANES], y[LANES];                                              \
    half_load(f->s[0], x);                                                   \
    half_load(f->s[1], y);                                                   \
    EACH_LANE(l) {                                                           \
      const f32 a = x[l], b = y[l];                                          \
      (void)a, (void)b;                                                      \
      f->mask[l] = -(u32)(cond);                                             \
    }                                                                        \
  }                                                                          \
  PAIR(rest, F16, F16, V_FLOAT, )

/* `KIND` is one of the three above. */
#define INTEGERS(KIND, t)                                                    \
  KIND(f_##t, t, 0)                                                          \
  KIND(lt_##t, t, a < b)                                                     \
  KIND(eq_##t, t, a == b)                                                    \
  KIND(le_##t, t, a <= b)                                                    \
  KIND(gt_##t, t, a > b)                                                     \
  KIND(ne_##t, t, a != b)                                                    \
  KIND(ge_##t, t, a >= b)                                                    \
  KIND(t_##t, t, 1)

#define FLOATS(KIND, t)                                                      \
  KIND(f_##t, t, 0)                                                          \
  KIND(lt_##t, t, a < b)                                                     \
  KIND(eq_##t, t, a == b)                                                    \
  KIND(le_##t, t, a <= b)                                                    \
  KIND(gt_##t, t, a > b)                                                     \
  KIND(lg_##t, t, (a < b) | (a > b))                                         \
  KIND(ge_##t, t, a >= b)                                                    \
  KIND(o_##t, t, (a == a) & (b == b))                                        \
  KIND(u_##t, t, (a != a) | (b != b))                                        \
  KIND(nge_##t, t, !(a >= b))                                                \
  KIND(nlg_##t, t, !((a < b) | (a > b)))                                     \
  KIND(ngt_##t, t, !(a > b))                                                 \
  KIND(nle_##t, t, !(a <= b))                                                \
  KIND(neq_##t, t, !(a == b))                                                \
  KIND(nlt_##t, t, !(a < b))                                                 \
  KIND(tru_##t, t, 1)

INTEGERS(CMP, i16)
INTEGERS(CMP, u16)
INTEGERS(HOT_CMP, i32)
INTEGERS(HOT_CMP, u32)
INTEGERS(CMP, i64)
INTEGERS(CMP, u64)
FLOATS(HALF_CMP, f16)
FLOATS(HOT_CMP, f32)
FLOATS(CMP, f64)

/* The bit of v_cmp_class that a value answers to, from its sign, exponent
 * field (of which `top` is all ones), fraction and the fraction's first bit. */
INLINE u32 class_of(u32 sign, u32 exp, u32 top, u64 man, u64 quiet)
{
  if (exp == top && man)
    return man & quiet ? 1 : 0; /* quiet and signalling NaN */
  if (exp == top)
    return sign ? 2 : 9; /* infinity */
  if (exp)
    return sign ? 3 : 8; /* normal */
  if (man)
    return sign ? 4 : 7; /* denormal */
  return sign ? 5 : 6;   /* zero */
}

INLINE u32 class16(u32 x)
{
  return class_of(x >> 15 & 1, x >> 10 & 31, 31, x & 0x3ff, 0x200);
}

INLINE u32 class32(u32 x)
{
  return class_of(x >> 31, x >> 23 & 255, 255, x & 0x7fffff, 0x400000);
}

INLINE u32 class64(u64 x)
{
  return class_of((u32)(x >> 63), x >> 52 & 2047, 2047, x & ~(u64)0 >> 12,
                  (u64)1 << 51);
}

#define CLASS(t, type_a, load, class)                                        \
  static void cmp_class_##t##_body(const struct frame *f)                    \
  {                                                                          \
    for (int l = 0; l < LANES; l++)                                          \
      f->mask[l] = -(f->s[1][l] >> class(load(f->s[0], l)) & 1);             \
  }                                                                          \
  PAIR(class_##t, type_a, U32, V_FLOAT | V_RAW, )

CLASS(f16, F16, LOAD_u16, class16)
CLASS(f32, F32, LOAD_u32, class32)
CLASS(f64, F64, LOAD_u64, class64)
