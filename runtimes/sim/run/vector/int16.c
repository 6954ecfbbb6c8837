/* int16.c - integers of 16 bits, single and packed. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MED(a, b, c) MAX(MIN(a, b), MIN(MAX(a, b), c))

/* Those that GFX9 added leave the other half of the register alone. */
#define KEEP3(name, t, expr) OP_FULL(LANES_FN, name, 3, t, t, t, t, V_KEEP, expr)
#define SAT_KEEP2(name, t, expr, wide)                                       \
  SAT_FULL(name, 2, t, t, t, none, V_KEEP, expr, wide)
#define SAT_KEEP3(name, t, expr, wide)                                       \
  SAT_FULL(name, 3, t, t, t, t, V_KEEP, expr, wide)
#define SAME3(name, t, expr, wide) SAT3(name, t, t, t, t, expr, wide)

SAT2(v_add_u16, u16, a + b, A + B)
SAT2(v_sub_u16, u16, a - b, A - B)
SAT2(v_subrev_u16, u16, b - a, B - A)
SAT_KEEP2(v_add_i16, i16, a + b, A + B)
SAT_KEEP2(v_sub_i16, i16, a - b, A - B)
SAT2(v_mul_lo_u16, u16, (u32)a * b, A * B)
OP2(v_lshlrev_b16, u16, u16, u16, b << (a & 15))
OP2(v_lshrrev_b16, u16, u16, u16, b >> (a & 15))
OP2(v_ashrrev_i16, i16, u16, i16, b >> (a & 15))
OP2(v_min_u16, u16, u16, u16, MIN(a, b))
OP2(v_max_u16, u16, u16, u16, MAX(a, b))
OP2(v_min_i16, i16, i16, i16, MIN(a, b))
OP2(v_max_i16, i16, i16, i16, MAX(a, b))
SAME3(v_mad_legacy_u16, u16, (u32)a * b + c, A * B + C)
SAME3(v_mad_legacy_i16, i16, a * b + c, A * B + C)
SAT_KEEP3(v_mad_u16, u16, (u32)a * b + c, A * B + C)
SAT_KEEP3(v_mad_i16, i16, a * b + c, A * B + C)
KEEP3(v_min3_u16, u16, MIN(MIN(a, b), c))
KEEP3(v_max3_u16, u16, MAX(MAX(a, b), c))
KEEP3(v_med3_u16, u16, MED(a, b, c))
KEEP3(v_min3_i16, i16, MIN(MIN(a, b), c))
KEEP3(v_max3_i16, i16, MAX(MAX(a, b), c))
KEEP3(v_med3_i16, i16, MED(a, b, c))

/* --- packed -------------------------------------------------------------- */

#define PACKED_FN(name, suffix, t, type, result)                             \
  static void name##_##suffix(const struct frame *f)                         \
  {                                                                          \
    const u32 *sc = f->s[2] ? f->s[2] : f->s[0];                             \
    EACH_LANE(l) {                                                           \
      u32 r = 0;                                                             \
      for (int n = 0; n < 32; n += 16) {                                     \
        const type a = (t)(f->s[0][l] >> n);                                 \
        const type b = (t)(f->s[1][l] >> n);                                 \
        const type c = (t)(sc[l] >> n);                                      \
        (void)c;                                                             \
        r |= (u32)(u16)(result) << n;                                        \
      }                                                                      \
      f->d[l] = r;                                                           \
    }                                                                        \
  }
/* With clamp the exact value saturates. */
#define PACKED(name, n, t, tc, expr)                                         \
  PACKED_FN(name, body, t, i32, (expr))                                      \
  PACKED_FN(name, sat, t, i64, saturate((expr), LEAST_##t, MOST_##t))        \
  EXEC_FNS(name)                                                             \
  DESCRIBE(name, n, p16, p16, p16, tc, 0, .sat = name##_sat)
#define PACKED_PLAIN(name, t, expr)                                          \
  PACKED_FN(name, body, t, i32, (expr))                                      \
  CUSTOM(name, 2, p16, p16, p16, none, 0)
#define PACKED2(name, t, expr) PACKED(name, 2, t, none, expr)
#define PACKED3(name, t, expr) PACKED(name, 3, t, p16, expr)

PACKED2(v_pk_add_u16, u16, a + b)
PACKED2(v_pk_add_i16, i16, a + b)
PACKED2(v_pk_sub_u16, u16, a - b)
PACKED2(v_pk_sub_i16, i16, a - b)
PACKED2(v_pk_mul_lo_u16, u16, (u32)a * (u32)b)
PACKED3(v_pk_mad_u16, u16, (u32)a * (u32)b + (u32)c)
PACKED3(v_pk_mad_i16, i16, a * b + c)
PACKED_PLAIN(v_pk_lshlrev_b16, u16, b << (a & 15))
PACKED_PLAIN(v_pk_lshrrev_b16, u16, b >> (a & 15))
PACKED_PLAIN(v_pk_ashrrev_i16, i16, b >> (a & 15))
PACKED_PLAIN(v_pk_min_u16, u16, MIN(a, b))
PACKED_PLAIN(v_pk_max_u16, u16, MAX(a, b))
PACKED_PLAIN(v_pk_min_i16, i16, MIN(a, b))
PACKED_PLAIN(v_pk_max_i16, i16, MAX(a, b))
