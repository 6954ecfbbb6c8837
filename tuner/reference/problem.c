/* problem.c - see problem.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pairs.h"
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

int problem_parse(struct family *f, const char *text, struct problem *out,
                  struct err *e)
{
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
  char *copy = mem_copy(text), *rest = copy, *name, *value;
  size_t n = 0;
  int code = 0;
  while (!code && (name = pairs_next(&rest, &value)))
    if (value && n < FAMILY_KEYS) {
      names[n] = name;
      texts[n++] = value;
    } else if (*name) {
      code = err_set(e, ERR_FAILED, "'%s' is no problem of %s: it must be "
                     "KEY=VALUE,..., at most %d of them", text, family_name(f),
                     FAMILY_KEYS);
    }
  if (!code)
    code = family_problem(f, names, texts, n, out, e);
  free(copy);
  return code;
}

int problem_equal(const struct problem *a, const struct problem *b)
{
  for (size_t i = 0; i < a->n && i < b->n; i++)
    if (!value_equal(&a->values[i], &b->values[i]))
      return 0;
  return a->n == b->n;
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
