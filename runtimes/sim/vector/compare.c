/* compare.c - v_cmp and v_cmpx: a bit a lane. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/vector/half.h"

#define CMP_DESCRIBE(name, type_a, type_b, fl)                               \
  EXEC_FNS(name)                                                             \
  const struct vop VEC(name) = {                                             \
    .body = name##_body, .plain = name##_plain, .exec = name##_exec,         \
    .n = 2, .dst = NONE, .src = { type_a, type_b },                          \
    .flags = (fl),                                                           \
  };

/* The pair v_cmp_NAME and v_cmpx_NAME. */
#define CMP(rest, ta, tb, cond)                                              \
  static void cmp_##rest##_body(const struct frame *f)                       \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const C_##ta a = LOAD_##ta(f->s[0], l);                                \
      const C_##tb b = LOAD_##tb(f->s[1], l);                                \
      (void)a, (void)b;                                                      \
      f->mask[l] = -(u32)(cond);                                             \
    }                                                                        \
  }                                                                          \
  CMP_BOTH(rest, K_##ta, K_##tb, V_MASK | IS_##ta)

#define CMP_BOTH(rest, type_a, type_b, fl)                                   \
  static void v_cmp_##rest##_body(const struct frame *f)                     \
  {                                                                          \
    cmp_##rest##_body(f);                                                    \
  }                                                                          \
  static void v_cmpx_##rest##_body(const struct frame *f)                    \
  {                                                                          \
    cmp_##rest##_body(f);                                                    \
  }                                                                          \
  CMP_DESCRIBE(v_cmp_##rest, type_a, type_b, fl)                             \
  CMP_DESCRIBE(v_cmpx_##rest, type_a, type_b, (fl) | V_EXEC)

#define INTEGERS(t)                                                          \
  CMP(f_##t, t, t, 0)                                                        \
  CMP(lt_##t, t, t, a < b)                                                   \
  CMP(eq_##t, t, t, a == b)                                                  \
  CMP(le_##t, t, t, a <= b)                                                  \
  CMP(gt_##t, t, t, a > b)                                                   \
  CMP(ne_##t, t, t, a != b)                                                  \
  CMP(ge_##t, t, t, a >= b)                                                  \
  CMP(t_##t, t, t, 1)

/* ONE defines a pair from its name, type and condition. */
#define FLOATS(ONE, t)                                                       \
  ONE(f_##t, t, 0)                                                           \
  ONE(lt_##t, t, a < b)                                                      \
  ONE(eq_##t, t, a == b)                                                     \
  ONE(le_##t, t, a <= b)                                                     \
  ONE(gt_##t, t, a > b)                                                      \
  ONE(lg_##t, t, a < b || a > b)                                             \
  ONE(ge_##t, t, a >= b)                                                     \
  ONE(o_##t, t, a == a && b == b)                                            \
  ONE(u_##t, t, a != a || b != b)                                            \
  ONE(nge_##t, t, !(a >= b))                                                 \
  ONE(nlg_##t, t, !(a < b || a > b))                                         \
  ONE(ngt_##t, t, !(a > b))                                                  \
  ONE(nle_##t, t, !(a <= b))                                                 \
  ONE(neq_##t, t, !(a == b))                                                 \
  ONE(nlt_##t, t, !(a < b))                                                  \
  ONE(tru_##t, t, 1)

#define CMP_FLOAT(rest, t, cond) CMP(rest, t, t, cond)
#define CMP_HALF(rest, t, cond)                                              \
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
  CMP_BOTH(rest, F16, F16, V_MASK | V_FLOAT)

INTEGERS(i16)
INTEGERS(u16)
INTEGERS(i32)
INTEGERS(u32)
INTEGERS(i64)
INTEGERS(u64)
FLOATS(CMP_HALF, f16)
FLOATS(CMP_FLOAT, f32)
FLOATS(CMP_FLOAT, f64)

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
  CMP_BOTH(class_##t, type_a, U32, V_MASK | V_FLOAT | V_RAW)

CLASS(f16, F16, LOAD_u16, class16)
CLASS(f32, F32, LOAD_u32, class32)
CLASS(f64, F64, LOAD_u64, class64)
