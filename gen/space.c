/* space.c - opening, closing and asking a space; see space.h. */
// SPDX-License-Identifier: MIT
#include "gen/space.h"

#include <stdlib.h>

#include "base/mem.h"
#include "gen/walk.h"

int space_open(struct space **out, struct family *f, const struct problem *p,
               struct err *e)
{
  struct space *s = mem_alloc(sizeof *s);
  s->failure = mem_alloc(sizeof *s->failure);
  s->f = f;
  s->problem = *p;
  s->n = f->ntunables;
  for (size_t i = 0; i < s->n; i++)
    s->values[i] = f->tunables[i].nvalues;
  for (; s->nrules < f->nrules; s->nrules++) {
    int failed = rule_open(&s->rules[s->nrules], f, s->nrules, p, e);
    if (failed) {
      space_close(s);
      return failed;
    }
  }
  walk_order(s);
  *out = s;
  return 0;
}

void space_close(struct space *s)
{
  if (!s)
    return;
  walk_forget(s);
  for (size_t i = 0; i < s->nrules; i++)
    rule_close(&s->rules[i]);
  free(s->failure);
  free(s->list);
  free(s);
}

size_t space_tunables(const struct space *s)
{
  return s->n;
}

size_t space_values(const struct space *s, size_t tunable)
{
  return values_at(s, tunable);
}

double space_weight(const struct space *s, size_t tunable)
{
  return s->f ? s->f->tunables[tunable].weight : 0;
}

uint64_t space_product(const struct space *s)
{
  uint64_t product = 1;
  for (size_t i = 0; i < s->n; i++)
    product = times(product, values_at(s, i));
  return product;
}

const char *space_rule(const struct space *s, const struct config *c)
{
  if (s->list)
    return list_has(s, c) ? NULL : "it is not in the list of points";
  for (size_t i = 0; i < s->nrules; i++) {
    s->failure->code = 0;
    if (space_excludes(s, i, c))
      return s->failure->code ? s->failure->text : s->rules[i].reason;
  }
  return NULL;
}

const char *space_reason(const struct space *s, size_t i, uint64_t *excluded)
{
  if (i >= s->nrules)
    return NULL;
  const struct table *t = &s->rules[i];
  uint64_t each = t->bits ? t->excluded : UINT64_MAX;
  for (size_t j = 0; j < s->n && t->bits; j++) {
    size_t k = 0;
    while (k < t->n && t->reads[k] != j)
      k++;
    if (k == t->n)
      each = times(each, values_at(s, j));
  }
  *excluded = each;
  return t->reason;
}
