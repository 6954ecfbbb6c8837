/* select.c - v_cndmask_b32: one of two operands by a bit a lane. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

static void v_cndmask_b32_body(const struct frame *f)
{
  EACH_LANE(l) {
    const u32 take = f->cond[l];
    f->d[l] = (f->s[1][l] & take) | (f->s[0][l] & ~take);
  }
}

/* By kind of operand, where all lanes are on: the mask is spread as it goes. */
INLINE void choose(u32 *d, const u32 *a, int sa, const u32 *b, u64 mask)
{
  for (int n = 0; n < LANES; n += 32) {
    const u32 half = (u32)(mask >> n);
    NO_ORDER for (int l = 0; l < 32; l++) {
      const u32 take = lane_take(half, l);
      d[n + l] = (b[n + l] & take) | (a[(n + l) * sa] & ~take);
    }
  }
}

EXEC_FNS(v_cndmask_b32)

static void v_cndmask_b32_vv(struct wave *w, const struct inst *i)
{
  if (WAVE_EXEC(w) == ~(u64)0)
    choose(w->v[i->dst], w->v[i->src[0] - CODE_VGPR], 1,
           w->v[i->src[1] - CODE_VGPR], scalar_read64(w, i, i->src[2]));
  else
    v_cndmask_b32_plain(w, i);
}

static void v_cndmask_b32_sv(struct wave *w, const struct inst *i)
{
  const u32 k = scalar_read(w, i, i->src[0]);
  if (WAVE_EXEC(w) == ~(u64)0)
    choose(w->v[i->dst], &k, 0, w->v[i->src[1] - CODE_VGPR],
           scalar_read64(w, i, i->src[2]));
  else
    v_cndmask_b32_plain(w, i);
}

DESCRIBE(v_cndmask_b32, 2, b32, b32, b32, none, V_COND,
         .vv = v_cndmask_b32_vv, .sv = v_cndmask_b32_sv)
