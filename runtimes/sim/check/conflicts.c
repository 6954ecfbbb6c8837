/* conflicts.c - which lines of a program meet in the banks of the LDS.
 *
 * Of each LDS instruction the cycles are added up that its lanes' addresses cost
 * (arch/lds_banks.h). When its program goes, or the process ends, they become
 * lines of the source: an unrolled loop has the same line many times.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "arch/lds_banks.h"
#include "base/mem.h"
#include "base/str.h"
#include "runtimes/sim/check/inside.h"

enum {PRINTED = 20};

/* Instructions of one name, in one line of one function. */
struct line_cost {
  char *place;
  uint64_t instructions, hits, cycles, conflicts;
};

static enum lds_kind kind_of(const struct access *a)
{
  return a->atomic ? LDS_ATOMIC : a->store ? LDS_WRITE : LDS_READ;
}

void conflicts_count(const struct wave *w, const struct site *site)
{
  const struct access *a = &w->access;
  const struct lds_layout *y = lds_layout_find(w->code->isa->name);
  struct site *to = (struct site *)site;
  for (unsigned k = 0; y && k < a->n; k++) {
    unsigned phases, cycles = lds_cycles(y, kind_of(a), a->bytes, a->lanes,
                                         a->addr[k], &phases);
    to->lds_cycles += cycles;
    to->lds_conflicts += cycles - phases;
  }
  to->lds_hits += y != NULL;
}

/* --- lines ---------------------------------------------------------------- */

static void put_place(struct str *s, const struct site *site)
{
  const struct object *o = site->object;
  uint64_t at = o->text_base + (uint64_t)site->pc * 4;
  const struct symbol *f = object_function(o, at);
  struct source_line line;
  if (object_line(o, at, &line))
    str_addf(s, "%s:%u %.80s", line.file, line.line, f ? f->name : "");
  else
    str_addf(s, "%.80s+0x%x", f ? f->name : "",
             (unsigned)(at - (f ? f->address : o->text_base)));
  str_addf(s, " %s", inst_name(site->inst));
}

static struct line_cost *find(struct check *c, const char *place)
{
  for (size_t n = 0; n < c->nlines; n++)
    if (!strcmp(c->lines[n].place, place))
      return &c->lines[n];
  c->lines = mem_resize(c->lines, (c->nlines + 1) * sizeof *c->lines);
  c->lines[c->nlines] = (struct line_cost){.place = mem_copy(place)};
  return &c->lines[c->nlines++];
}

void conflicts_keep(struct check *c, struct site *site)
{
  struct str place = {0};
  if (!site->lds_hits)
    return;
  put_place(&place, site);
  struct line_cost *line = find(c, str_text(&place));
  line->instructions++;
  line->hits += site->lds_hits;
  line->cycles += site->lds_cycles;
  line->conflicts += site->lds_conflicts;
  site->lds_hits = site->lds_cycles = site->lds_conflicts = 0;
  str_free(&place);
}

static int by_conflicts(const void *a, const void *b)
{
  const struct line_cost *x = a, *y = b;
  return x->conflicts != y->conflicts ? x->conflicts < y->conflicts ? 1 : -1
                                      : strcmp(x->place, y->place);
}

static void print_line(FILE *out, const struct line_cost *l)
{
  fprintf(out, "  %s: %llu cycles, %.1f of %.1f an execution", l->place,
          (unsigned long long)l->conflicts,
          (double)l->conflicts / (double)l->hits,
          (double)l->cycles / (double)l->hits);
  if (l->instructions > 1)
    fprintf(out, ", %llu instructions", (unsigned long long)l->instructions);
  fprintf(out, "\n");
}

void conflicts_print(struct check *c)
{
  uint64_t conflicts = 0, cycles = 0;
  for (size_t n = 0; n < c->nlines; n++) {
    conflicts += c->lines[n].conflicts;
    cycles += c->lines[n].cycles;
  }
  if (c->nlines)
    qsort(c->lines, c->nlines, sizeof *c->lines, by_conflicts);
  fprintf(c->out, "libhipsim: LDS bank conflicts: %llu of %llu cycles\n",
          (unsigned long long)conflicts, (unsigned long long)cycles);
  for (size_t n = 0; n < c->nlines && n < PRINTED; n++)
    if (c->lines[n].conflicts)
      print_line(c->out, &c->lines[n]);
  fflush(c->out);
}

void conflicts_free(struct check *c)
{
  for (size_t n = 0; n < c->nlines; n++)
    free(c->lines[n].place);
  free(c->lines);
}
