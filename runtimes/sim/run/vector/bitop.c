/* bitop.c - any function of three bits: its truth table stands where other
 * instructions have signs and factors. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/operand.h"

/* Bit 4a + 2b + c of the table is the result. */
static unsigned truth_table(const struct inst *i)
{
  return i->neg | i->abs << 3 | i->omod << 6;
}

static u32 combine(unsigned table, u32 a, u32 b, u32 c)
{
  u32 d = 0;
  for (unsigned n = 0; n < 8; n++) {
    const u32 take = -(table >> n & 1);
    d |= take & (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
  }
  return d;
}

static void v_bitop3_b32_exec(struct wave *w, const struct inst *i)
{
  static const struct vop op = {.n = 3, .dst = U32, .src = {U32, U32, U32}};
  const unsigned table = truth_table(i);
  struct rows r;
  struct frame f = {.mode = w->mode};
  VEC(sources)(w, i, &op, &r, &f);
  EACH_LANE(l)
    r.result[l] = combine(table, f.s[0][l], f.s[1][l], f.s[2][l]);
  blend(w->v[i->dst], r.result, WAVE_EXEC(w));
}
ALONE(v_bitop3_b32)

/* Half of a dual instruction: its third bit is 0. */
static void v_bitop2_b32_exec(struct wave *w, const struct inst *i)
{
  static const struct vop op = {.n = 2, .dst = U32, .src = {U32, U32}};
  const unsigned table = truth_table(i);
  struct rows r;
  struct frame f = {.mode = w->mode};
  VEC(sources)(w, i, &op, &r, &f);
  EACH_LANE(l)
    r.result[l] = combine(table, f.s[0][l], f.s[1][l], 0);
  blend(w->v[i->dst], r.result, WAVE_EXEC(w));
}
ALONE(v_bitop2_b32)

/* op_sel: which halves, of the result too, whose other half stays. */
static void v_bitop3_b16_exec(struct wave *w, const struct inst *i)
{
  static const struct vop op = {.n = 3, .dst = U32, .src = {U32, U32, U32}};
  const unsigned table = truth_table(i);
  const unsigned up = i->opsel & 8 ? 16 : 0;
  unsigned down[3];
  struct rows r;
  struct frame f = {.mode = w->mode};
  for (int n = 0; n < 3; n++)
    down[n] = i->opsel >> n & 1 ? 16 : 0;
  VEC(sources)(w, i, &op, &r, &f);
  EACH_LANE(l) {
    const u32 d = combine(table, f.s[0][l] >> down[0], f.s[1][l] >> down[1],
                          f.s[2][l] >> down[2]) & 0xffff;
    r.result[l] = (w->v[i->dst][l] & ~(0xffffu << up)) | d << up;
  }
  blend(w->v[i->dst], r.result, WAVE_EXEC(w));
}
ALONE(v_bitop3_b16)
