/* explain_lds.c - see explain_lds.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/explain_lds.h"

#include <stdio.h>
#include <stdlib.h>

#include "arch/lds_banks.h"
#include "base/str.h"
#include "gen/lds_access.h"
#include "tuner/cli/cli.h"
#include "tuner/study/gnuplot.h"
#include "tuner/cli/lds_plot.h"
#include "tuner/cli/lds_text.h"

enum {CURES = 6 /* shown */};

/* The accesses of one configuration. */
struct view {
  size_t n;
  struct lds_access list[LDS_ACCESSES];
  unsigned cycles, conflicts; /* of all together */
  long long bytes;            /* of LDS */
};

struct cure {
  char text[64]; /* pad=4 */
  size_t order;  /* in which the family names it */
  unsigned cycles, conflicts;
  long long bytes;
};

static int look(const struct task *k, const struct lds_layout *y,
                const struct config *c, struct view *v, struct err *e)
{
  *v = (struct view){0};
  if (family_lds_access(k->family, &k->problem, c, v->list, &v->n, e) ||
      family_lds(k->family, &k->problem, c, &v->bytes, e))
    return e->code;
  for (size_t i = 0; i < v->n; i++) {
    unsigned conflicts;
    v->cycles += lds_access_cycles(y, &v->list[i], &conflicts);
    v->conflicts += conflicts;
  }
  return 0;
}

/* --- cures --------------------------------------------------------------- */

/* The same instructions on both sides? */
static int same_work(const struct view *a, const struct view *b)
{
  if (a->n != b->n)
    return 0;
  for (size_t i = 0; i < a->n; i++)
    if (a->list[i].bytes != b->list[i].bytes ||
        a->list[i].write != b->list[i].write)
      return 0;
  return 1;
}

/* Fewest cycles first, then least LDS, then the smallest change. */
static int compare(const void *a, const void *b)
{
  const struct cure *x = a, *y = b;
  if (x->cycles != y->cycles)
    return x->cycles < y->cycles ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

static void describe(const struct tunable *t, size_t value, struct cure *out)
{
  char text[32];
  value_format(&t->values[value], text, sizeof text);
  snprintf(out->text, sizeof out->text, "%.31s=%.31s", t->name, text);
}

/* Every legal change of one tunable that leaves the instructions as they are
 * and takes fewer cycles. */
static size_t find_cures(const struct task *k, const struct lds_layout *y,
                         const struct config *c, const struct view *now,
                         struct cure *out)
{
  const struct tunable *list;
  size_t n = 0, tunables = family_tunables(k->family, &list);
  struct view *v = malloc(sizeof *v);
  struct err e;
  for (size_t t = 0; v && t < tunables; t++)
    for (size_t i = 0; i < list[t].nvalues; i++) {
      struct config other = *c;
      other.at[t] = (uint8_t)i;
      if (i == c->at[t] || space_rule(k->space, &other) ||
          look(k, y, &other, v, &e) || !same_work(now, v) ||
          v->cycles >= now->cycles)
        continue;
      out[n] = (struct cure){.order = n, .cycles = v->cycles,
                             .conflicts = v->conflicts, .bytes = v->bytes};
      describe(&list[t], i, &out[n++]);
    }
  free(v);
  qsort(out, n, sizeof *out, compare);
  return n;
}

static void print_cures(const struct task *k, const struct lds_layout *y,
                        const struct config *c, const struct view *now)
{
  static const char *const row = "  %-32.32s %8u %10u %+10lld\n";
  struct cure *cures = malloc(FAMILY_TUNABLES * FAMILY_VALUES * sizeof *cures);
  size_t n = cures ? find_cures(k, y, c, now, cures) : 0;
  if (n)
    printf("\n  %-32s %8s %10s %10s\n", "one change that helps", "cycles",
           "conflicts", "LDS bytes");
  else
    printf("\n  No legal change of one tunable takes fewer cycles.\n");
  for (size_t i = 0; i < n && i < CURES; i++)
    printf(row, cures[i].text, cures[i].cycles, cures[i].conflicts,
           cures[i].bytes - now->bytes);
  if (n)
    printf("  (cycles of the %zu instruction%s above: %u now)\n", now->n,
           PLURAL(now->n), now->cycles);
  free(cures);
}

/* --- the picture --------------------------------------------------------- */

static int draw(const struct task *k, const struct lds_layout *y,
                const struct config *c, const struct view *v, const char *path,
                struct err *e)
{
  struct str title = {0}, script = {0};
  str_addf(&title, "%s on %s: ", family_name(k->family), arch_name(k->arch));
  config_format(k->family, c, &title);
  lds_plot(y, v->list, v->n, title.at, &script);
  int code = gnuplot_draw(script.at, path, GNUPLOT_SECONDS, e);
  str_free(&title);
  str_free(&script);
  return code;
}

static int none(const char *svg, const char *why, struct err *e)
{
  return svg ? err_set(e, ERR_FAILED, "--svg: there is no picture to draw: %s",
                       why)
             : 0;
}

int explain_lds(const struct task *k, const struct config *c, const char *svg,
                int *shown, struct err *e)
{
  const struct lds_layout *y = lds_layout_find(arch_name(k->arch));
  struct str text = {0};
  struct view v;
  *shown = 0;
  if (!y)
    return none(svg, "which lanes of this arch share an LDS cycle is not "
                "published", e);
  if (look(k, y, c, &v, e))
    return e->code;
  if (!v.n)
    return none(svg, "the family does not say how it accesses LDS", e);
  *shown = 1;
  for (size_t i = 0; i < v.n; i++)
    lds_text(y, &v.list[i], &text);
  cli_lines(str_text(&text));
  str_free(&text);
  if (v.conflicts)
    print_cures(k, y, c, &v);
  printf("\n");
  return svg ? draw(k, y, c, &v, svg, e) : 0;
}
