/* sweep.c - see sweep.h: what a sweep begins with. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "db/tried.h"
#include "tuner/session/history.h"
#include "tuner/session/warm_start.h"
#include "tuner/sweep/known.h"

int sweep_shard(const char *text, int *shard, int *shards, struct err *e)
{
  char rest;
  *shard = *shards = 1;
  if (!text || (sscanf(text, "%6d/%6d%c", shard, shards, &rest) == 2 &&
                *shard >= 1 && *shard <= *shards))
    return 0;
  return err_set(e, ERR_USAGE, "--shard %s: must be I/N, from 1/N to N/N: "
                 "--shard 2/8", text);
}

/* One architecture that cannot be had does not keep the others from it. */
static int find_targets(struct sweep *s, struct err *e)
{
  const struct options *o = s->line;
  const char *wish = !options_given(o, "device") && s->file.device
                         ? s->file.device : o->device;
  int found = 0;
  struct err first = {0};
  for (size_t i = 0; i < s->file.narchs; i++) {
    struct err why = {0};
    s->found[i] = !target_open(&s->targets[i], s->problems.archs[i], wish,
                               s->until, &why);
    found += s->found[i];
    if (s->found[i])
      continue;
    err_prefix(&why, "%s", s->file.archs[i]);
    if (!first.code)
      first = why;
    else
      s->view.notice(s->view.user, why.text);
  }
  if (!found)
    return err_set(e, first.code, "%s", first.text);
  if (first.code)
    s->view.notice(s->view.user, first.text);
  return 0;
}

/* Candidates whose times a pass over the winners of near problems still lacks: what the
 * row does not have. A session takes about as long as one, even where it lacks none. */
static double near_ones(const struct sweep_problem *x)
{
  size_t had = tried_count(record_text(x->row, "tried"));
  return had < WARM_START_MOST ? (double)(WARM_START_MOST - had) : 1;
}

static void expect(struct sweep *s, struct sweep_problem *x)
{
  struct options o;
  struct cost each;
  double n = x->why == SWEEP_NEAR ? near_ones(x) : 2;
  if (x->why == SWEEP_KEPT) {
    x->cpu_s = x->device_s = 0;
    return;
  }
  if (!cost_ask(&s->costs, sweep_problem_arch(&s->problems, x),
                sweep_problem_family(&s->problems, x), x->text, &each))
    return;
  if ((x->why == SWEEP_NEW || x->why == SWEEP_CHANGED) &&
      !sweep_file_options(&s->file, x->entry, s->line, &o, NULL))
    n = (double)o.evals;
  x->cpu_s = n * each.cpu_s;
  x->device_s = n * each.device_s;
}

static int look(struct sweep *s, struct err *e)
{
  for (size_t i = 0; i < s->file.narchs; i++)
    if (s->found[i] &&
        known_look(&s->problems, i, &s->targets[i], s->line, s->store.at,
                   s->view.notice, s->view.user, e))
      return e->code;
  cost_tell_nights(&s->costs, s->store.at, s->name.sweep);
  for (size_t i = 0; i < s->problems.n; i++) {
    struct sweep_problem *x = &s->problems.list[i];
    if (!s->found[x->arch]) {
      x->state = SWEEP_LEFT;
      s->counts.trouble++;
    }
    s->counts.by_why[x->why]++;
    expect(s, x);
  }
  return 0;
}

static void say_refused(struct sweep *s)
{
  char text[500];
  if (!s->problems.refused)
    return;
  snprintf(text, sizeof text, "%zu problems of files of shapes are left out, "
           "which their family cannot do; the first: %s", s->problems.refused,
           s->problems.first_refused);
  s->view.notice(s->view.user, text);
}

int sweep_open(struct sweep *s, const char *file, const struct options *line,
               const struct sweep_view *view, struct err *e)
{
  *s = (struct sweep){.line = line, .view = *view, .begun = clock_now()};
  struct night_name *name = &s->name;
  if (options_keys(line, NULL, e) ||
      sweep_shard(line->shard, &name->shard, &name->shards, e) ||
      history_folder(line->db, &s->store, e) ||
      sweep_file_read(&s->file, file, line->templates, e))
    return e->code;
  name->store = s->store.at;
  name->sweep = s->file.name;
  double seconds = line->seconds > 0 ? line->seconds : s->file.night;
  s->until = seconds > 0 ? s->begun + seconds : 0;
  if (sweep_problems_open(&s->problems, &s->file, name->shard, name->shards, e))
    return e->code;
  s->counts.all = s->problems.n;
  say_refused(s);
  return find_targets(s, e) || look(s, e) ? e->code : 0;
}

void sweep_close(struct sweep *s)
{
  night_close(s->night);
  for (size_t i = 0; i < s->file.narchs; i++)
    target_close(&s->targets[i]);
  cost_free(&s->costs);
  sweep_problems_free(&s->problems);
  sweep_file_free(&s->file);
  str_free(&s->store);
  str_free(&s->told);
  *s = (struct sweep){0};
}

/* What waits, and the part of what runs that is not done yet. */
static double part_left(const struct sweep *s, size_t i)
{
  if (s->problems.list[i].state == SWEEP_WAITS)
    return 1;
  if (s->problems.list[i].state != SWEEP_RUNS)
    return 0;
  for (size_t k = 0; k < s->nlanes; k++)
    if (s->at[k] == i && s->now[k].evals)
      return 1 - (double)s->now[k].done / (double)s->now[k].evals;
  return 1;
}

double sweep_left(const struct sweep *s)
{
  double cpu = 0, device = 0, cores = s->cores ? (double)s->cores
                                               : (double)s->line->jobs;
  for (size_t i = 0; i < s->problems.n; i++) {
    const struct sweep_problem *x = &s->problems.list[i];
    double left = part_left(s, i);
    if (left > 0 && x->cpu_s < 0)
      return -1;
    cpu += left * x->cpu_s;
    if (s->found[x->arch] && !s->targets[x->arch].device->modelled)
      device += left * x->device_s;
  }
  double wall = cpu / cores > device ? cpu / cores : device;
  double end = s->until > 0 ? s->until - clock_now() : wall;
  return end < wall ? end > 0 ? end : 0 : wall;
}
