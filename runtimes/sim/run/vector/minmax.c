/* minmax.c - min, max and med of floats. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/minmax.h"

/* `expr` of a, b, c in bits, and of ieee. */
#define PICK_FN(name, tbits, expr)                                           \
  INLINE void name##_pick(const struct frame *f, int ieee)                   \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const C_##tbits a = LOAD_##tbits(f->s[0], l);                          \
      const C_##tbits b = LOAD_##tbits(f->s[1], l);                          \
      STORE_##tbits(f->d, l, expr);                                          \
    }                                                                        \
  }
#define PICK3_FN(name, tbits, expr)                                          \
  INLINE void name##_pick(const struct frame *f, int ieee)                   \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const C_##tbits a = LOAD_##tbits(f->s[0], l);                          \
      const C_##tbits b = LOAD_##tbits(f->s[1], l);                          \
      const C_##tbits c = LOAD_##tbits(f->s[2], l);                          \
      STORE_##tbits(f->d, l, expr);                                          \
    }                                                                        \
  }
#define PICK_OP(name, n, t, tc, flags)                                       \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    if (f->mode & MODE_IEEE)                                                 \
      name##_pick(f, 1);                                                     \
    else                                                                     \
      name##_pick(f, 0);                                                     \
  }                                                                          \
  CUSTOM(name, n, t, t, t, tc, flags)

#define PICK2(name, t, tbits, expr)                                          \
  PICK_FN(name, tbits, expr) PICK_OP(name, 2, t, none, 0)
#define PICK3(name, t, tbits, flags, expr)                                   \
  PICK3_FN(name, tbits, expr) PICK_OP(name, 3, t, t, flags)

PICK2(v_min_f32, f32, u32, min32(a, b, ieee))
PICK2(v_max_f32, f32, u32, max32(a, b, ieee))
PICK2(v_min_f64, f64, u64, min64(a, b, ieee))
PICK2(v_max_f64, f64, u64, max64(a, b, ieee))
PICK2(v_min_f16, f16, u16, min16(a, b, ieee))
PICK2(v_max_f16, f16, u16, max16(a, b, ieee))
PICK3(v_min3_f32, f32, u32, 0, min3_32(a, b, c, ieee))
PICK3(v_max3_f32, f32, u32, 0, max3_32(a, b, c, ieee))
PICK3(v_med3_f32, f32, u32, 0, med3_32(a, b, c, ieee))
PICK3(v_minimum3_f32, f32, u32, 0, minimum3_32(a, b, c, ieee))
PICK3(v_maximum3_f32, f32, u32, 0, maximum3_32(a, b, c, ieee))
PICK3(v_min3_f16, f16, u16, V_KEEP, min3_16(a, b, c, ieee))
PICK3(v_max3_f16, f16, u16, V_KEEP, max3_16(a, b, c, ieee))
PICK3(v_med3_f16, f16, u16, V_KEEP, med3_16(a, b, c, ieee))

/* Both halves of packed operands. */
#define PICK_PACKED(name, pick)                                              \
  INLINE void name##_pick(const struct frame *f, int ieee)                   \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const u32 a = f->s[0][l], b = f->s[1][l];                              \
      f->d[l] = pick(a & 0xffff, b & 0xffff, ieee) |                         \
                pick(a >> 16, b >> 16, ieee) << 16;                          \
    }                                                                        \
  }                                                                          \
  PICK_OP(name, 2, h16, none, 0)
PICK_PACKED(v_pk_min_f16, min16)
PICK_PACKED(v_pk_max_f16, max16)

#define PICK_PACKED3(name, pick)                                             \
  INLINE void name##_pick(const struct frame *f, int ieee)                   \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const u32 a = f->s[0][l], b = f->s[1][l], c = f->s[2][l];              \
      f->d[l] = pick(a & 0xffff, b & 0xffff, c & 0xffff, ieee) |             \
                pick(a >> 16, b >> 16, c >> 16, ieee) << 16;                 \
    }                                                                        \
  }                                                                          \
  PICK_OP(name, 3, h16, h16, 0)
PICK_PACKED3(v_pk_min3_num_f16, min3_16)
PICK_PACKED3(v_pk_max3_num_f16, max3_16)
PICK_PACKED3(v_pk_minimum3_f16, minimum3_16)
PICK_PACKED3(v_pk_maximum3_f16, maximum3_16)

/* Of three: first of the first two, then with the third. */
PICK3(v_minmax_num_f32, f32, u32, 0, max32(min32(a, b, ieee), c, ieee))
PICK3(v_maxmin_num_f32, f32, u32, 0, min32(max32(a, b, ieee), c, ieee))
PICK3(v_minmax_num_f16, f16, u16, V_KEEP, max16(min16(a, b, ieee), c, ieee))
PICK3(v_maxmin_num_f16, f16, u16, V_KEEP, min16(max16(a, b, ieee), c, ieee))

#define MINIMUM2(name, t, tbits, expr) PICK2(name, t, tbits, ((void)ieee, expr))
#define MINIMUM3(name, t, tbits, flags, expr)                                \
  PICK3(name, t, tbits, flags, ((void)ieee, expr))
MINIMUM2(v_minimum_f32, f32, u32, minimum32(a, b))
MINIMUM2(v_maximum_f32, f32, u32, maximum32(a, b))
MINIMUM2(v_minimum_f64, f64, u64, minimum64(a, b))
MINIMUM2(v_maximum_f64, f64, u64, maximum64(a, b))
MINIMUM2(v_minimum_f16, f16, u16, minimum16(a, b))
MINIMUM2(v_maximum_f16, f16, u16, maximum16(a, b))
PICK3(v_minimum3_f16, f16, u16, V_KEEP, minimum3_16(a, b, c, ieee))
PICK3(v_maximum3_f16, f16, u16, V_KEEP, maximum3_16(a, b, c, ieee))
MINIMUM3(v_minimummaximum_f32, f32, u32, 0, maximum32(minimum32(a, b), c))
MINIMUM3(v_maximumminimum_f32, f32, u32, 0, minimum32(maximum32(a, b), c))
MINIMUM3(v_minimummaximum_f16, f16, u16, V_KEEP, maximum16(minimum16(a, b), c))
MINIMUM3(v_maximumminimum_f16, f16, u16, V_KEEP, minimum16(maximum16(a, b), c))
