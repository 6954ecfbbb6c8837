/* report_markdown.c - the report as Markdown: see report.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "tuner/report/report.h"

enum {ROWS = 200}; /* of a table; more are counted */

/* A cell must not end its table. */
static void cell(struct str *out, const char *text)
{
  str_add(out, "| ");
  for (; *text; text++) {
    if (*text == '|' || *text == '\\' || *text == '<' || *text == '`')
      str_add(out, "\\");
    str_addf(out, "%c", *text == '\n' ? ' ' : *text);
  }
  str_add(out, " ");
}

static void time_cell(struct str *out, const struct point *p)
{
  struct str text = {0};
  if (p && p->state == POINT_OK) {
    report_time(p->time_us, &text);
    report_error(p, &text);
    str_addf(&text, ", %s", source_name(p->source));
  }
  cell(out, str_text(&text));
  str_free(&text);
}

static void name_cell(struct str *out, const struct report *r, size_t i)
{
  struct str text = {0};
  report_name(r, i, &text);
  cell(out, text.at);
  str_free(&text);
}

static void more(struct str *out, size_t n)
{
  if (n > ROWS)
    str_addf(out, "\nand %zu more.\n", n - ROWS);
}

static void changes(const struct report *r, enum verdict v, struct str *out)
{
  uint32_t *list;
  size_t n = comparison_list(&r->comparison, v, &list);
  if (n)
    str_addf(out, "\n## %zu %s\n\n| change | before | now | problem |\n"
             "|---:|---:|---:|---|\n", n, verdict_words(v));
  for (size_t k = 0; k < n && k < ROWS; k++) {
    size_t i = list[k];
    str_addf(out, "| %+.1f %% ",
             compared_percent(&r->comparison.list[i]));
    time_cell(out, report_before(r, i));
    time_cell(out, report_after(r, i));
    name_cell(out, r, i);
    str_add(out, "|\n");
  }
  more(out, n);
  free(list);
}

static void reasons(const struct report *r, enum verdict v, struct str *out)
{
  uint32_t *list;
  size_t n = comparison_list(&r->comparison, v, &list);
  if (n)
    str_addf(out, "\n## %zu %s\n\n| problem | why |\n|---|---|\n", n,
             verdict_words(v));
  for (size_t k = 0; k < n && k < ROWS; k++) {
    const struct point *p = report_after(r, list[k]);
    name_cell(out, r, list[k]);
    cell(out, p ? names_text(&r->nights.names, p->reason) : "");
    str_add(out, "|\n");
  }
  more(out, n);
  free(list);
}

static void families(const struct report *r, struct str *out)
{
  const struct names *names = &r->nights.names;
  char since[40];
  if (r->nights.n < 2)
    return;
  report_when(r->nights.list[0].stamp, since, sizeof since);
  str_addf(out, "\n## Families over %zu nights\n\nSpeed against the first "
           "night that has the family (geometric mean; 1.02 is 2 %% faster), "
           "since %s.\n\n| family | device | problems | speed |\n"
           "|---|---|---:|---:|\n", r->nights.n, since);
  for (size_t i = 0; i < r->trends.n; i++) {
    const struct trend *t = &r->trends.list[i];
    str_addf(out, "| %s on %s ", names_text(names, t->family),
             names_text(names, t->arch));
    str_addf(out, "| %s, %s | %zu | %.3f |\n", names_text(names, t->device),
             source_name(t->source), t->problems, t->speed[t->last]);
  }
}

static void line(struct str *out, const char *label,
                 void (*add)(const struct report *, struct str *),
                 const struct report *r)
{
  struct str text = {0};
  add(r, &text);
  if (text.len)
    str_addf(out, "* %s: %s\n", label, text.at);
  str_free(&text);
}

void report_markdown(const struct report *r, struct str *out)
{
  static const enum verdict with_reason[] = {VERDICT_FAILED, VERDICT_FAILS,
                                             VERDICT_CUT};
  char when[40];
  struct tally t;
  report_when(report_night(r)->stamp, when, sizeof when);
  str_addf(out, "# %s, night of %s\n\n", r->nights.sweep, when);
  for (size_t i = 0; i < r->nwarnings; i++)
    str_addf(out, "> **Note:** %s.\n\n", r->warnings[i].at);
  str_addf(out, "* compared with: %s\n",
           r->with.len ? r->with.at : "nothing: it is the first night");
  line(out, "device", report_devices, r);
  line(out, "coverage", report_coverage, r);
  line(out, "judged", report_method, r);
  str_addf(out, "* stale: %zu winners, whose kernels the templates make "
           "otherwise by now\n", r->stale);
  line(out, "cost", report_cost, r);
  str_add(out, "\n| what | problems |\n|---|---:|\n");
  for (size_t i = 0; report_tally(r, i, &t); i++)
    if (t.n)
      str_addf(out, "| %s | %zu |\n", t.what, t.n);
  changes(r, VERDICT_SLOWER, out);
  for (size_t i = 0; i < sizeof with_reason / sizeof *with_reason; i++)
    reasons(r, with_reason[i], out);
  changes(r, VERDICT_FASTER, out);
  families(r, out);
  str_addf(out, "\nMade by tune %s.\n", TUNE_VERSION);
}
