/* issue.h - when an instruction issues and what it then occupies. */
// SPDX-License-Identifier: MIT
#ifndef sim_issue_h
#define sim_issue_h

#include "runtimes/sim/timing/cu.h"

/* The first turn of SIMD i at or after t. */
static inline double issue_turn(double t, unsigned i)
{
  int64_t turn = (int64_t)((t - i) / SIMDS);
  if ((double)(turn * SIMDS + i) < t)
    turn++;
  return (double)(turn * SIMDS + i);
}

/* The unit that the wave's next instruction wants: one bit, or 0 for what
 * the instruction buffer handles itself (s_waitcnt, s_nop, s_barrier). */
static inline unsigned issue_kind(const struct slot *s)
{
  static const uint8_t kinds[UNIT_N] = {
      [UNIT_VALU] = 1, [UNIT_SALU] = 2, [UNIT_SMEM] = 2,
      [UNIT_LDS] = 4,  [UNIT_VMEM] = 8, [UNIT_BRANCH] = 16,
  };
  return kinds[s->unit];
}

/* The earliest time for it, by what is known now. */
static inline double issue_when(const struct cu *u, const struct slot *s)
{
  double free = s->ready;
  switch (s->unit) {
  case UNIT_VALU: free = u->simd[s->simd].valu; break;
  case UNIT_LDS: free = lds_free(&u->lds, s->simd); break;
  case UNIT_VMEM: free = vmem_ready(&u->vmem); break;
  }
  return free > s->ready ? free : s->ready;
}

/* Bring s->ready and s->unit up to date with s->at, the wait counters and the
 * next instruction. */
void issue_prepare(struct cu *u, struct slot *s);

/* Execute it at time t. */
void issue(struct cu *u, struct slot *s, double t);

/* A wave may issue at its ready time: its SIMD has a turn then. */
void issue_wake(struct cu *u, const struct slot *s);

#endif
