/* problem.c - see problem.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/problem.h"

#include <string.h>

#include "tuner/reference/inputs.h"

const struct value *problem_value(const struct family *f,
                                  const struct problem *p, const char *name)
{
  const struct key *keys;
  size_t n = family_keys(f, &keys);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(keys[i].name, name))
      return &p->values[i];
  return NULL;
}

double problem_num(const struct family *f, const struct problem *p,
                   const char *name)
{
  const struct value *v = problem_value(f, p, name);
  return !v ? 0 : v->kind == VALUE_INT ? (double)v->i : v->d;
}

long long problem_int(const struct family *f, const struct problem *p,
                      const char *name)
{
  const struct value *v = problem_value(f, p, name);
  return v && v->kind == VALUE_INT ? v->i : 0;
}

const char *problem_text(const struct family *f, const struct problem *p,
                         const char *name)
{
  const struct value *v = problem_value(f, p, name);
  return v && v->kind == VALUE_STR ? v->s : "";
}

void problem_format(const struct family *f, const struct problem *p,
                    struct str *out)
{
  const struct key *keys;
  size_t n = family_keys(f, &keys);
  char text[64];
  const char *between = "";
  for (size_t i = 0; i < n; i++) {
    if (!key_shown(&keys[i], &p->values[i]))
      continue;
    value_format(&p->values[i], text, sizeof text);
    str_addf(out, "%s%s=%s", between, keys[i].name, text);
    between = ",";
  }
}

double plan_bytes(const struct plan *plan)
{
  double bytes = 0;
  for (size_t i = 0; i < plan->nbuffers; i++) {
    const struct buffer *b = &plan->buffers[i];
    bytes += (double)b->elements * (double)element_ops(b->type)->size;
  }
  return bytes;
}
