/* exec.c - see exec.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/exec.h"

#include <stddef.h>

#include "runtimes/sim/run/matrix.h"
#include "runtimes/sim/run/own.h"

/* --- memory instructions whose data are AGPRs ----------------------------- */

static int is_agpr(unsigned code)
{
  return code >= CODE_AGPR;
}

static int names_agpr(const struct inst *i)
{
  return is_agpr(i->src[1]) || is_agpr(i->src[2]) ||
         is_agpr(CODE_VGPR + i->dst);
}

/* AGPRs lie behind the VGPRs: as the number of one. */
static int place(const struct wave *w, uint16_t *code, unsigned width)
{
  if (!is_agpr(*code))
    return 1;
  unsigned number = *code - CODE_AGPR;
  *code = (uint16_t)(CODE_VGPR + w->nv + number);
  return number + width <= w->na;
}

static void with_agprs(struct wave *w, const struct inst *i)
{
  const struct op *o = inst_op(i);
  struct inst moved = *i;
  uint16_t dst = (uint16_t)(CODE_VGPR + i->dst);
  int whole = place(w, &dst, o->dst) && place(w, &moved.src[1], o->src[1]) &&
              place(w, &moved.src[2], i->format == DS ? o->src[2] : 0);
  moved.dst = (uint16_t)(dst - CODE_VGPR);
  if (whole)
    memory_handler(i)(w, &moved);
  else
    wave_fault(w, FAULT_LAUNCH,
               "it names an AGPR beyond the %u that the kernel has; the code "
               "object is damaged", w->na);
}

static exec_fn *handler(const struct inst *code, size_t n, size_t at)
{
  const struct inst *i = &code[at];
  if (i->format >= VOP1 && i->format <= VOPD && !inst_op(i)->matrix)
    return vector_handler(i);
  if (i->format <= SMEM)
    return scalar_handler(i);
  if (i->format == VOP3P)
    return matrix_handler(code, n, at);
  exec_fn *found = memory_handler(i);
  return found && names_agpr(i) ? with_agprs : found;
}

#define AS(...)
#define NAMED(...)
#define NEW(format, op, name, ...) {format, op, own_##name},
static const struct {
  uint16_t format, op;
  exec_fn *exec;
} own[] = {
#include "runtimes/sim/isa/ops_gfx1250.def"
};
#undef NEW
#undef NAMED
#undef AS

static exec_fn *own_of(const struct inst *i)
{
  for (size_t n = 0; n < sizeof own / sizeof *own; n++)
    if (own[n].format == i->format && own[n].op == i->op)
      return own[n].exec;
  return NULL;
}

static void bind(struct inst *code, size_t n, size_t at)
{
  struct inst *i = &code[at];
  const struct op *o = i->legal ? inst_op(i) : NULL;
  i->exec = NULL;
  if (!o)
    return;
  i->as = o->like;
  if (o->way == WAY_LIKE)
    i->exec = handler(code, n, at);
  else if (o->way == WAY_OWN)
    i->exec = own_of(i);
}

void exec_bind(struct inst *code, size_t n)
{
  for (size_t at = 0; at < n; at++)
    bind(code, n, at);
}
