/* across.c - what reads or writes single lanes, or counts them. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

static u32 lane_of(const struct wave *w, const struct inst *i, unsigned code,
                   unsigned lane)
{
  return code < CODE_VGPR ? scalar_read(w, i, code)
                          : w->v[code - CODE_VGPR][lane];
}

static unsigned lane_select(const struct wave *w, const struct inst *i)
{
  const unsigned code = i->src[1];
  const unsigned last = w->half ? 31 : 63;
  return (code < CODE_VGPR ? scalar_read(w, i, code)
                           : w->v[code - CODE_VGPR][0]) & last;
}

/* Without a lane that is on, lane 0. */
static void v_readfirstlane_b32_exec(struct wave *w, const struct inst *i)
{
  const u64 on = WAVE_EXEC(w);
  const unsigned lane = on ? (unsigned)__builtin_ctzll(on) : 0;
  scalar_write(w, i->dst, lane_of(w, i, i->src[0], lane));
}
ALONE(v_readfirstlane_b32)

/* readlane and writelane do not look at EXEC. */
static void v_readlane_b32_exec(struct wave *w, const struct inst *i)
{
  scalar_write(w, i->dst, lane_of(w, i, i->src[0], lane_select(w, i)));
}
ALONE(v_readlane_b32)

static void v_writelane_b32_exec(struct wave *w, const struct inst *i)
{
  w->v[i->dst][lane_select(w, i)] = lane_of(w, i, i->src[0], 0);
}
ALONE(v_writelane_b32)

/* A lane takes what a lane of its row of 16 has, or of the row beside it; 4 bits a
 * lane of src1 and src2 say which. One that is off counts by op_sel[0]; by
 * op_sel[1] it counts as 0; else the destination stays. */
static void permlane(struct wave *w, const struct inst *i, unsigned beside)
{
  const u64 on = WAVE_EXEC(w);
  const u64 which = pair(lane_of(w, i, i->src[1], 0), lane_of(w, i, i->src[2], 0));
  ROW u32 t[LANES];
  memcpy(t, w->v[i->dst], sizeof t);
  for (unsigned l = 0; l < LANES; l++) {
    const unsigned row = (l & ~15u) ^ beside;
    const unsigned from = row + (which >> 4 * (l & 15) & 15);
    if (on >> from & 1 || i->opsel & 1)
      t[l] = lane_of(w, i, i->src[0], from);
    else if (i->opsel & 2)
      t[l] = 0;
  }
  blend(w->v[i->dst], t, on);
}

static void v_permlane16_b32_exec(struct wave *w, const struct inst *i)
{
  permlane(w, i, 0);
}
ALONE(v_permlane16_b32)

static void v_permlanex16_b32_exec(struct wave *w, const struct inst *i)
{
  permlane(w, i, 16);
}
ALONE(v_permlanex16_b32)

static void v_swap_b32_exec(struct wave *w, const struct inst *i)
{
  u32 *a = w->v[i->dst], *b = w->v[i->src[0] - CODE_VGPR];
  ROW u32 t[LANES];
  memcpy(t, a, sizeof t);
  blend(a, b, WAVE_EXEC(w));
  blend(b, t, WAVE_EXEC(w));
}
ALONE(v_swap_b32)

/* Rows of 16, or 32, lanes: the odd ones of the destination and the even ones of the
 * source change places. A lane that is off keeps what it has; what it would give away
 * counts by op_sel[0], is 0 by op_sel[1], or is not taken (assumed: AMD's text has no
 * word about EXEC). */
static void permlane_swap(struct wave *w, const struct inst *i, unsigned rows)
{
  u32 *odd = w->v[i->dst], *even = w->v[i->src[0] - CODE_VGPR];
  const u64 on = WAVE_EXEC(w);
  for (unsigned l = 0; l < LANES; l++) {
    if (l & rows)
      continue;
    const unsigned m = l + rows;
    const int here = on >> l & 1, there = on >> m & 1;
    const int taken = (here && there) || i->opsel & 3;
    const u32 down = there || i->opsel & 1 ? odd[m] : 0;
    const u32 up = here || i->opsel & 1 ? even[l] : 0;
    even[l] = here && taken ? down : even[l];
    odd[m] = there && taken ? up : odd[m];
  }
}

static void v_permlane16_swap_b32_exec(struct wave *w, const struct inst *i)
{
  permlane_swap(w, i, 16);
}
ALONE(v_permlane16_swap_b32)

static void v_permlane32_swap_b32_exec(struct wave *w, const struct inst *i)
{
  permlane_swap(w, i, 32);
}
ALONE(v_permlane32_swap_b32)

/* M0 registers further on, of the source or of the destination. */
static u32 *further(struct wave *w, unsigned number)
{
  const u64 at = (u64)number + w->s[CODE_M0];
  if (at < w->nv)
    return w->v[at];
  wave_fault(w, FAULT_LAUNCH,
             "M0 = %u leads from v%u past v%u, the kernel's last VGPR",
             w->s[CODE_M0], number, w->nv - 1);
  return NULL;
}

static void v_movrels_b32_exec(struct wave *w, const struct inst *i)
{
  const u32 *from = further(w, i->src[0] - CODE_VGPR);
  if (from)
    blend(w->v[i->dst], from, WAVE_EXEC(w));
}
ALONE(v_movrels_b32)

static void v_movreld_b32_exec(struct wave *w, const struct inst *i)
{
  u32 *to = further(w, i->dst);
  ROW u32 t[LANES];
  for (unsigned l = 0; to && l < LANES; l++)
    t[l] = lane_of(w, i, i->src[0], l);
  if (to)
    blend(to, t, WAVE_EXEC(w));
}
ALONE(v_movreld_b32)

/* --- AGPRs, which lie behind the VGPRs ------------------------------------ */

static u32 *agpr(struct wave *w, unsigned number)
{
  if (number < w->na)
    return w->v[w->nv + number];
  wave_fault(w, FAULT_LAUNCH,
             "it names a%u, the kernel has %u AGPRs; the code object is "
             "damaged", number, w->na);
  return NULL;
}

static void v_accvgpr_read_b32_exec(struct wave *w, const struct inst *i)
{
  const u32 *from = agpr(w, i->src[0] - CODE_AGPR);
  if (from)
    blend(w->v[i->dst], from, WAVE_EXEC(w));
}
ALONE(v_accvgpr_read_b32)

static void v_accvgpr_write_b32_exec(struct wave *w, const struct inst *i)
{
  u32 *to = agpr(w, i->dst - (CODE_AGPR - CODE_VGPR));
  ROW u32 t[LANES];
  for (unsigned l = 0; to && l < LANES; l++)
    t[l] = lane_of(w, i, i->src[0], l);
  if (to)
    blend(to, t, WAVE_EXEC(w));
}
ALONE(v_accvgpr_write_b32)

static void v_accvgpr_mov_b32_exec(struct wave *w, const struct inst *i)
{
  const u32 *from = agpr(w, i->src[0] - CODE_AGPR);
  u32 *to = agpr(w, i->dst - (CODE_AGPR - CODE_VGPR));
  if (from && to)
    blend(to, from, WAVE_EXEC(w));
}
ALONE(v_accvgpr_mov_b32)

static void v_nop_exec(struct wave *w, const struct inst *i)
{
  (void)w, (void)i;
}
ALONE(v_nop)

/* Exception flags of the trap handler are not kept. */
static void v_clrexcp_exec(struct wave *w, const struct inst *i)
{
  (void)w, (void)i;
}
ALONE(v_clrexcp)

/* Bits of a below this lane, in the wave's low and high half. */
static u32 below(u32 a, int l, int half)
{
  const u64 mask = ((u64)1 << l) - 1;
  return (u32)__builtin_popcount(a & (u32)(mask >> 32 * half));
}

static void v_mbcnt_lo_u32_b32_body(const struct frame *f)
{
  for (int l = 0; l < LANES; l++)
    f->d[l] = f->s[1][l] + below(f->s[0][l], l, 0);
}
CUSTOM(v_mbcnt_lo_u32_b32, 2, u32, u32, u32, none, 0)

static void v_mbcnt_hi_u32_b32_body(const struct frame *f)
{
  for (int l = 0; l < LANES; l++)
    f->d[l] = f->s[1][l] + below(f->s[0][l], l, 1);
}
CUSTOM(v_mbcnt_hi_u32_b32, 2, u32, u32, u32, none, 0)

/* Byte number s & 7 of the two words; 8 to 11 the sign of byte 1, 3, 5 or 7;
 * 12 is 0 and what is above is 0xff. */
INLINE u32 pick_byte(u32 lo, u32 hi, u32 s)
{
  const u32 at = s < 8 ? s : 2 * s + 1;
  const u32 byte = (at & 4 ? hi : lo) >> 8 * (at & 3) & 0xff;
  const u32 sign = -(byte >> 7) & 0xff;
  const u32 fixed = s == 12 ? 0 : 0xff;
  return s < 8 ? byte : s < 12 ? sign : fixed;
}

INLINE u32 permute(u32 lo, u32 hi, u32 s)
{
  return pick_byte(lo, hi, s & 0xff) | pick_byte(lo, hi, s >> 8 & 0xff) << 8 |
         pick_byte(lo, hi, s >> 16 & 0xff) << 16 |
         pick_byte(lo, hi, s >> 24) << 24;
}

OP3(v_perm_b32, u32, u32, u32, u32, permute(b, a, c))
