/* plain.h - sources of instructions whose modifiers mean something of their own. */
// SPDX-License-Identifier: MIT
#ifndef sim_vector_plain_h
#define sim_vector_plain_h

#include "runtimes/sim/run/vector/operand.h"

/* Source n as it is encoded: a register's row, or `room` filled with the scalar. */
INLINE const u32 *plain_source(const struct wave *w, const struct inst *i, int n,
                               u32 *room)
{
  const unsigned code = i->src[n];
  if (code >= CODE_VGPR)
    return w->v[code - CODE_VGPR];
  const u32 x = scalar_read(w, i, code);
  EACH_LANE(l) room[l] = x;
  return room;
}

/* The same as an f32 with its signs. */
INLINE void plain_float(const struct wave *w, const struct inst *i, int n, u32 *to)
{
  const u32 *from = plain_source(w, i, n, to);
  const u32 keep = i->abs >> n & 1 ? 0x7fffffff : ~(u32)0;
  const u32 flip = (u32)(i->neg >> n & 1) << 31;
  EACH_LANE(l) to[l] = (from[l] & keep) ^ flip;
}

/* 16 bits into the half of the destination that op_sel says; the other one stays. */
INLINE void plain_half(struct wave *w, const struct inst *i, const u32 *half)
{
  u32 *d = w->v[i->dst];
  const int high = i->opsel >> 3 & 1;
  ROW u32 row[LANES];
  if (high)
    EACH_LANE(l) row[l] = (d[l] & 0xffff) | half[l] << 16;
  else
    EACH_LANE(l) row[l] = (d[l] & 0xffff0000) | (half[l] & 0xffff);
  blend(d, row, WAVE_EXEC(w));
}

#endif
