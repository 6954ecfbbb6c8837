/* bitop.c - any function of three bits: its truth table stands where other
 * instructions have signs and factors. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/operand.h"

/* Bit 4a + 2b + c of the table is the result. */
static unsigned truth_table(const struct inst *i)
{
  return i->neg | i->abs << 3 | i->omod << 6;
}

static void v_bitop3_b32_exec(struct wave *w, const struct inst *i)
{
  static const struct vop op = {.n = 3, .dst = U32, .src = {U32, U32, U32}};
  const unsigned table = truth_table(i);
  struct rows r;
  struct frame f = {.mode = w->mode};
  VEC(sources)(w, i, &op, &r, &f);
  EACH_LANE(l) {
    const u32 a = f.s[0][l], b = f.s[1][l], c = f.s[2][l];
    u32 d = 0;
    for (unsigned n = 0; n < 8; n++) {
      const u32 take = -(table >> n & 1);
      d |= take & (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
    }
    r.result[l] = d;
  }
  blend(w->v[i->dst], r.result, WAVE_EXEC(w));
}
ALONE(v_bitop3_b32)
