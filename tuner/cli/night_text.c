/* night_text.c - see night_text.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/night_text.h"

#include <math.h>
#include <stdlib.h>

#include "tuner/cli/terminal.h"

enum {
  ROWS = 20,    /* of a list; the other formats have all */
  PROBLEM = 35, /* column in which it begins */
};

struct page {
  const struct report *report;
  FILE *to;
  size_t columns;
};

static void row(const struct page *p, const char *label,
                void (*add)(const struct report *, struct str *))
{
  struct str text = {0};
  add(p->report, &text);
  if (text.len)
    terminal_row(p->to, label, text.at, p->columns);
  str_free(&text);
}

static void head(const struct page *p)
{
  const struct report *r = p->report;
  char when[40];
  report_when(report_night(r)->stamp, when, sizeof when);
  fprintf(p->to, "%s, night of %s\n", r->nights.sweep, when);
  for (size_t i = 0; i < r->nwarnings; i++) {
    struct str line = {0};
    str_addf(&line, "NOTE: %s.", r->warnings[i].at);
    terminal_wrap(p->to, line.at, p->columns);
    str_free(&line);
  }
  terminal_row(p->to, "compared",
               r->with.len ? r->with.at : "with nothing: it is the first night",
               p->columns);
  row(p, "device", report_devices);
  row(p, "coverage", report_coverage);
}

static void add_changes(const struct report *r, struct str *out)
{
  struct tally t;
  for (size_t i = 0; report_tally(r, i, &t); i++)
    if (t.n)
      str_addf(out, "%s%zu %s", out->len ? ", " : "", t.n, t.what);
}

static void add_stale(const struct report *r, struct str *out)
{
  if (r->stale)
    str_addf(out, "%zu winners, whose kernels the templates make otherwise by "
             "now; the next night tunes them anew", r->stale);
  else
    str_add(out, "none of the winners");
}

static void time_or_dash(const struct point *p, FILE *to)
{
  struct str text = {0};
  if (p && p->state == POINT_OK)
    report_time(p->time_us, &text);
  fprintf(to, " %10s", text.len ? text.at : "-");
  str_free(&text);
}

static void more(const struct page *p, size_t n)
{
  if (n > ROWS)
    fprintf(p->to, "  and %zu more: --format json has all\n", n - ROWS);
}

static void changed(const struct page *p, enum verdict v)
{
  const struct report *r = p->report;
  uint32_t *list;
  size_t n = comparison_list(&r->comparison, v, &list);
  if (n)
    fprintf(p->to, "\n%s\n %10s %10s %9s   problem\n", verdict_words(v),
            "before", "now", "change");
  for (size_t k = 0; k < n && k < ROWS; k++) {
    struct str name = {0};
    time_or_dash(report_before(r, list[k]), p->to);
    time_or_dash(report_after(r, list[k]), p->to);
    fprintf(p->to, " %+7.1f %%   ",
            compared_percent(&r->comparison.list[list[k]]));
    report_name(r, list[k], &name);
    terminal_continue(p->to, name.at, PROBLEM, p->columns);
    str_free(&name);
  }
  more(p, n);
  free(list);
}

static void with_reasons(const struct page *p, enum verdict v)
{
  const struct report *r = p->report;
  uint32_t *list;
  size_t n = comparison_list(&r->comparison, v, &list);
  if (n)
    fprintf(p->to, "\n%s\n", verdict_words(v));
  for (size_t k = 0; k < n && k < ROWS; k++) {
    const struct point *now = report_after(r, list[k]);
    struct str line = {0};
    report_name(r, list[k], &line);
    if (now)
      str_addf(&line, ": %s", names_text(&r->nights.names, now->reason));
    fputs("  ", p->to);
    terminal_continue(p->to, line.at, 4, p->columns);
    str_free(&line);
  }
  more(p, n);
  free(list);
}

static void families(const struct page *p)
{
  const struct report *r = p->report;
  if (r->nights.n < 2)
    return;
  fprintf(p->to, "\nfamilies over %zu nights (speed: against the first, by the "
          "geometric mean)\n  %8s %9s   family\n", r->nights.n, "problems",
          "speed");
  for (size_t i = 0; i < r->trends.n; i++) {
    const struct trend *t = &r->trends.list[i];
    struct str name = {0};
    str_addf(&name, "%s on %s, %s on %s",
             names_text(&r->nights.names, t->family),
             names_text(&r->nights.names, t->arch), source_name(t->source),
             names_text(&r->nights.names, t->device));
    fprintf(p->to, "  %8zu %9.3f   ", t->problems, t->speed[t->last]);
    terminal_continue(p->to, name.at, 23, p->columns);
    str_free(&name);
  }
}

void night_text(const struct report *r, FILE *to)
{
  struct page p = {r, to, terminal_columns(to)};
  head(&p);
  row(&p, "changes", add_changes);
  row(&p, "judged", report_method);
  row(&p, "stale", add_stale);
  row(&p, "cost", report_cost);
  changed(&p, VERDICT_SLOWER);
  with_reasons(&p, VERDICT_FAILED);
  changed(&p, VERDICT_FASTER);
  with_reasons(&p, VERDICT_CUT);
  with_reasons(&p, VERDICT_MISSING);
  families(&p);
}
