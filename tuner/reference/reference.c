/* reference.c - the table of references: see reference.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/reference.h"

#include <string.h>

#include "base/suggest.h"

static const struct reference *const references[] = {
    &reference_dot,
    &reference_gemm,
    &reference_gload,
    &reference_int4,
    &reference_kv,
    &reference_lane,
    &reference_lds,
    &reference_qdq,
    &reference_quant,
};

enum {REFERENCES = sizeof references / sizeof *references};

int reference_find(const struct reference_job *job,
                   const struct reference **out, struct err *e)
{
  const char *names[REFERENCES];
  const char *name = family_reference(job->family);
  for (size_t i = 0; i < REFERENCES; i++) {
    names[i] = references[i]->name;
    *out = references[i];
    if (!strcmp(names[i], name))
      return references[i]->check(job, e);
  }
  const char *near = suggest(name, names, REFERENCES);
  return err_set(e, ERR_FAILED, "%s.lua: there is no reference '%s'; there "
                 "is '%s'", family_name(job->family), name,
                 near ? near : names[0]);
}

int reference_all(const struct reference *r, const struct reference_job *job,
                  size_t b, struct expected *out, struct err *e)
{
  if (r->all)
    return r->all(job, b, out, e);
  for (size_t i = 0; i < job->plan->buffers[b].elements; i++)
    out[i] = r->one(job, b, i);
  return 0;
}

struct expected reference_exactly(uint32_t word)
{
  return (struct expected){.want = (double)(int32_t)word};
}

int reference_buffer(const struct plan *plan, const char *name)
{
  for (size_t i = 0; i < plan->nbuffers; i++)
    if (!strcmp(plan->buffers[i].name, name))
      return (int)i;
  return -1;
}

int reference_holds(const struct plan *plan, int buffer, const char *type,
                    size_t elements)
{
  if (buffer < 0)
    return 0;
  const struct buffer *b = &plan->buffers[buffer];
  return !strcmp(element_name(b->type), type) && b->elements >= elements;
}

double reference_gamma(double n, double unit)
{
  return n * unit / (1 - n * unit);
}
