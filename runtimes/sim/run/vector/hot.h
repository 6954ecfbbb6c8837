/* hot.h - instructions that programs spend their time in.
 *
 * HOT* define what OP* do, and besides a function for each kind of operands
 * with the loop in it: all sources VGPRs (vv), or the first one scalar (sv).
 * It is used where there are no modifiers (handler.c).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_hot_h
#define sim_vector_hot_h

#include "runtimes/sim/run/vector/lane.h"

#define HOT_FN(name, suffix, sa, n, bits)                                    \
  static void name##_##suffix(struct wave *w, const struct inst *i)          \
  {                                                                          \
    const unsigned r0 = sa ? (unsigned)i->src[0] - CODE_VGPR : 0u;           \
    const unsigned r1 = n > 1 ? (unsigned)i->src[1] - CODE_VGPR : 0u;        \
    const unsigned r2 = (bits) & V_ACC ? i->dst                             \
                        : n > 2         ? (unsigned)i->src[2] - CODE_VGPR    \
                                        : 0u;                                \
    if ((bits) & V_FLOAT && !mode_is_usual(w)) {                             \
      name##_exec(w, i);                                                     \
      return;                                                                \
    }                                                                        \
    const u32 k = sa ? 0 : scalar_read(w, i, i->src[0]);                     \
    const u32 *pa = sa ? w->v[r0] : &k;                                      \
    const u32 *pb = n > 1 ? w->v[r1] : NULL;                                 \
    const u32 *pc = n > 2 ? w->v[r2] : NULL;                                 \
    u32 *d = w->v[i->dst];                                                   \
    if (WAVE_EXEC(w) == ~(u64)0) {                                           \
      name##_lanes(d, pa, sa, pb, 1, pc, 1);                                 \
    } else {                                                                 \
      ROW u32 t[LANES];                                                      \
      name##_lanes(t, pa, sa, pb, 1, pc, 1);                                 \
      blend(d, t, WAVE_EXEC(w));                                             \
    }                                                                        \
  }

#define HOT_FULL(kind, name, n, td, ta, tb, tc, flags, expr)                 \
  kind(name, td, ta, tb, tc, expr)                                           \
  BODY_FN(name)                                                              \
  EXEC_FNS(name)                                                             \
  HOT_FN(name, vv, 1, n, (flags) | IS_##td | IS_##ta)                        \
  HOT_FN(name, sv, 0, n, (flags) | IS_##td | IS_##ta)                        \
  DESCRIBE(name, n, td, ta, tb, tc, flags, .vv = name##_vv, .sv = name##_sv)

#define HOT_SAT2(name, t, expr, wide)                                        \
  LANES_FN(name, t, t, t, none, expr)                                        \
  SAT_FN(name, t, t, t, none, wide)                                          \
  BODY_FN(name)                                                              \
  EXEC_FNS(name)                                                             \
  HOT_FN(name, vv, 1, 2, 0)                                                  \
  HOT_FN(name, sv, 0, 2, 0)                                                  \
  DESCRIBE(name, 2, t, t, t, none, 0, .vv = name##_vv, .sv = name##_sv,      \
           .sat = name##_sat)

#define HOT1(name, td, ta, expr)                                             \
  HOT_FULL(LANES_FN, name, 1, td, ta, none, none, 0, expr)
#define HOT2(name, td, ta, tb, expr)                                         \
  HOT_FULL(LANES_FN, name, 2, td, ta, tb, none, 0, expr)
#define HOT3(name, td, ta, tb, tc, expr)                                     \
  HOT_FULL(LANES_FN, name, 3, td, ta, tb, tc, 0, expr)
#define FHOT2(name, t, expr)                                                 \
  HOT_FULL(FLANES_FN, name, 2, t, t, t, none, 0, expr)
#define FHOT3(name, t, expr)                                                 \
  HOT_FULL(FLANES_FN, name, 3, t, t, t, t, 0, expr)
#define FHOT_ACC(name, t, expr)                                              \
  HOT_FULL(FLANES_FN, name, 3, t, t, t, t, V_ACC, expr)

#endif
