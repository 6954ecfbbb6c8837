/* sweep_text.c - see sweep_text.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/sweep_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/json.h"
#include "tuner/cli/progress.h"
#include "tuner/cli/terminal.h"
#include "tuner/session/cost.h"

static void clear(const struct sweep_text *t)
{
  if (t->terminal)
    fputs("\r\033[K", stderr);
}

/* "41 min", or "" where it is not known. */
static void add_left(double seconds, struct str *out)
{
  char text[32];
  if (seconds < 0)
    return;
  progress_clock(seconds, text, sizeof text);
  str_addf(out, ", %s to go", text);
}

/* --- while it runs ------------------------------------------------------- */

static void notice(void *user, const char *text)
{
  clear(user);
  cli_notice(NULL, text);
}

static const struct sweep_problem *find(const struct sweep *s,
                                        const struct record *r)
{
  const struct sweep_problems *p = &s->problems;
  for (size_t i = 0; i < p->n; i++)
    if (!strcmp(p->list[i].text, record_text(r, "problem")) &&
        !strcmp(sweep_problem_family(p, &p->list[i]),
                record_text(r, "family")) &&
        !strcmp(sweep_problem_arch(p, &p->list[i]), record_text(r, "arch")))
      return &p->list[i];
  return NULL;
}

static void add_result(const struct record *r, struct str *out)
{
  char time[64], error[32];
  if (!strcmp(record_text(r, "status"), "ok")) {
    cost_text(r, time, sizeof time);
    cost_error_text(r, error, sizeof error);
    str_addf(out, "%s%s%s, %s", time, *error ? " " : "", error,
             record_text(r, "source"));
  } else {
    str_addf(out, "%s: %.200s", record_text(r, "status"),
             record_text(r, "reason"));
  }
  str_addf(out, " (%s%s%s", record_text(r, "why"),
           record_get(r, "changed") ? ": " : "", record_text(r, "changed"));
  if (record_number(r, "candidates", 0) > 0)
    str_addf(out, ", %s candidates, %.1f s", record_text(r, "candidates"),
             record_number(r, "wall_s", 0));
  str_add(out, ")");
}

static void print_problem(const struct sweep *s, const struct record *r)
{
  struct str line = {0};
  str_addf(&line, "[%zu/%zu] ", s->counts.done, s->counts.all);
  const struct sweep_problem *x = find(s, r);
  if (x)
    sweep_problem_brief(&s->problems, x, &line);
  str_add(&line, ": ");
  add_result(r, &line);
  add_left(sweep_left(s), &line);
  fprintf(stderr, "%s\n", line.at);
  str_free(&line);
}

/* What stays is counted, not listed. */
static void problem(void *user, const struct sweep *s, const struct record *r)
{
  const struct sweep_text *t = user;
  if (t->json)
    json_record(stdout, "problem", r, NULL, 0);
  if (t->quiet || !strcmp(record_text(r, "why"), sweep_why(SWEEP_KEPT)))
    return;
  clear(t);
  print_problem(s, r);
}

static void trouble(void *user, const struct sweep *s,
                    const struct sweep_problem *p, const char *why)
{
  struct str line = {0};
  sweep_problem_brief(&s->problems, p, &line);
  str_addf(&line, " could not be tuned: %s", why);
  clear(user);
  cli_notice(NULL, line.at);
  str_free(&line);
}

static void tick(void *user, const struct sweep *s)
{
  const struct sweep_text *t = user;
  struct str line = {0};
  if (t->quiet || !t->terminal)
    return;
  str_addf(&line, "%zu of %zu problems", s->counts.done, s->counts.all);
  add_left(sweep_left(s), &line);
  for (size_t k = 0; k < s->nlanes; k++)
    if (s->at[k] != SIZE_MAX && s->now[k].evals)
      str_addf(&line, "  [%zu/%zu]", s->now[k].done, s->now[k].evals);
  fprintf(stderr, "\r\033[K%.*s", (int)terminal_columns(stderr) - 1, line.at);
  fflush(stderr);
  str_free(&line);
}

struct sweep_view sweep_text_view(struct sweep_text *t,
                                  const struct options *o)
{
  *t = (struct sweep_text){o->quiet, o->json,
                           isatty(STDERR_FILENO) && !o->quiet};
  return (struct sweep_view){t, notice, problem, trouble, tick};
}

/* --- before and after ---------------------------------------------------- */

static void add_count(struct str *out, size_t n, const char *what)
{
  if (n)
    str_addf(out, "%s%zu %s", out->len ? ", " : "", n, what);
}

static void add_whys(const struct sweep *s, struct str *out)
{
  for (int i = 0; i < SWEEP_N; i++)
    add_count(out, s->counts.by_why[i], sweep_why((enum sweep_why)i));
}

static void row_devices(const struct sweep *s)
{
  for (size_t i = 0; i < s->file.narchs; i++)
    if (s->found[i])
      cli_rowf(i ? "" : "device", "%s: %s, %s", s->file.archs[i],
               s->targets[i].device->name, device_source(s->targets[i].device));
}

static void row_left(const struct sweep *s)
{
  char text[32];
  double left = sweep_left(s);
  size_t unknown = 0;
  for (size_t i = 0; i < s->problems.n; i++)
    unknown += s->problems.list[i].cpu_s < 0;
  if (left < 0) {
    cli_rowf("time", "not known: no night has recorded what %zu of these "
             "problems cost", unknown);
    return;
  }
  progress_clock(left, text, sizeof text);
  cli_rowf("time", "about %s on %lld cores, by what earlier nights took", text,
           s->line->jobs);
}

static void list_problems(const struct sweep *s)
{
  for (size_t i = 0; i < s->problems.n; i++) {
    const struct sweep_problem *x = &s->problems.list[i];
    struct str line = {0};
    sweep_problem_brief(&s->problems, x, &line);
    if (x->why == SWEEP_CHANGED)
      str_addf(&line, " (%s)", x->changed);
    printf("  %-10s ", sweep_why(x->why));
    terminal_continue(stdout, line.at, 13, terminal_columns(stdout));
    str_free(&line);
  }
}

static json_t *json_plan_of(const struct sweep *s, const struct sweep_problem *x)
{
  json_t *o = json_object();
  json_object_set_new(o, "type", json_string("planned"));
  json_object_set_new(o, "arch",
                      json_string(sweep_problem_arch(&s->problems, x)));
  json_object_set_new(o, "family",
                      json_string(sweep_problem_family(&s->problems, x)));
  json_object_set_new(o, "problem", json_pairs(x->text));
  json_object_set_new(o, "why", json_string(sweep_why(x->why)));
  if (*x->changed)
    json_object_set_new(o, "changed", json_string(x->changed));
  if (x->cpu_s >= 0)
    json_object_set_new(o, "cpu_s", json_real(x->cpu_s));
  return o;
}

void sweep_text_plan(const struct sweep_text *t, const struct sweep *s)
{
  struct str whys = {0};
  for (size_t i = 0; t->json && i < s->problems.n; i++)
    json_line(stdout, json_plan_of(s, &s->problems.list[i]));
  if (t->json)
    return;
  add_whys(s, &whys);
  printf("%s, shard %d of %d\n", s->name.sweep, s->name.shard, s->name.shards);
  cli_rowf("problems", "%zu: %s", s->counts.all, str_text(&whys));
  if (s->problems.elsewhere)
    cli_rowf("", "%zu more in other shards", s->problems.elsewhere);
  if (s->problems.twice)
    cli_rowf("", "%zu that stand more than once count once",
             s->problems.twice);
  row_devices(s);
  row_left(s);
  list_problems(s);
  str_free(&whys);
}

static void print_json_end(const struct sweep *s)
{
  const struct sweep_counts *c = &s->counts;
  const struct {
    const char *name;
    size_t n;
  } counts[] = {{"problems", c->all}, {"done", c->done}, {"ok", c->ok},
                {"failed", c->failed}, {"cut", c->cut},
                {"trouble", c->trouble}, {"candidates", c->candidates},
                {"known", c->known}};
  json_t *o = json_object();
  json_object_set_new(o, "type", json_string("night"));
  json_object_set_new(o, "sweep", json_string(s->name.sweep));
  json_object_set_new(o, "path", json_string(night_path(s->night)));
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    json_object_set_new(o, counts[i].name,
                        json_integer((json_int_t)counts[i].n));
  json_object_set_new(o, "whole", json_boolean(c->done == c->all));
  json_object_set_new(o, "wall_s", json_real(clock_now() - s->begun));
  json_line(stdout, o);
}

void sweep_text_end(const struct sweep_text *t, const struct sweep *s)
{
  const struct sweep_counts *c = &s->counts;
  struct str text = {0};
  char wall[32];
  clear(t);
  if (!s->night)
    return;
  if (t->json) {
    print_json_end(s);
    return;
  }
  progress_clock(clock_now() - s->begun, wall, sizeof wall);
  printf("%s\n", s->name.sweep);
  add_count(&text, c->ok, "with a winner");
  add_count(&text, c->failed, "failed");
  add_count(&text, c->cut, "cut");
  add_count(&text, c->trouble, "could not be tuned");
  cli_rowf("problems", "%zu of %zu%s%s", c->done, c->all, text.len ? ": " : "",
           str_text(&text));
  str_clear(&text);
  add_whys(s, &text);
  cli_rowf("of these", "%s", str_text(&text));
  row_devices(s);
  cli_rowf("candidates", "%zu, %zu of these from the journal", c->candidates,
           c->known);
  cli_rowf("wall", "%s on %zu cores", wall, s->cores);
  cli_rowf("night", "%s", night_path(s->night));
  str_free(&text);
}

/* --- --status ------------------------------------------------------------ */

static void add_state(const struct sweep_status *s, struct str *out)
{
  if (!*s->stamp) {
    str_add(out, "it has not begun");
    return;
  }
  str_addf(out, "%s; %zu of %zu problems", s->runs ? "running" : s->whole
           ? "whole" : "NOT RUNNING, and not at its end: the same command "
           "goes on", s->done, s->problems);
  if (s->failed)
    str_addf(out, ", %zu failed", s->failed);
  if (s->runs)
    add_left(s->left_s, out);
}

static void print_status(const struct sweep_status *s)
{
  struct str text = {0};
  char label[32] = "state";
  if (s->shards > 1)
    snprintf(label, sizeof label, "shard %d/%d", s->shard, s->shards);
  add_state(s, &text);
  cli_row(label, text.at);
  for (char *line = s->running; line; ) {
    char *end = strchr(line, '\n');
    cli_rowf("", "%.*s", end ? (int)(end - line) : (int)strlen(line), line);
    line = end ? end + 1 : NULL;
  }
  str_free(&text);
}

static void print_json_status(const char *sweep, const struct sweep_status *s)
{
  json_t *o = json_object();
  json_object_set_new(o, "type", json_string("status"));
  json_object_set_new(o, "sweep", json_string(sweep));
  json_object_set_new(o, "shard", json_sprintf("%d/%d", s->shard, s->shards));
  json_object_set_new(o, "night",
                      *s->stamp ? json_string(s->stamp) : json_null());
  json_object_set_new(o, "running", json_boolean(s->runs));
  json_object_set_new(o, "whole", json_boolean(s->whole));
  json_object_set_new(o, "problems", json_integer((json_int_t)s->problems));
  json_object_set_new(o, "done", json_integer((json_int_t)s->done));
  json_object_set_new(o, "failed", json_integer((json_int_t)s->failed));
  json_object_set_new(o, "left_s",
                      s->left_s < 0 ? json_null() : json_real(s->left_s));
  json_line(stdout, o);
}

void sweep_text_status(int json, const char *sweep,
                       const struct sweep_status *list, size_t n)
{
  if (!json)
    printf("%s, night of %s\n", sweep, n && *list->stamp ? list->stamp : "-");
  for (size_t i = 0; i < n; i++)
    if (json)
      print_json_status(sweep, &list[i]);
    else
      print_status(&list[i]);
}
