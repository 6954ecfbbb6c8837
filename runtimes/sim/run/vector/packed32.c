/* packed32.c - two numbers of 32 bits at once, of pairs of registers.
 *
 * op_sel says which half of a source's pair the low result is made of,
 * op_sel_hi the same of the high one. neg_lo and neg_hi (here neg and abs) are
 * signs of the two.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/operand.h"

enum {SOURCES = 3, HALVES = 2};

/* The rows that a result is made of. */
struct halves {
  u32 row[SOURCES][LANES] ROW;
};

/* Of a constant, which has 32 bits, the high half is 0. */
static u32 scalar_half(const struct wave *w, const struct inst *i,
                       unsigned code, int high)
{
  if (code >= CODE_INLINE)
    return high ? 0 : scalar_read(w, i, code);
  return (u32)(scalar_read64(w, i, code) >> (high ? 32 : 0));
}

static void read_half(const struct wave *w, const struct inst *i, int n,
                      int half, u32 *to)
{
  const int high = (half ? i->opselhi : i->opsel) >> n & 1;
  const u32 flip = (u32)((half ? i->abs : i->neg) >> n & 1) << 31;
  const unsigned code = i->src[n];
  const u32 *from = code >= CODE_VGPR ? w->v[code - CODE_VGPR + high] : NULL;
  const u32 all = from ? 0 : scalar_half(w, i, code, high);
  EACH_LANE(l) to[l] = (from ? from[l] : all) ^ flip;
}

typedef void pair_fn(u32 *d, const u32 *a, const u32 *b, const u32 *c);

/* The row of a half, a scalar's in `filled`. */
INLINE const u32 *half_row(const struct wave *w, const struct inst *i, int n,
                           int half, u32 *filled)
{
  const int high = (half ? i->opselhi : i->opsel) >> n & 1;
  const unsigned code = i->src[n];
  if (code >= CODE_VGPR)
    return w->v[code - CODE_VGPR + high];
  const u32 all = scalar_half(w, i, code, high);
  EACH_LANE(l) filled[l] = all;
  return filled;
}

/* What compilers mostly emit: no signs, and all lanes write. The results go straight
 * to their registers if the high one is not made of what the low one was. 0: nothing
 * is done. */
INLINE int plain(struct wave *w, const struct inst *i, int n, pair_fn *fn)
{
  struct halves filled[HALVES];
  const u32 *low[SOURCES], *high[SOURCES];
  u32 *d = w->v[i->dst];
  if (i->neg | i->abs || WAVE_EXEC(w) != ~(u64)0 || !mode_is_usual(w))
    return 0;
  for (int k = 0; k < n; k++) {
    low[k] = half_row(w, i, k, 0, filled[0].row[k]);
    high[k] = half_row(w, i, k, 1, filled[1].row[k]);
    if (high[k] == d)
      return 0;
  }
  fn(d, low[0], low[1], low[n - 1]);
  fn(w->v[i->dst + 1], high[0], high[1], high[n - 1]);
  return 1;
}

INLINE void packed(struct wave *w, const struct inst *i, int n, pair_fn *fn)
{
  struct halves s;
  ROW u32 result[HALVES][LANES];
  const int flush_in = !(w->mode & MODE_DENORM_32 & 0x10);
  const int flush_out = !(w->mode & MODE_DENORM_32 & 0x20);
  if (plain(w, i, n, fn))
    return;
  for (int half = 0; half < HALVES; half++) {
    for (int k = 0; k < n; k++) {
      read_half(w, i, k, half, s.row[k]);
      if (flush_in)
        VEC(flush)(s.row[k], F32);
    }
    fn(result[half], s.row[0], s.row[1], s.row[n - 1]);
    if (flush_out)
      VEC(flush)(result[half], F32);
  }
  for (int half = 0; half < HALVES; half++)
    blend(w->v[i->dst + half], result[half], WAVE_EXEC(w));
}

#define PACKED(name, n, tc, expr)                                            \
  FLANES_FN(name, f32, f32, f32, tc, expr)                                   \
  INLINE void name##_pair(u32 *d, const u32 *a, const u32 *b, const u32 *c)  \
  {                                                                          \
    name##_lanes(d, a, 1, b, 1, n > 2 ? c : NULL, n > 2);                    \
  }                                                                          \
  static void name##_exec(struct wave *w, const struct inst *i)              \
  {                                                                          \
    packed(w, i, n, name##_pair);                                            \
  }                                                                          \
  ALONE(name)

PACKED(v_pk_add_f32, 2, none, a + b)
PACKED(v_pk_mul_f32, 2, none, a * b)
PACKED(v_pk_fma_f32, 3, f32, fmaf(a, b, c))

/* The low half is of the first source, the high one of the second, as op_sel
 * says of both. */
static void v_pk_mov_b32_exec(struct wave *w, const struct inst *i)
{
  ROW u32 result[HALVES][LANES];
  for (int n = 0; n < HALVES; n++) {
    const int high = i->opsel >> n & 1;
    const unsigned code = i->src[n];
    const u32 *from = code >= CODE_VGPR ? w->v[code - CODE_VGPR + high] : NULL;
    const u32 all = from ? 0 : scalar_half(w, i, code, high);
    EACH_LANE(l) result[n][l] = from ? from[l] : all;
  }
  for (int n = 0; n < HALVES; n++)
    blend(w->v[i->dst + n], result[n], WAVE_EXEC(w));
}
ALONE(v_pk_mov_b32)
