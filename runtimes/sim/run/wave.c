/* wave.c - executing a wave's instructions. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/run/dispatch.h"

static void refuse(struct wave *w, const struct inst *i)
{
  if (i->exec)
    wave_fault(w, FAULT_LAUNCH,
               "it names v%u, the kernel has %u VGPRs; the code object is "
               "damaged", i->vgprs - 1u, w->nv);
  else if (inst_op(i))
    wave_fault(w, FAULT_LAUNCH,
               "this form of the instruction is not implemented by the "
               "simulated device");
  else
    wave_fault(w, FAULT_LAUNCH,
               "not an instruction of %s that the simulated device knows",
               isa_at(i->isa)->name);
}

static int is_vector(const struct inst *i)
{
  return i->format >= VOP1 && i->format <= VOPD;
}

/* M0 bits 15:12 say which of src0, src1, src2, dst are moved on by bits 7:0;
 * carry and mask destinations are SGPRs and stay. */
static int apply_index(const struct wave *w, struct inst *i)
{
  const struct op *o = inst_op(i);
  unsigned by = w->s[CODE_M0] & 0xff, which = w->s[CODE_M0] >> 12;
  unsigned highest = 0;
  for (int n = 0; n < 3; n++) {
    if (i->src[n] < CODE_VGPR)
      continue;
    i->src[n] += which >> n & 1 ? by : 0;
    unsigned end = i->src[n] - CODE_VGPR + (o->src[n] & OP_WIDTH);
    highest = end > highest ? end : highest;
  }
  if (i->format != VOPC && !(o->dst & OP_SCALAR)) {
    i->dst += which >> 3 & 1 ? by : 0;
    unsigned end = i->dst + (o->dst & OP_WIDTH);
    highest = end > highest ? end : highest;
  }
  i->vgprs = highest;
  return highest <= w->nv;
}

/* VGPR numbers of an instruction get two more bits. Buffers' data are named in
 * the destination's field. */
static void apply_msb(const struct wave *w, struct inst *i)
{
  const struct op *o = inst_op(i);
  unsigned dst = (w->msb >> 6 & 3) << 8;
  int buffer = i->format == MUBUF;
  for (int n = 0; n < 3; n++)
    if (i->src[n] >= CODE_VGPR)
      i->src[n] += buffer && n == 1 ? dst : (w->msb >> 2 * n & 3) << 8;
  if (i->format != VOPC && !(o->dst & OP_SCALAR))
    i->dst += dst;
}

static int beyond(const struct wave *w, unsigned code, unsigned width)
{
  return width && code >= CODE_VGPR && code - CODE_VGPR + width > w->nv;
}

static int names_beyond(const struct wave *w, const struct inst *i)
{
  const struct op *o = inst_op(i);
  int found = 0;
  for (int n = 0; n < 3; n++)
    found |= beyond(w, i->src[n], inst_source_width(i, n));
  if (i->format != VOPC && !(o->dst & OP_SCALAR))
    found |= beyond(w, CODE_VGPR + i->dst, o->dst & OP_WIDTH);
  return found;
}

static void run_msb(struct wave *w, const struct inst *i)
{
  struct inst moved = *i;
  apply_msb(w, &moved);
  if (names_beyond(w, &moved))
    wave_fault(w, FAULT_LAUNCH,
               "s_set_vgpr_msb 0x%x leads past v%u, the kernel's last VGPR",
               w->msb, w->nv - 1);
  else
    moved.exec(w, &moved);
}

/* The rare states of MODE that change what vector instructions do. */
static void run_special(struct wave *w, const struct inst *i)
{
  if (w->mode & MODE_MSB) {
    if (i->format >= VOP1)
      run_msb(w, i);
    else
      i->exec(w, i);
    return;
  }
  if (w->mode & MODE_VSKIP && i->format >= VOP1)
    return;
  if (!(w->mode & MODE_GPR_IDX) || !is_vector(i)) {
    i->exec(w, i);
    return;
  }
  struct inst moved = *i;
  if (apply_index(w, &moved))
    moved.exec(w, &moved);
  else
    wave_fault(w, FAULT_LAUNCH,
               "register indexing by M0 = %u reaches v%u, the kernel has %u "
               "VGPRs", w->s[CODE_M0] & 0xff, moved.vgprs - 1u, w->nv);
}

static inline void step(struct wave *w, const struct object *o)
{
  w->at = w->pc;
  if (w->pc >= o->ncode) {
    wave_fault(w, FAULT_LAUNCH, "the wave ran out of the kernel's code");
    return;
  }
  const struct inst *i = &o->code[w->pc];
  if (!i->exec || i->vgprs > w->nv) {
    refuse(w, i);
    return;
  }
  w->pc += i->words;
  w->executed++;
  w->counts[i->op_class]++;
  if (w->mode & (MODE_GPR_IDX | MODE_VSKIP | MODE_MSB))
    run_special(w, i);
  else
    i->exec(w, i);
}

void wave_step(struct wave *w)
{
  w->access.n = 0;
  step(w, w->group->dispatch->kernel->object);
}

void wave_execute(struct wave *w)
{
  w->access.n = 0;
  step(w, w->code);
}

/* Pass over what is idle at w's place; 0: nothing is, or more than w may execute. */
static int pass_over(struct wave *w, const struct idle *idle, uint64_t end)
{
  const struct idle *i = idle ? &idle[w->pc] : NULL;
  if (!i || !i->insts || w->executed + i->insts > end)
    return 0;
  w->executed += i->insts;
  w->pc += i->dwords;
  return 1;
}

int wave_loop(struct wave *w, uint32_t first, uint32_t last, uint64_t end,
              double *hits, double *idled)
{
  const struct dispatch *d = w->group->dispatch;
  const struct object *o = d->kernel->object;
  while (w->state == WAVE_RUN && w->executed < end) {
    uint32_t at = w->pc - first;
    if (at > last - first)
      return 0;
    if (pass_over(w, d->idle, end)) {
      idled[at]++;
    } else {
      hits[at]++;
      w->access.n = 0;
      step(w, o);
    }
  }
  return 1;
}

void wave_visit(struct wave *w)
{
  const struct dispatch *d = w->group->dispatch;
  while (w->code != d->kernel->object && w->state == WAVE_RUN &&
         !wave_overran(w, d->limit))
    if (d->watch)
      d->watch->step(d->watch, w);
    else
      step(w, w->code);
  if (w->state == WAVE_BARRIER)
    wave_fault(w, FAULT_LAUNCH,
               "a barrier in a function of another code object is not "
               "implemented by the simulated device");
  w->access.n = 0;
}

uint64_t wave_run(struct wave *w, uint64_t budget)
{
  const struct object *o = w->group->dispatch->kernel->object;
  struct watch *watch = w->group->dispatch->watch;
  uint64_t before = w->executed, end = before + budget;
  while (watch && w->state == WAVE_RUN && w->executed < end)
    watch->step(watch, w);
  while (w->state == WAVE_RUN && w->executed < end)
    step(w, o);
  return w->executed - before;
}
