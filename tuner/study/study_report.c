/* study_report.c - see study_report.h. */
// SPDX-License-Identifier: MIT
#include "base/duration.h"
#include "tuner/study/study_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tuner/session/cost.h"

/* --- texts --------------------------------------------------------------- */

/* Text inside a table's cell: no bars, no line ends. */
static void add_cell(struct str *to, const char *text)
{
  for (; *text; text++)
    if (*text == '|')
      str_add(to, "\\|");
    else
      str_add_bytes(to, *text == '\n' ? " " : text, 1);
}

static void add_fact(struct str *to, const char *name, const char *text)
{
  str_addf(to, "| %s | ", name);
  add_cell(to, text);
  str_add(to, " |\n");
}

static const char *source_of(const struct experiment *l)
{
  return device_source(l->target.device);
}

static void add_range(struct str *to, double low, double high)
{
  if (low == high)
    str_addf(to, "%.5g", low);
  else
    str_addf(to, "%.4g to %.4g", low, high);
}

/* --- the head ------------------------------------------------------------ */

static void add_honesty(struct str *to, const struct experiment *l)
{
  if (l->target.device->counted)
    str_add(to, "All values of ours in this report are **counted**: they come "
                "from the simulated device, which gives no times of this "
                "architecture. The results of every kernel were checked.\n\n");
  else if (l->target.device->modelled)
    str_add(to, "All values of ours in this report are **modelled**: they "
                "come from the simulated device, not from a card. The "
                "results of every kernel were checked.\n\n");
  else
    str_add(to, "All values of ours in this report are **measured** on the "
                "device below. The results of every kernel were checked.\n\n");
}

static void add_facts(struct str *to, const struct experiment *l,
                      const char *command)
{
  const struct device *d = l->target.device;
  struct str clock = {0};
  char text[64];
  time_t now = time(NULL);
  struct tm tm;
  strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &tm));
  str_add(to, "| | |\n|---|---|\n");
  add_fact(to, "architecture", arch_name(l->arch));
  add_fact(to, "device", d->name);
  add_fact(to, "chosen because", l->target.why.at);
  add_fact(to, "source of our values", source_of(l));
  add_fact(to, "compiler", l->target.compiler);
  add_fact(to, "runtime", d->runtime);
  health_format(&l->health, &clock);
  if (clock.len)
    add_fact(to, "clock", clock.at);
  str_free(&clock);
  add_fact(to, "tune", TUNE_VERSION);
  add_fact(to, "date", text);
  add_fact(to, "command", command);
  str_add(to, "\n");
}

static void add_tally(struct str *to, const struct sheet *s)
{
  struct sheet_totals t = sheet_totals(s);
  if (!t.rows)
    return;
  str_addf(to, "Of %zu published figures %zu have a value here, %zu of them "
           "within a factor of 1.15 of the published one or in its range",
           t.rows, t.ran, t.close);
  if (t.ran)
    str_addf(to, " (median error %.0f %%, largest %.0f %%: %s %s)",
             100 * t.median, 100 * t.worst, t.worst_row->figure->study,
             t.worst_row->figure->id);
  str_addf(to, ". Of %zu ratios between figures of one study, %zu are within "
           "that factor or in the range.\n\n", t.pairs, t.pairs_ok);
}

void study_head(struct str *to, const struct experiment *l,
                const struct sheet *s,
                const char *command)
{
  str_addf(to, "# Studies of %s\n\n", arch_name(l->arch));
  add_honesty(to, l);
  add_facts(to, l, command);
  add_tally(to, s);
}

/* --- a family ------------------------------------------------------------ */

void study_family(struct str *to, const struct family *f)
{
  const char *meaning = family_meaning(f);
  str_addf(to, "## %s\n\n%s.\n\n", family_name(f), meaning);
}

static const char *field(const struct record *r, const char *name)
{
  const char *value = record_get(r, name);
  return value ? value : "-";
}

static void add_rate(struct str *to, const struct record *row)
{
  const struct quantity *q;
  for (size_t i = 0; (q = quantity_at(i)); i++)
    if (*quantity_cost(q) && record_get(row, q->name))
      str_addf(to, ", %.0f %s", record_number(row, q->name, 0), q->unit);
}

static void add_runner_up(struct str *to, const struct record *row)
{
  struct str text = {0};
  if (!record_get(row, "runner_up"))
    return;
  str_addf(&text, "`%s`, ", field(row, "runner_up"));
  if (record_number(row, "tie", 0) != 0)
    str_add(&text, "a tie");
  else
    str_addf(&text, "%.2g %% slower", 100 * record_number(row, "margin", 0));
  add_fact(to, "runner-up", text.at);
  str_free(&text);
}

void study_winner(struct str *to, const struct record *row, const char *why,
                  const char *command)
{
  char us[64], error[32];
  str_addf(to, "### Winner\n\n`%s`\n\n", command);
  if (!row) {
    str_addf(to, "There is none yet: %s.\n\n", why);
    return;
  }
  cost_text(row, us, sizeof us);
  cost_error_text(row, error, sizeof error);
  str_add(to, "| | |\n|---|---|\n");
  str_addf(to, "| problem | `%s` |\n", field(row, "problem"));
  str_addf(to, "| configuration | `%s` |\n", field(row, "config"));
  str_addf(to, "| %s | %s%s%s", field(row, "source"), us, *error ? " " : "",
           error);
  add_rate(to, row);
  str_add(to, " |\n");
  add_runner_up(to, row);
  str_addf(to, "| candidates | %s%s |\n\n", field(row, "evaluated"),
           record_get(row, "cut")
               ? "; the time was up, the same command goes on" : "");
}

/* --- figures ------------------------------------------------------------- */

static void add_row(struct str *to, const struct row *r,
                    const struct row *first)
{
  const struct figure *f = r->figure;
  struct pair_ratio p;
  str_addf(to, "| %s | ", f->id);
  add_cell(to, f->what);
  str_add(to, " | ");
  add_range(to, f->low, f->high);
  str_addf(to, " %s | ", f->quantity->unit);
  if (r->value > 0)
    str_addf(to, "%.4g | %.2f | ", r->value, row_ratio(r));
  else
    str_add(to, "- | - | ");
  if (r == first) {
    str_add(to, "1 | 1 | |\n");
  } else if (rows_compare(r, first, &p)) {
    add_range(to, p.low, p.high);
    str_addf(to, " | %.3g | %s |\n", p.ours, verdict_name(p.verdict));
  } else {
    str_add(to, "- | - | |\n");
  }
}

static void add_reasons(struct str *to, const struct sheet *s, size_t i)
{
  const struct row *r = &s->rows[i];
  if (r->value <= 0)
    str_addf(to, "- `%s` has no value: %s\n", r->figure->id,
             r->outcome.reason);
  struct str ids = {0};
  if (sheet_note(s, i, &ids))
    str_addf(to, "- %s: %s\n", ids.at, r->figure->note);
  str_free(&ids);
}

/* Which configurations they are, each once. */
static void add_configs(struct str *to, const struct sheet *s, size_t i,
                        size_t n, const char *family)
{
  const struct row *rows = s->rows;
  for (size_t j = i; j < i + n; j++) {
    size_t same = i;
    const char *config = str_text(&rows[j].config);
    if (strcmp(rows[j].family, family) || !*config)
      continue;
    while (strcmp(rows[same].family, family) ||
           strcmp(str_text(&rows[same].config), config))
      same++;
    if (same < j)
      continue;
    str_addf(to, "- `%s`:", config);
    for (size_t k = j; k < i + n; k++)
      if (!strcmp(rows[k].family, family) &&
          !strcmp(str_text(&rows[k].config), config))
        str_addf(to, "%s %s", k > j ? "," : "", rows[k].figure->id);
    str_add(to, "\n");
  }
}

static void add_study(struct str *to, const struct experiment *l,
                      const struct sheet *s, size_t i, size_t n,
                      const char *family)
{
  const struct row *first = NULL;
  for (size_t j = i; j < i + n; j++) {
    const struct row *r = &s->rows[j];
    if (strcmp(r->family, family))
      continue;
    if (!first)
      str_addf(to, "#### Study %s\n\n"
               "| figure | | published | %s | ratio | to `%s`: published | "
               "%s | |\n|---|---|---|--:|--:|---|--:|---|\n",
               r->figure->study, source_of(l), r->figure->id, source_of(l));
    if (!first)
      first = r;
    add_row(to, r, first);
  }
  if (!first)
    return;
  str_add(to, "\n");
  for (size_t j = i; j < i + n; j++)
    if (!strcmp(s->rows[j].family, family))
      add_reasons(to, s, j);
  add_configs(to, s, i, n, family);
  str_add(to, "\n");
}

void study_figures(struct str *to, const struct experiment *l,
                   const struct sheet *s,
                   const char *family)
{
  int any = 0;
  for (size_t i = 0; i < s->n; i++)
    any |= !strcmp(s->rows[i].family, family);
  if (!any)
    return;
  str_add(to, "### Published figures\n\n");
  for (size_t i = 0, n; i < s->n; i += n) {
    n = sheet_study(s, i);
    add_study(to, l, s, i, n, family);
  }
}

/* --- plots --------------------------------------------------------------- */

void study_plot(struct str *to, const struct experiment *l, const struct plot *p,
                const struct drawing *d, const char *file)
{
  str_addf(to, "### %s\n\n", p->title);
  if (d->drawn)
    str_addf(to, "![%s, %s](%s)\n\n", p->title, source_of(l), file);
  if (*d->undrawn)
    str_addf(to, "The picture could not be drawn: %s.\n\n", d->undrawn);
  if (d->rest.len)
    str_addf(to, "What is no axis: %s.", d->rest.at);
  if (d->excluded)
    str_addf(to, " Rules exclude %zu of %zu points.", d->excluded, d->points);
  if (d->failed)
    str_addf(to, " %zu of %zu points failed; the first: %s.", d->failed,
             d->points, d->reason);
  if (d->left)
    str_addf(to, " %zu of %zu points were left, the time was up; the same "
             "command goes on.", d->left, d->points);
  str_add(to, "\n\n");
}

void study_tail(struct str *to, const struct experiment *l)
{
  str_addf(to, "---\n\n%zu candidates in %.0f s, %zu of them from the "
           "journal.\n", l->ran, clock_now() - l->begun, l->known);
}
