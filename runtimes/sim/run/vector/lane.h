/* lane.h - how a vector instruction is written down.
 *
 * An instruction is one line,
 *
 *   OP2(v_xor_b32, u32, u32, u32, a ^ b)
 *
 * which reads: two sources a and b, the types of the result and of the
 * sources, and the result of one lane. It becomes a loop over the lanes that
 * knows nothing of EXEC, modifiers or where the rows come from (operand.c),
 * nor of where they go (result.c).
 *
 * Loops must come out the same for every instruction set, so floating-point
 * arithmetic goes through FOP*: which of several NaNs an x86 instruction hands
 * on depends on the order that the compiler picked.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_lane_h
#define sim_vector_lane_h

#include <stddef.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "runtimes/sim/run/vector/type.h"
#include "runtimes/sim/run/vector/vector.h"

enum vop_flag {
  V_ACC = 1 << 0,    /* the destination is the last source */
  V_COND = 1 << 1,   /* reads a bit a lane: src[2], or VCC after 3 sources */
  V_MASK = 1 << 2,   /* writes a bit a lane to sdst */
  V_EXEC = 1 << 4,   /* ... and to EXEC: v_cmpx */
  V_KEEP = 1 << 5,   /* a 16-bit result leaves the other half alone */
  V_HIGH = 1 << 6,   /* ... and is the high half */
  V_ALONE = 1 << 7,  /* exec does it all: lanes that look at one another */
  V_FLOAT = 1 << 8,  /* has a float operand: the MODE register matters */
  V_RAW = 1 << 9,    /* float sources keep their denormals in any mode */
  V_POLE = 1 << 10,  /* infinite at 0, which is no overflow */
};

struct frame {
  u32 *d;            /* result rows */
  const u32 *s[3];   /* source rows */
  const u32 *cond;   /* a row of 0 and ~0: V_COND */
  u32 *mask;         /* a row of 0 and ~0: V_MASK */
  u32 mode;
};

typedef void body_fn(const struct frame *f);

struct vop {
  body_fn *body;
  body_fn *sat;      /* with integer clamp; NULL: clamp does nothing */
  exec_fn *vv, *sv;  /* all sources VGPRs; the first one scalar; NULL: plain */
  exec_fn *plain;    /* no modifiers */
  exec_fn *exec;     /* anything */
  u8 n;              /* sources */
  u8 dst, src[3];    /* enum type */
  u16 flags;
};

/* The two ways through an instruction (run.c). */
void VEC(run_plain)(struct wave *w, const struct inst *i, const struct vop *op);
void VEC(run)(struct wave *w, const struct inst *i, const struct vop *op);

/* The rounding, of fenv.h, that MODE asks for a result of type t. */
int VEC(rounding)(u32 mode, enum type t);

/* MODE as kernels are started by a HIP compiler: round to nearest even, keep
 * denormals, let f16 overflow to infinity. */
INLINE int mode_is_usual(const struct wave *w)
{
  const u32 round = MODE_ROUND_32 | MODE_ROUND_64;
  const u32 keep = MODE_DENORM_32 | MODE_DENORM_64;
  return (w->mode & (round | keep | MODE_FP16_OVFL)) == keep;
}

/* --- a bit a lane ------------------------------------------------------- */

/* Bit l of the result is lane l of a row of 0 and ~0. */
INLINE u64 mask_bits(const u32 *row)
{
  u64 bits = 0;
#ifdef __AVX2__
  for (int l = 0; l < LANES; l += 8) {
    const __m256 x = _mm256_loadu_ps((const float *)(const void *)(row + l));
    bits |= (u64)(u32)_mm256_movemask_ps(x) << l;
  }
#else
  for (int l = 0; l < LANES; l++)
    bits |= (u64)(row[l] & 1) << l;
#endif
  return bits;
}

/* The other way: lane l of half a mask, as 0 or ~0. */
static const u32 lane_bit[32] ROW = {
#define BIT4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
  BIT4(0), BIT4(4), BIT4(8), BIT4(12), BIT4(16), BIT4(20), BIT4(24), BIT4(28)
#undef BIT4
};
INLINE u32 lane_take(u32 half, int l)
{
  return -(u32)((half & lane_bit[l]) != 0);
}

/* Put t into d where the mask has a bit. */
INLINE void blend(u32 *d, const u32 *t, u64 mask)
{
  for (int n = 0; n < LANES; n += 32) {
    const u32 half = (u32)(mask >> n);
    NO_ORDER for (int l = 0; l < 32; l++) {
      const u32 take = lane_take(half, l);
      d[n + l] = (t[n + l] & take) | (d[n + l] & ~take);
    }
  }
}

/* --- NaNs ---------------------------------------------------------------- */

/* A NaN result is the first NaN source made quiet. One that arithmetic makes
 * itself has the bits that the ISA gives for 0/0 in v_div_fixup. */
void VEC(nan_f32)(f32 *t, const u32 *a, int sa, const u32 *b, int sb,
                  const u32 *c, int sc);
void VEC(nan_f64)(f64 *t, const u32 *a, int sa, const u32 *b, int sb,
                  const u32 *c, int sc);
#define VEC_nan_f32 VEC(nan_f32)
#define VEC_nan_z32 VEC(nan_f32)
#define VEC_nan_f64 VEC(nan_f64)

/* --- definitions --------------------------------------------------------- */

/* NAME_lanes(): the loop. Strides of 0 or 1 say whether a source is the same
 * for every lane; they are constants where it is inlined. */
#define LANES_FN(name, td, ta, tb, tc, expr)                                 \
  INLINE void name##_lanes(u32 *d, const u32 *pa, int sa, const u32 *pb,     \
                           int sb, const u32 *pc, int sc)                    \
  {                                                                          \
    (void)pa, (void)pb, (void)pc, (void)sa, (void)sb, (void)sc;              \
    EACH_LANE(l) {                                                           \
      const C_##ta a = LOAD_##ta(pa, l * sa);                                \
      const C_##tb b = LOAD_##tb(pb, l * sb);                                \
      const C_##tc c = LOAD_##tc(pc, l * sc);                                \
      (void)a, (void)b, (void)c;                                             \
      STORE_##td(d, l, (expr));                                              \
    }                                                                        \
  }

/* The same for float arithmetic: d may be a source, so nothing is stored
 * before the NaNs are settled. */
#define FLANES_FN(name, td, ta, tb, tc, expr)                                \
  INLINE void name##_lanes(u32 *d, const u32 *pa, int sa, const u32 *pb,     \
                           int sb, const u32 *pc, int sc)                    \
  {                                                                          \
    (void)pa, (void)pb, (void)pc, (void)sa, (void)sb, (void)sc;              \
    ROW C_##td t[LANES];                                                     \
    u32 nan = 0;                                                             \
    EACH_LANE(l) {                                                           \
      const C_##ta a = LOAD_##ta(pa, l * sa);                                \
      const C_##tb b = LOAD_##tb(pb, l * sb);                                \
      const C_##tc c = LOAD_##tc(pc, l * sc);                                \
      (void)a, (void)b, (void)c;                                             \
      t[l] = (expr);                                                         \
    }                                                                        \
    for (int l = 0; l < LANES; l++)                                          \
      nan |= -(u32)(t[l] != t[l]);                                           \
    if (__builtin_expect(nan != 0, 0)) {                                     \
      ROW C_##td u[LANES];                                                   \
      memcpy(u, t, sizeof u);                                                \
      VEC_nan_##td(u, pa, sa, pb, sb, pc, sc);                               \
      EACH_LANE(l) STORE_##td(d, l, u[l]);                                   \
      return;                                                                \
    }                                                                        \
    EACH_LANE(l) STORE_##td(d, l, t[l]);                                     \
  }

#define BODY_FN(name)                                                        \
  static void name##_body(const struct frame *f)                             \
  {                                                                          \
    name##_lanes(f->d, f->s[0], 1, f->s[1], 1, f->s[2], 1);                  \
  }

#define EXEC_FNS(name)                                                       \
  extern const struct vop VEC(name);                                          \
  static void name##_plain(struct wave *w, const struct inst *i)             \
  {                                                                          \
    VEC(run_plain)(w, i, &VEC(name));                                        \
  }                                                                          \
  static void name##_exec(struct wave *w, const struct inst *i)              \
  {                                                                          \
    VEC(run)(w, i, &VEC(name));                                              \
  }

#define DESCRIBE(name, count, td, ta, tb, tc, bits, ...)                     \
  const struct vop VEC(name) = {                                              \
    .body = name##_body, .plain = name##_plain, .exec = name##_exec,         \
    .n = count, .dst = K_##td, .src = {K_##ta, K_##tb, K_##tc},            \
    .flags = (bits) | IS_##td | IS_##ta | IS_##tb | IS_##tc,                 \
    __VA_ARGS__                                                              \
  };

#define OP_FULL(kind, name, n, td, ta, tb, tc, flags, expr)                  \
  kind(name, td, ta, tb, tc, expr)                                           \
  BODY_FN(name)                                                              \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, n, td, ta, tb, tc, flags, )

#define OP1(name, td, ta, expr)                                              \
  OP_FULL(LANES_FN, name, 1, td, ta, none, none, 0, expr)
#define OP2(name, td, ta, tb, expr)                                          \
  OP_FULL(LANES_FN, name, 2, td, ta, tb, none, 0, expr)
#define OP3(name, td, ta, tb, tc, expr)                                      \
  OP_FULL(LANES_FN, name, 3, td, ta, tb, tc, 0, expr)
#define FOP1(name, t, expr)                                                  \
  OP_FULL(FLANES_FN, name, 1, t, t, none, none, 0, expr)
#define FOP2(name, t, expr)                                                  \
  OP_FULL(FLANES_FN, name, 2, t, t, t, none, 0, expr)
#define FOP3(name, t, expr)                                                  \
  OP_FULL(FLANES_FN, name, 3, t, t, t, t, 0, expr)

/* Integer instructions that saturate with the clamp bit: `wide` is the exact
 * value in 64 bits, of A, B and C. */
#define LEAST_u16 0
#define LEAST_i16 INT16_MIN
#define LEAST_u32 0
#define LEAST_i32 INT32_MIN
#define MOST_u16 UINT16_MAX
#define MOST_i16 INT16_MAX
#define MOST_u32 UINT32_MAX
#define MOST_i32 INT32_MAX

INLINE i64 saturate(i64 x, i64 least, i64 most)
{
  return x < least ? least : x > most ? most : x;
}

#define SAT_FN(name, td, ta, tb, tc, wide)                                   \
  static void name##_sat(const struct frame *f)                              \
  {                                                                          \
    EACH_LANE(l) {                                                           \
      const i64 A = LOAD_##ta(f->s[0], l);                                   \
      const i64 B = LOAD_##tb(f->s[1], l);                                   \
      const i64 C = LOAD_##tc(f->s[2], l);                                   \
      (void)A, (void)B, (void)C;                                             \
      const i64 x = wide;                                                    \
      STORE_##td(f->d, l, saturate(x, LEAST_##td, MOST_##td));               \
    }                                                                        \
  }
#define SAT_FULL(name, n, td, ta, tb, tc, flags, expr, wide)                 \
  LANES_FN(name, td, ta, tb, tc, expr)                                       \
  SAT_FN(name, td, ta, tb, tc, wide)                                         \
  BODY_FN(name)                                                              \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, n, td, ta, tb, tc, flags, .sat = name##_sat)
#define SAT2(name, t, expr, wide)                                            \
  SAT_FULL(name, 2, t, t, t, none, 0, expr, wide)
#define SAT3(name, td, ta, tb, tc, expr, wide)                               \
  SAT_FULL(name, 3, td, ta, tb, tc, 0, expr, wide)

/* One whose expression is a statement: reads a, b, c and the lane l. */
#define CUSTOM(name, count, td, ta, tb, tc, flags)                           \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, count, td, ta, tb, tc, flags, )

/* Lanes that look at one another, and what is no loop at all. */
#define ALONE(name)                                                          \
  const struct vop VEC(name) = {.exec = name##_exec, .flags = V_ALONE};

#endif
