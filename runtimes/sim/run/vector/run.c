/* run.c - one instruction: sources, lanes, result. */
// SPDX-License-Identifier: MIT
#include <fenv.h>

#include "runtimes/sim/run/vector/operand.h"

void VEC(run_plain)(struct wave *w, const struct inst *i, const struct vop *op)
{
  if (op->flags & V_FLOAT && !mode_is_usual(w)) {
    VEC(run)(w, i, op);
    return;
  }
  struct rows r;
  struct frame f = {.mask = r.mask, .mode = w->mode};
  VEC(sources)(w, i, op, &r, &f);
  const int words = VEC(type_words)(op->dst);
  u32 *d = words ? w->v[i->dst] : r.result;
  /* Two rows may overlap with a source's: those must not be written early. */
  f.d = words == 1 && WAVE_EXEC(w) == ~(u64)0 ? d : r.result;
  op->body(&f);
  r.lanes = WAVE_EXEC(w);
  if (f.d != d)
    for (int k = 0; k < words; k++)
      blend(d + LANES * k, r.result + LANES * k, r.lanes);
  if (op->flags & V_MASK)
    VEC(write_mask)(w, i, op, &r);
}

int VEC(rounding)(u32 mode, enum type t)
{
  static const int fenv[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                               FE_TOWARDZERO };
  switch (t) {
  case F32: case Z32: return fenv[mode & MODE_ROUND_32];
  case F16: case H16: case F64: return fenv[(mode & MODE_ROUND_64) >> 2];
  default: return FE_TONEAREST;
  }
}

void VEC(run)(struct wave *w, const struct inst *i, const struct vop *op)
{
  struct rows r;
  struct frame f = {.d = r.result, .mask = r.mask, .mode = w->mode};
  r.lanes = WAVE_EXEC(w);
  VEC(sources)(w, i, op, &r, &f);
  VEC(modify)(w, i, op, &r, &f);
  const int round = VEC(rounding)(w->mode, op->dst);
  if (round != FE_TONEAREST)
    fesetround(round);
  if (i->flags & INST_CLAMP && op->sat)
    op->sat(&f);
  else
    op->body(&f);
  VEC(finish)(w, i, op, &r, &f);
  if (round != FE_TONEAREST)
    fesetround(FE_TONEAREST);
  if (op->flags & V_MASK)
    VEC(write_mask)(w, i, op, &r);
}
