/* verb_calibrate.c - tune calibrate: published figures of real cards beside
 * ours. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "arch/published.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/json.h"
#include "tuner/cli/progress.h"
#include "tuner/study/study_figures.h"

static void say(const struct experiment *l, const char *family, const char *what)
{
  if (!l->options->quiet)
    fprintf(stderr, "tune: %s: figures of study %s\n", family, what);
}

/* --- for people ---------------------------------------------------------- */

/* "4257", "1.9..3.9", "1778..1784" */
static void range_text(double low, double high, char *out, size_t room)
{
  if (low == high)
    snprintf(out, room, "%.5g", low);
  else
    snprintf(out, room, "%.4g..%.4g", low, high);
}

static void print_row(const struct row *r)
{
  const struct figure *f = r->figure;
  char range[40], value[24] = "-", ratio[24] = "-";
  range_text(f->low, f->high, range, sizeof range);
  if (r->value > 0) {
    snprintf(value, sizeof value, "%.4g", r->value);
    snprintf(ratio, sizeof ratio, "%.2f", row_ratio(r));
  }
  printf("  %-13s %-25.25s %12s %8s %-7s %6s\n", f->id, f->what, range, value,
         f->quantity->unit, ratio);
  if (r->value <= 0)
    cli_row("", r->outcome.reason);
}

static void print_pair(const struct row *a, const struct row *b,
                       const struct pair_ratio *p)
{
  char range[40], names[80];
  snprintf(names, sizeof names, "%s / %s", a->figure->id, b->figure->id);
  range_text(p->low, p->high, range, sizeof range);
  printf("    %-31s %15s %8.3g %7.2f  %s\n", names, range, p->ours,
         p->ours / p->published, verdict_name(p->verdict));
}

static void print_pairs(const struct sheet *s, size_t i, size_t n)
{
  struct pair_ratio p;
  int any = 0;
  for (size_t a = i; a < i + n; a++)
    for (size_t b = a + 1; b < i + n; b++)
      if (rows_compare(&s->rows[a], &s->rows[b], &p)) {
        if (!any)
          printf("    %-31s %15s %8s %7s\n", "ratios", "published", "ours",
                 "ratio");
        any = 1;
        print_pair(&s->rows[a], &s->rows[b], &p);
      }
}

static void print_notes(const struct sheet *s, size_t i, size_t n)
{
  struct str text = {0};
  for (size_t j = i; j < i + n; j++) {
    str_clear(&text);
    if (!sheet_note(s, j, &text))
      continue;
    str_addf(&text, ": %s", s->rows[j].figure->note);
    cli_row("why", text.at);
  }
  str_free(&text);
}

static void print_tally(const struct sheet *s)
{
  struct sheet_totals t = sheet_totals(s);
  printf("\n%zu figures, %zu of them with a value", t.rows, t.ran);
  if (t.ran)
    printf(": %zu within a factor of 1.15\nor in the range; median error %.0f "
           "%%, largest %.0f %% (%s %s)", t.close, 100 * t.median,
           100 * t.worst, t.worst_row->figure->study, t.worst_row->figure->id);
  printf("\n%zu ratios within studies: %zu within a factor of 1.15 or in the "
         "range, %zu off\n", t.pairs, t.pairs_ok, t.pairs - t.pairs_ok);
}

static void print_sheet(const struct sheet *s, const struct experiment *l)
{
  const char *source = device_source(l->target.device);
  struct str clock = {0};
  printf("figures of %s: published, and %s here\n", arch_name(l->arch),
         source);
  cli_row("device", l->target.device->name);
  cli_row("because", l->target.why.at);
  cli_row("made with", l->target.compiler);
  for (size_t i = 0, n; i < s->n; i += n) {
    n = sheet_study(s, i);
    printf("\nstudy %s\n", s->rows[i].figure->study);
    printf("  %-13s %-25s %12s %8s %-7s %6s\n", "figure", "", "published",
           source, "", "ratio");
    for (size_t j = i; j < i + n; j++)
      print_row(&s->rows[j]);
    print_pairs(s, i, n);
    print_notes(s, i, n);
  }
  print_tally(s);
  health_format(&l->health, &clock);
  if (clock.len)
    cli_row("clock", clock.at);
  str_free(&clock);
}

/* --- for programs -------------------------------------------------------- */

static void put(json_t *o)
{
  json_line(stdout, o);
}

static json_t *real(double x, int known)
{
  return known ? json_real(x) : json_null();
}

static void put_row(const struct row *r, const struct experiment *l)
{
  const struct figure *f = r->figure;
  int ok = r->value > 0;
  json_t *o = json_pack(
      "{ss ss ss ss ss ss ss ss ss sf sf}", "type", "figure", "study",
      f->study, "id", f->id, "what", f->what, "family", r->name, "arch",
      arch_name(l->arch), "device", l->target.device->name, "source",
      device_source(l->target.device), "unit", f->quantity->unit, "low",
      f->low, "high", f->high);
  json_object_set_new(o, "value", real(r->value, ok));
  json_object_set_new(o, "ratio", real(ok ? row_ratio(r) : 0, ok));
  json_object_set_new(o, "time_us", real(r->outcome.us, ok));
  json_object_set_new(o, "problem", json_pairs(str_text(&r->problem)));
  json_object_set_new(o, "config", json_pairs(str_text(&r->config)));
  if (ok)
    json_object_set_new(o, "verdict",
                        json_string(verdict_name(row_verdict(r))));
  else
    json_object_set_new(o, "reason", json_string(r->outcome.reason));
  if (*f->note)
    json_object_set_new(o, "note", json_string(f->note));
  put(o);
}

static void put_pairs(const struct sheet *s, size_t i, size_t n)
{
  struct pair_ratio p;
  for (size_t a = i; a < i + n; a++)
    for (size_t b = a + 1; b < i + n; b++)
      if (rows_compare(&s->rows[a], &s->rows[b], &p))
        put(json_pack("{ss ss ss ss sf sf sf ss}", "type", "ratio", "study",
                      s->rows[a].figure->study, "id",
                      s->rows[a].figure->id, "to", s->rows[b].figure->id,
                      "low", p.low, "high", p.high, "value", p.ours,
                      "verdict", verdict_name(p.verdict)));
}

static void put_sheet(const struct sheet *s, const struct experiment *l)
{
  struct sheet_totals t = sheet_totals(s);
  for (size_t i = 0, n; i < s->n; i += n) {
    n = sheet_study(s, i);
    for (size_t j = i; j < i + n; j++)
      put_row(&s->rows[j], l);
    put_pairs(s, i, n);
  }
  put(json_pack("{ss ss ss sI sI sI sI sI sf sf}", "type", "calibration",
                "arch", arch_name(l->arch), "source",
                device_source(l->target.device), "figures",
                (json_int_t)t.rows, "ran", (json_int_t)t.ran, "close",
                (json_int_t)t.close, "ratios", (json_int_t)t.pairs,
                "ratios_ok", (json_int_t)t.pairs_ok, "median_error", t.median,
                "largest_error", t.worst));
}

/* --- the verb ------------------------------------------------------------ */

static int calibrate(const struct options *r, struct experiment *l, struct sheet *s,
                     struct err *e)
{
  if (sheet_run(s, l, say, e))
    return e->code;
  if (r->json)
    put_sheet(s, l);
  else
    print_sheet(s, l);
  struct sheet_totals t = sheet_totals(s);
  return t.ran == t.rows ? 0
                         : err_set(e, ERR_FAILED, "%zu of %zu figures have no "
                                   "value; the reasons stand above",
                                   t.rows - t.ran, t.rows);
}

/* --- architectures without times ------------------------------------------ */

static void print_published(const struct published *p)
{
  char ours[24] = "not timed";
  if (p->ours > 0)
    snprintf(ours, sizeof ours, "%.4g", p->ours);
  printf("  %-22s %9.5g %9s %-8s %s\n", p->what, p->value, ours, p->unit,
         p->source);
}

static void put_published(const struct published *p, const struct arch *a)
{
  int counted = p->ours > 0;
  json_t *o = json_pack("{ss ss ss ss ss sf}", "type", "figure", "arch",
                        arch_name(a), "what", p->what, "unit", p->unit, "study",
                        p->source, "low", p->value);
  json_object_set_new(o, "value", real(p->ours, counted));
  json_object_set_new(o, "source",
                      json_string(counted ? "counted" : "not timed"));
  put(o);
}

/* What others measured, beside what can be counted; 0 where nothing is known. */
static int published_figures(const struct options *r, const struct arch *a)
{
  struct published p;
  size_t n = 0, counted = 0;
  for (; published_at(a, n, &p); n++) {
    if (!n && !r->json)
      printf("figures of %s: published, and counted here, where no times are "
             "modelled\n\n  %-22s %9s %9s %-8s source\n", arch_name(a), "figure",
             "published", "here", "");
    counted += p.ours > 0;
    if (r->json)
      put_published(&p, a);
    else
      print_published(&p);
  }
  if (n && !r->json)
    printf("\n%zu figures: %zu are counted, %zu are a matter of time\n", n,
           counted, n - counted);
  return n > 0;
}

static int run(const struct options *r, struct err *e)
{
  struct catalogue c = {0};
  struct sheet s = {0};
  struct experiment l = {0};
  struct progress progress;
  struct experiment_view view = progress_of_experiment(&progress, r->quiet);
  const struct arch *a;
  const char *only = NULL;
  int code = r->nwords > 1 ? cli_word(r, 1, "family", &only, e) : 0;
  if (!code)
    code = options_keys(r, NULL, e);
  if (!code)
    code = task_arch(r, &a, e);
  if (!code)
    code = catalogue_open(&c, r->templates, only, e);
  if (!code)
    code = sheet_collect(&s, &c, arch_name(a), r->study, e);
  int known = !code && !s.n && !only && published_figures(r, a);
  if (!code && !s.n && !known)
    code = err_set(e, ERR_FAILED, "there is no published figure of %s in %s; "
                   "`tune study --arch %s` tunes and plots without any",
                   arch_name(a), only ? only : "any family", arch_name(a));
  if (!code && !known)
    code = experiment_open(&l, r, &view, r->seconds, e);
  if (!code && !known)
    code = calibrate(r, &l, &s, e);
  experiment_close(&l);
  sheet_free(&s);
  catalogue_close(&c);
  return code;
}

const struct verb verb_calibrate = {
    "calibrate", "calibrate [FAMILY] --arch ARCH", "published figures and ours",
    run,
    "Runs every published figure that the families rebuild (of one family, or\n"
    "with --study of one study), and prints published, ours, and the ratio;\n"
    "then the ratios between the figures of a study, published and ours, each\n"
    "`in range`, `ok` (within a factor of 1.15) or `off`. Ours are modelled\n"
    "on the simulated device and measured on a real one. What the journal has\n"
    "is not run again. Where no times are modelled (gfx908, gfx90a, gfx942,\n"
    "gfx950): what others measured of such cards, beside what can be counted.\n"
    "With --json: `figure`, `ratio`, and last `calibration` objects.\n"};
