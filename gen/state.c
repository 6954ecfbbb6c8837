/* state.c - what of the values so far matters to the rest of a walk: see walk.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "gen/walk.h"

static void open_residuals(struct space *s)
{
  uint8_t depth[FAMILY_TUNABLES];
  for (size_t i = 0; i < s->n; i++)
    depth[s->depths[i].tunable] = (uint8_t)i;
  for (size_t i = 0; i < s->nrules; i++) {
    const struct table *t = &s->rules[i];
    if (!t->bits || t->n < 2)
      continue;
    s->residuals[i] = mem_array(t->n, sizeof *s->residuals[i]);
    residual_open(s->residuals[i], t, depth, s->values);
  }
}

/* How many of the tunables that a rule reads have values before depth `end`. */
static size_t assigned(const struct space *s, const struct table *t, size_t end)
{
  size_t n = 0;
  for (size_t i = 0; i < end; i++)
    for (size_t k = 0; k < t->n; k++)
      n += t->reads[k] == s->depths[i].tunable;
  return n;
}

/* Another rule asks, whose class goes into the same 64 bits as those before, if it can. */
static void add(struct depth *d, const struct residual *r, uint64_t *states)
{
  *states = times(*states, r->classes);
  if (*states == UINT64_MAX) {
    d->asking[d->nasking - 1].ends = 1;
    *states = r->classes;
  }
  d->asking[d->nasking++].residual = r;
}

static void number(const struct space *s, size_t at, struct depth *d)
{
  uint64_t states = 1;
  int untold = 0; /* a rule has no table: it may read all */
  for (size_t i = 0; i < s->nrules; i++) {
    const struct table *t = &s->rules[i];
    size_t n = assigned(s, t, at);
    untold |= !t->bits;
    if (t->bits && n && n < t->n)
      add(d, &s->residuals[i][n], &states);
  }
  for (size_t i = 0; i < at && untold; i++)
    d->assigned[d->nassigned++] = s->depths[i].tunable;
  if (d->nasking)
    d->asking[d->nasking - 1].ends = 1;
}

void walk_number(struct space *s)
{
  if (s->numbered)
    return;
  open_residuals(s);
  for (size_t i = 0; i < s->ruled; i++)
    number(s, i, &s->depths[i]);
  s->numbered = 1;
}

void walk_forget(struct space *s)
{
  for (size_t i = 0; i < s->nrules; i++) {
    for (size_t n = 0; s->residuals[i] && n < s->rules[i].n; n++)
      residual_close(&s->residuals[i][n]);
    free(s->residuals[i]);
  }
  for (size_t i = 0; i < s->n; i++)
    memo_free(&s->depths[i].counts);
}
