/* fault.c - what stops a launch, said so that people find the place. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdio.h>

#include "runtimes/sim/run/dispatch.h"

/* A place in the kernel's own code is known by its distance from the entry;
 * one in what the kernel calls by the function's name, if the object has it. */
static int put_place(const struct wave *w, const struct kernel *k, char *to,
                     size_t room)
{
  const struct object *o = w->code;
  const char *name = inst_name(&o->code[w->at]);
  const uint64_t at = o->text_base + (uint64_t)w->at * 4;
  const uint64_t entry = k->object->text_base + (uint64_t)k->entry * 4;
  const struct symbol *f = object_function(o, at);
  if (f && f->address != entry)
    return snprintf(to, room, "%s in %.80s+0x%x: ", name, f->name,
                    (unsigned)(at - f->address));
  return snprintf(to, room, "%s at %c0x%x: ", name, at < entry ? '-' : '+',
                  (unsigned)(at < entry ? entry - at : at - entry));
}

void wave_place(const struct wave *w, uint32_t at, char *to, size_t room)
{
  struct wave there = *w;
  there.at = at;
  put_place(&there, w->group->dispatch->kernel, to, room);
}

void wave_fault(struct wave *w, int code, const char *format, ...)
{
  w->state = WAVE_FAULT;
  struct fault *f = &w->fault;
  if (f->code)
    return;
  f->code = code;
  const struct group *g = w->group;
  const struct kernel *k = g->dispatch->kernel;
  int n = snprintf(f->text, sizeof f->text,
                   "kernel %.80s, workgroup (%u, %u, %u), wave %u: ", k->name,
                   g->id[0], g->id[1], g->id[2], w->index);
  if (w->at < w->code->ncode)
    n += put_place(w, k, f->text + n, sizeof f->text - n);
  va_list args;
  va_start(args, format);
  vsnprintf(f->text + n, sizeof f->text - n, format, args);
  va_end(args);
}
