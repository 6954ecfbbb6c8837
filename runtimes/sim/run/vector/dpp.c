/* dpp.c - data parallel primitives: source 0 from another lane. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/operand.h"

/* dpp_ctrl by its upper bits; n is the low digit. Each gives the lane that
 * lane l reads, or -1. A row is 16 lanes. */
static int in_row(int l, int from)
{
  return from >= 0 && from >> 4 == l >> 4 ? from : -1;
}

static int wave_move(int ctrl, int l)
{
  switch (ctrl) {
  case 0x130: return l < 63 ? l + 1 : -1; /* wave_shl:1 */
  case 0x134: return (l + 1) & 63;        /* wave_rol:1 */
  case 0x138: return l - 1;               /* wave_shr:1 */
  case 0x13c: return (l - 1) & 63;        /* wave_ror:1 */
  default: return -1;
  }
}

static int row_move(int ctrl, int l)
{
  switch (ctrl) {
  case 0x140: return l ^ 15;                       /* row_mirror */
  case 0x141: return l ^ 7;                        /* row_half_mirror */
  case 0x142: return l < 16 ? -1 : (l & 48) - 1;   /* row_bcast:15 */
  case 0x143: return l < 32 ? -1 : 31;             /* row_bcast:31 */
  default: return -1;
  }
}

static int dpp_lane(int ctrl, int l)
{
  const int n = ctrl & 15;
  if (ctrl < 0x100) /* quad_perm */
    return (l & ~3) + (ctrl >> 2 * (l & 3) & 3);
  switch (ctrl >> 4) {
  case 0x10: return in_row(l, l + n);             /* row_shl */
  case 0x11: return in_row(l, l - n);             /* row_shr */
  case 0x12: return (l & 48) + ((l - n) & 15);    /* row_ror */
  case 0x13: return wave_move(ctrl, l);
  case 0x15: return (l & 48) + n;                 /* row_newbcast */
  case 0x16: return l ^ n;                        /* row_xmask */
  default: return row_move(ctrl, l);
  }
}

static int source_lane(const struct inst *i, int l)
{
  if (i->flags & INST_DPP8)
    return (l & ~7) + (i->imm >> 3 * (l & 7) & 7);
  return dpp_lane(i->dpp, l);
}

/* Rows and banks that the masks leave on: a bank is four lanes of each row. */
static u64 enabled(const struct inst *i)
{
  u64 lanes = 0;
  for (int l = 0; l < LANES; l++)
    if (i->rowmask >> (l >> 4) & 1 && i->bankmask >> (l >> 2 & 3) & 1)
      lanes |= (u64)1 << l;
  return lanes;
}

/* A lane that reads from outside, or from a lane that EXEC switches off, gets
 * a 0 with bound_ctrl, and does not write without. */
u64 VEC(dpp)(const struct wave *w, const struct inst *i, const u32 *from,
             u32 *to)
{
  const int zero = !!(i->flags & INST_BOUND_CTRL);
  const u64 on = i->flags & INST_INACTIVE ? ~(u64)0 : WAVE_EXEC(w);
  u64 lanes = enabled(i);
  for (int l = 0; l < LANES; l++) {
    const int k = source_lane(i, l);
    const int valid = k >= 0 && on >> k & 1;
    to[l] = valid ? from[k] : 0;
    if (!valid && !zero)
      lanes &= ~((u64)1 << l);
  }
  return lanes;
}
