/* fault.c - what stops a launch, said so that people find the place. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdio.h>

#include "runtimes/sim/dispatch.h"

void wave_fault(struct wave *w, int code, const char *format, ...)
{
  w->state = WAVE_FAULT;
  struct fault *f = &w->fault;
  if (f->code)
    return;
  f->code = code;
  const struct group *g = w->group;
  const struct kernel *k = g->dispatch->kernel;
  const struct object *o = k->object;
  int n = snprintf(f->text, sizeof f->text,
                   "kernel %.80s, workgroup (%u, %u, %u), wave %u: ", k->name,
                   g->id[0], g->id[1], g->id[2], w->index);
  if (w->at < o->ncode)
    n += snprintf(f->text + n, sizeof f->text - n, "%s at +0x%x: ",
                  inst_name(&o->code[w->at]),
                  (unsigned)(w->at - k->entry) * 4);
  va_list args;
  va_start(args, format);
  vsnprintf(f->text + n, sizeof f->text - n, format, args);
  va_end(args);
}
