/* report.c - see report.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/duration.h"
#include "base/mem.h"
#include "tuner/report/warnings.h"
#include "tuner/session/shipped.h"

/* --- what it is compared with -------------------------------------------- */

static int is_folder(const char *path)
{
  struct stat s;
  return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* A night's stamp looks like one; what is neither is said to be neither. */
static int is_stamp(const char *text)
{
  return strspn(text, "0123456789TZ") == strlen(text);
}

static int with_tables(struct report *r, const char *folder, struct err *e)
{
  const struct report_request *q = &r->asked;
  char shipped[PATH_MAX];
  if (folder)
    str_addf(&r->with, "the tables in %s", folder);
  else
    str_add(&r->with, "the shipped tables");
  if (!folder)
    shipped_folder(shipped);
  if (!folder && !*shipped)
    return err_set(e, ERR_FAILED, "--against shipped: TUNE_SHIPPED is empty: "
                   "there are no shipped tables");
  return nights_tables(&r->nights, folder ? folder : shipped, &r->tables,
                       q->notice, q->user, e);
}

static int with_night(struct report *r, long at, const struct night_info **out)
{
  char when[40];
  *out = at >= 0 ? &r->nights.list[at] : NULL;
  if (!*out)
    return 0;
  report_when((*out)->stamp, when, sizeof when);
  str_addf(&r->with, "the night of %s", when);
  return 0;
}

static int choose(struct report *r, const struct night_info **out,
                  struct err *e)
{
  const char *against = r->asked.against;
  long last = (long)r->nights.n - 1, at = last - 1;
  *out = &r->tables;
  if (!against)
    return with_night(r, at, out);
  if (!strcmp(against, "shipped"))
    return with_tables(r, NULL, e);
  if (!is_stamp(against) && is_folder(against))
    return with_tables(r, against, e);
  if (!is_stamp(against))
    return err_set(e, ERR_USAGE, "--against %s: is neither a night, as %s, nor "
                   "`shipped`, nor a folder of tables", against,
                   r->nights.list[last].stamp);
  at = nights_find(&r->nights, against, e);
  if (at == last)
    return err_set(e, ERR_USAGE, "--against %s: is the night that is reported",
                   against);
  return at < 0 ? e->code : with_night(r, at, out);
}

/* --- open ---------------------------------------------------------------- */

int report_open(struct report *r, const struct report_request *asked,
                struct err *e)
{
  const struct night_info *before;
  *r = (struct report){.asked = *asked};
  if (nights_open(&r->nights, asked->store, asked->sweep, asked->night,
                  asked->notice, asked->user, e) ||
      choose(r, &before, e))
    return e->code;
  compare(&r->comparison, &r->nights, before, report_night(r), r->nights.n - 1,
          str_text(&r->with));
  r->trends = trends_make(&r->nights);
  r->facts = facts_read(&r->nights, asked->templates, &r->unknown);
  for (size_t i = 0; i < r->nights.nsubjects; i++)
    r->stale += r->facts[i].stale != 0;
  if (asked->gate >= 0)
    r->crossed = comparison_gate(&r->comparison, asked->gate);
  warnings_find(r);
  return 0;
}

void report_free(struct report *r)
{
  for (size_t i = 0; i < r->nwarnings; i++)
    str_free(&r->warnings[i]);
  free(r->warnings);
  facts_free(r->facts, r->nights.nsubjects);
  trends_free(&r->trends);
  comparison_free(&r->comparison);
  night_info_free(&r->tables);
  str_free(&r->with);
  str_free(&r->unknown);
  nights_free(&r->nights);
}

/* --- parts --------------------------------------------------------------- */

const struct night_info *report_night(const struct report *r)
{
  return &r->nights.list[r->nights.n - 1];
}

const struct point *report_before(const struct report *r, size_t i)
{
  const struct night_info *n = r->comparison.before;
  return n && n->points[i].state != POINT_NONE ? &n->points[i] : NULL;
}

const struct point *report_after(const struct report *r, size_t i)
{
  const struct point *p = &report_night(r)->points[i];
  return p->state != POINT_NONE ? p : NULL;
}

void report_when(const char *stamp, char *out, size_t room)
{
  int y, m, d, h, min;
  if (sscanf(stamp, "%4d%2d%2dT%2d%2d", &y, &m, &d, &h, &min) == 5)
    snprintf(out, room, "%04d-%02d-%02d %02d:%02d UTC", y, m, d, h, min);
  else
    snprintf(out, room, "%.*s", (int)room - 1, stamp);
}

void report_name(const struct report *r, size_t i, struct str *out)
{
  const struct subject *a = &r->nights.subjects[i];
  str_addf(out, "%s on %s, %s", names_text(&r->nights.names, a->family),
           names_text(&r->nights.names, a->arch), r->facts[i].brief);
}

void report_time(double us, struct str *out)
{
  char text[32];
  duration_format(us, text, sizeof text);
  str_add(out, text);
}

void report_error(const struct point *p, struct str *out)
{
  if (p->error_80 > 0)
    str_addf(out, " +- %.0f %%", 100 * (double)p->error_80);
}

void report_seconds(double s, struct str *out)
{
  long long minutes = llround(s / 60);
  if (s < 100)
    str_addf(out, "%.*f s", s < 10 ? 1 : 0, s);
  else if (minutes < 120)
    str_addf(out, "%lld min", minutes);
  else
    str_addf(out, "%lld h %02lld min", minutes / 60, minutes % 60);
}

/* --- tallies ------------------------------------------------------------- */

int report_tally(const struct report *r, size_t i, struct tally *out)
{
  static const struct {
    enum verdict verdict;
    const char *name;
  } table[] = {
      {VERDICT_SLOWER, "slower"},   {VERDICT_FASTER, "faster"},
      {VERDICT_SAME, "same"},       {VERDICT_KEPT, "kept"},
      {VERDICT_FAILED, "failed"},   {VERDICT_FAILS, "fails"},
      {VERDICT_MENDED, "mended"},   {VERDICT_CUT, "cut"},
      {VERDICT_NEW, "new"},         {VERDICT_MISSING, "missing"},
      {VERDICT_SOURCE, "source"},   {VERDICT_DEVICE, "device"},
  };
  if (i >= sizeof table / sizeof *table)
    return 0;
  *out = (struct tally){table[i].name, verdict_words(table[i].verdict),
                        r->comparison.count[table[i].verdict]};
  return 1;
}

/* --- sentences ----------------------------------------------------------- */

void report_devices(const struct report *r, struct str *out)
{
  size_t last = r->nights.n - 1;
  for (size_t i = 0; i < r->trends.n; i++) {
    const struct trend *t = &r->trends.list[i];
    struct str one = {0};
    str_addf(&one, "%s: %s", names_text(&r->nights.names, t->device),
             source_name(t->source));
    if (t->last == last && !strstr(str_text(out), one.at))
      str_addf(out, "%s%s", out->len ? "; " : "", one.at);
    str_free(&one);
  }
}

void report_coverage(const struct report *r, struct str *out)
{
  const struct night_info *n = report_night(r);
  size_t count[4] = {0};
  for (size_t i = 0; i < r->nights.nsubjects; i++)
    count[n->points[i].state]++;
  size_t done = count[POINT_OK] + count[POINT_FAILED] + count[POINT_CUT];
  size_t wanted = n->wanted > done ? n->wanted : done;
  str_addf(out, "%zu of %zu problems (%.1f %%): %zu with a winner, %zu failed, "
           "%zu cut short", done, wanted,
           wanted ? 100.0 * (double)done / (double)wanted : 0, count[POINT_OK],
           count[POINT_FAILED], count[POINT_CUT]);
}

void report_cost(const struct report *r, struct str *out)
{
  const struct night_cost *c = &report_night(r)->cost;
  if (c->wall_s > 0) {
    report_seconds(c->wall_s, out);
    str_add(out, " in all; ");
  }
  report_seconds(c->compile_s, out);
  str_add(out, " of compilers, ");
  report_seconds(c->device_s, out);
  str_add(out, " of devices, ");
  report_seconds(c->search_s, out);
  str_addf(out, " of search; %.0f candidates, %.0f of them known",
           c->candidates, c->known);
  if (c->core_s > 0)
    str_addf(out, "; cores busy %.0f %%", 100 * c->busy_s / c->core_s);
}

void report_method(const struct report *r, struct str *out)
{
  const struct comparison *c = &r->comparison;
  if (!c->before)
    return;
  if (c->tests)
    str_addf(out, "%zu measured pairs of medians, judged together: Student's t "
             "of ln(now/before) from the MADs of both and of earlier nights, "
             "with %.2g %% of drift between nights, corrected by Holm's "
             "procedure to at most %.2g %% of false alarms a night; a change "
             "of %.2g %% is told from noise (median)", c->tests, 100 * c->drift,
             100 * JUDGE_ALPHA, 100 * expm1(c->least));
  size_t modelled = c->count[VERDICT_SLOWER] + c->count[VERDICT_FASTER] +
                    c->count[VERDICT_SAME] - c->tests;
  if (modelled)
    str_addf(out, "%s%zu modelled pairs, of which any difference is one",
             c->tests ? "; " : "", modelled);
  if (!c->tests && !modelled)
    str_add(out, "nothing that both have was run again on the same device");
}
