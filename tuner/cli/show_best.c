/* show_best.c - the fastest of one problem that the journal has: show.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/cli/cli.h"
#include "tuner/cli/json.h"
#include "tuner/cli/report.h"
#include "tuner/cli/show.h"
#include "tuner/session/cost.h"
#include "tuner/session/history.h"
#include "tuner/session/task.h"

void show_json(struct family *f, const struct arch *a, const char *type,
               const struct record *row, size_t rank)
{
  struct stored s;
  const struct quantity *unit = NULL;
  json_t *o = json_of_record(type, row);
  stored_read(f, row, &s);
  double share = stored_share(&s, a), rate = stored_rate(&s, &unit);
  if (rank)
    json_object_set_new(o, "rank", json_integer((json_int_t)rank));
  if (rate > 0 && !json_object_get(o, unit->name))
    json_object_set_new(o, unit->name, json_real(rate));
  json_object_set_new(o, "share", share > 0 ? json_real(share) : json_null());
  json_object_set_new(o, "stale", json_boolean(s.stale));
  if (s.fits)
    json_plan(o, &s.plan);
  json_line(stdout, o);
}

/* What the stored winner was measured with: its rivals were as well. */
static struct record *identity(const struct record *winner)
{
  static const char *const names[] = {
      "arch", "family", "template", "problem", "device", "cus", "source",
      "compiler", "runtime", "hot"};
  struct record *r = record_new();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    record_set(r, names[i], "%s", record_text(winner, names[i]));
  return r;
}

/* The values of `one` that differ from those of `other`, or all. */
static void add_config(const struct family *f, const struct config *one,
                       const struct config *other, struct str *out)
{
  const struct tunable *list;
  size_t n = family_tunables(f, &list), shown = 0;
  char text[64];
  for (size_t i = 0; i < n; i++) {
    if (other && one->at[i] == other->at[i])
      continue;
    value_format(&list[i].values[one->at[i]], text, sizeof text);
    str_addf(out, "%s%s=%s", shown++ ? "," : "", list[i].name, text);
  }
}

static void print_one(const struct task *k, const struct stored *s,
                      const struct stored *first, size_t rank)
{
  char time[64], error[32], label[24];
  struct str line = {0};
  const struct quantity *unit = NULL;
  double rate = stored_rate(s, &unit), share = stored_share(s, k->arch);
  cost_text(s->row, time, sizeof time);
  cost_error_text(s->row, error, sizeof error);
  snprintf(label, sizeof label, "%zu", rank);
  str_addf(&line, "%s%s%s", time, *error ? " " : "", error);
  if (s != first && cost_error(s->row) > 0 && cost_tie(first->row, s->row))
    str_add(&line, ", a tie");
  if (rate > 0)
    str_addf(&line, ", %.0f %s", rate, unit->unit);
  if (share > 0)
    str_addf(&line, ", %.1f %% of the peak", 100 * share);
  str_add(&line, ": ");
  if (s->fits)
    add_config(k->family, &s->config,
               s != first && first->fits ? &first->config : NULL, &line);
  else
    str_add(&line, record_text(s->row, "config"));
  cli_row(label, line.at);
  str_free(&line);
}

static void print_heading(const struct task *k)
{
  const struct record *w = k->stored;
  struct str line = {0};
  report_device(w, &line);
  str_addf(&line, ", %s; made with %s", record_text(w, "source"),
           record_text(w, "compiler"));
  printf("%s on %s: the %s of those tried; from 2 on what differs "
         "from 1\n", family_name(k->family), arch_name(k->arch),
         cost_is_time(w) ? "fastest" : "least in static cost");
  cli_row("problem", k->problem_text.at);
  cli_row("device", line.at);
  if (task_stale(k))
    cli_row("stale", "the templates have changed since");
  str_free(&line);
}

static void print(const struct task *k, const struct record *const *best,
                  size_t n)
{
  struct stored first, s;
  if (!k->options->json)
    print_heading(k);
  for (size_t i = 0; i < n; i++) {
    if (k->options->json) {
      show_json(k->family, k->arch, "best", best[i], i + 1);
      continue;
    }
    stored_read(k->family, best[i], &s);
    if (i == 0)
      first = s;
    print_one(k, i ? &s : &first, &first, i + 1);
  }
}

static int best_of(const struct task *k, struct err *e)
{
  struct record *known;
  struct history *h;
  const struct record **best;
  if (!k->stored)
    return err_set(e, ERR_FAILED, "nothing is stored for %s on %s with %s; "
                   "`tune show %s` lists what is", family_name(k->family),
                   arch_name(k->arch), k->problem_text.at,
                   family_name(k->family));
  known = identity(k->stored);
  int code = history_read(&h, k->folder.at, known, cli_notice, NULL, e);
  record_free(known);
  if (code)
    return code;
  size_t n = history_best(h, &best), most = (size_t)k->options->best;
  if (n == 0)
    code = err_set(e, ERR_FAILED, "%s has no results of this problem: its "
                   "winner came from elsewhere; without --best, `tune show` "
                   "prints that", history_path(h));
  else
    print(k, best, n < most ? n : most);
  free(best);
  history_close(h);
  return code;
}

int show_best(const struct options *r, const char *family, struct err *e)
{
  struct task k = {0};
  int code = task_open(&k, r, family, cli_notice, NULL, e);
  if (!code)
    code = best_of(&k, e);
  task_close(&k);
  return code;
}
