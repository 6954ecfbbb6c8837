/* known.c - see known.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/known.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "db/table.h"

/* ORDER SWEEP_UNCHANGED */
static const enum sweep_why whys[] = {SWEEP_KEPT, SWEEP_INCUMBENT, SWEEP_NEAR};

static_assert(sizeof whys / sizeof *whys == UNCHANGED_N,
              "ORDER SWEEP_UNCHANGED");

struct looking {
  struct sweep_problems *problems;
  const struct target *target;
  const struct options *line;
};

static int is(const struct record *row, const char *name, const char *value)
{
  return !strcmp(record_text(row, name), value);
}

/* Is it of this device and these conditions? */
static int same_place(const struct looking *l, const struct options *o,
                      const struct record *row)
{
  const struct device *d = l->target->device;
  return is(row, "device", d->name) && is(row, "source", device_source(d)) &&
         record_number(row, "cus", -1) == d->cus &&
         record_number(row, "hot", 0) == o->hot;
}

/* The row of this place, else of another device with the same source. */
static const struct record *find(const struct looking *l,
                                 const struct options *o,
                                 const struct table *t, const char *problem)
{
  const char *source = device_source(l->target->device);
  const struct record *row =
      table_find(t, problem, l->target->device->name), *other = NULL;
  if (row && same_place(l, o, row))
    return row;
  if (!row && !table_find(t, problem, NULL))
    return NULL;
  for (size_t i = 0; i < table_size(t); i++) {
    row = table_row(t, i);
    if (!is(row, "problem", problem) || !is(row, "source", source) ||
        record_number(row, "hot", 0) != o->hot)
      continue;
    if (same_place(l, o, row))
      return row;
    other = row;
  }
  return other;
}

static void add_change(struct sweep_problem *x, const char *what)
{
  size_t n = strlen(x->changed);
  snprintf(x->changed + n, sizeof x->changed - n, "%s%s", n ? "," : "", what);
}

/* `asked` is what a search that came to its end was allowed: a small space has
 * fewer candidates. */
static int searched(const struct record *row, const struct options *o)
{
  return record_number(row, "evaluated", 0) >= (double)o->evals ||
         record_number(row, "asked", 0) >= (double)o->evals;
}

static void compare(const struct looking *l, struct sweep_problem *x,
                    const struct options *o)
{
  const struct family *f =
      l->problems->file->families[x->entry->family].family;
  const struct record *row = x->row;
  if (!same_place(l, o, row))
    add_change(x, "device");
  if (!is(row, "template", family_hash(f)))
    add_change(x, "template");
  if (!is(row, "compiler", l->target->compiler))
    add_change(x, "compiler");
  if (!is(row, "runtime", l->target->device->runtime))
    add_change(x, "runtime");
  if (record_number(row, "seed", -1) != (double)o->seed)
    add_change(x, "seed");
  if (!searched(row, o))
    add_change(x, "evals");
  x->why = *x->changed ? SWEEP_CHANGED
                       : whys[l->problems->file->unchanged];
}

static int look(const struct looking *l, struct sweep_problem *x,
                const struct table *t, struct err *e)
{
  struct options o;
  if (sweep_file_options(l->problems->file, x->entry, l->line, &o, e))
    return e->code;
  const struct record *row = find(l, &o, t, x->text);
  x->why = SWEEP_NEW;
  if (!row)
    return 0;
  x->row = record_copy(row);
  compare(l, x, &o);
  return 0;
}

int known_look(struct sweep_problems *p, size_t arch, const struct target *t,
               const struct options *line, const char *store,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e)
{
  const struct looking l = {p, t, line};
  const struct sweep_file *f = p->file;
  for (size_t k = 0; k < f->nfamilies; k++) {
    struct table *table;
    if (table_load(&table, store, arch_name(p->archs[arch]),
                   family_name(f->families[k].family), notice, user, e))
      return e->code;
    int code = 0;
    for (size_t i = 0; i < p->n && !code; i++)
      if (p->list[i].arch == arch && p->list[i].entry->family == k)
        code = look(&l, &p->list[i], table, e);
    table_free(table);
    if (code)
      return code;
  }
  return 0;
}
