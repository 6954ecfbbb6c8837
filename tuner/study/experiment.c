/* experiment.c - see experiment.h. */
// SPDX-License-Identifier: MIT
#include "tuner/study/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/clock.h"
#include "tuner/session/complete.h"
#include "tuner/session/open.h"
#include "tuner/session/signals.h"
#include "tuner/session/winner.h"

int experiment_open(struct experiment *l, const struct options *r,
                    const struct experiment_view *view, double seconds,
                    struct err *e)
{
  *l = (struct experiment){.options = r, .view = *view, .begun = clock_now()};
  l->until = seconds > 0 ? l->begun + seconds : 0;
  if (options_keys(r, NULL, e) || task_arch(r, &l->arch, e) ||
      target_open(&l->target, l->arch, r->device, l->until, e))
    return e->code;
  l->signals = signals_watch(&l->mask);
  l->watched = 1;
  return 0;
}

void experiment_close(struct experiment *l)
{
  target_close(&l->target);
  if (!l->watched)
    return;
  signals_take(l->signals);
  close(l->signals);
  sigprocmask(SIG_SETMASK, &l->mask, NULL);
}

int experiment_interrupted(struct experiment *l, struct err *e)
{
  return signals_take(l->signals)
             ? err_set(e, ERR_INTERRUPTED, "interrupted") : 0;
}

double experiment_left(const struct experiment *l)
{
  return l->until > 0 ? l->until - clock_now() : INFINITY;
}

/* --- problems and configurations ----------------------------------------- */

int experiment_problem(const struct experiment *l, const char *family,
                       const char *const *names, const char *const *texts,
                       size_t n, struct setup *s, struct err *e)
{
  *s = (struct setup){.options = *l->options};
  s->options.nkeys = n;
  s->options.nsets = 0;
  for (size_t i = 0; i < n; i++) {
    s->options.names[i] = names[i];
    s->options.texts[i] = texts[i];
  }
  int code = task_open(&s->task, &s->options, family, l->view.notice,
                       l->view.user, e);
  return code ? code : target_fits(&l->target, &s->task, e);
}

void setup_close(struct setup *s)
{
  task_close(&s->task);
}

int setup_config(const struct setup *s, const struct config *base,
                 const char *given, struct config *out, struct err *e)
{
  if (complete(&s->task, base, &given, 1, out, e))
    return e->code;
  const char *why = space_rule(s->task.space, out);
  return why ? err_set(e, ERR_FAILED, "excluded: %s", why) : 0;
}

double setup_value(const struct setup *s, const struct config *c,
                   const struct quantity *q, double us)
{
  struct plan plan;
  if (family_plan(s->task.family, &s->task.problem, c, &plan, NULL))
    return 0;
  return quantity_of(q, &plan, us);
}

/* --- sessions ------------------------------------------------------------ */

/* One session in the experiment, and what watches it. */
struct trip {
  struct experiment *experiment;
  struct session session;
};

static void on_candidate(void *user, const struct session *s, size_t number,
                         const struct record *r, int known)
{
  struct trip *trip = user;
  (void)r;
  trip->experiment->ran++;
  trip->experiment->known += known != 0;
  const struct experiment_view *view = &trip->experiment->view;
  view->candidate(view->user, s, number, known);
}

static void on_tick(void *user, const struct session *s)
{
  struct trip *trip = user;
  const struct experiment_view *v = &trip->experiment->view;
  if (s->result.anew && !trip->experiment->said++)
    session_say_anew(s, v->notice, v->user);
  v->tick(v->user, s);
}

static double earlier(double a, double b)
{
  return a > 0 && (b <= 0 || a < b) ? a : b;
}

/* list: try just these; NULL: search. */
static int open_trip(struct trip *trip, struct experiment *l,
                     const struct setup *s,
                     const struct config *list, size_t n, double until,
                     struct err *e)
{
  const struct session_wish wish = {
      .begun = clock_now(), .until = earlier(until, l->until),
      .given = list, .ngiven = n, .view = {trip, on_candidate, on_tick} };
  *trip = (struct trip){.experiment = l};
  return session_open(&trip->session, &s->task, &l->target, &wish, e);
}

static int do_trip(struct trip *trip, struct err *e)
{
  struct session *s = &trip->session;
  const struct experiment_view *view = &trip->experiment->view;
  view->begin(view->user, s);
  int code = session_run(s, e);
  view->end(view->user);
  health_add(&trip->experiment->health, &s->result.health);
  return code;
}

static double saved_percent(const struct record *r)
{
  double all = record_number(r, "l2_requests", 0);
  return all > 0 ? 100 * record_number(r, "l2_merged", 0) / all : NAN;
}

/* What the journal has of it now; `why` where it has nothing. */
static void look_up(const struct session *s, const struct config *c,
                    const char *why, struct outcome *out)
{
  struct str text = {0};
  config_format(s->setup.family, c, &text);
  const struct record *r = history_find(s->setup.history, text.at);
  *out = (struct outcome){.done = r != NULL};
  if (r) {
    const char *reason = record_get(r, "reason");
    out->status = (enum status)status_parse(record_get(r, "status"));
    out->us = record_number(r, "time_us", 0);
    out->saved = saved_percent(r);
    snprintf(out->reason, sizeof out->reason, "%s: %s",
             status_name(out->status), reason ? reason : "");
  } else {
    snprintf(out->reason, sizeof out->reason, "%.390s", why);
  }
  str_free(&text);
}

/* The legal ones among them, each once; the others get their outcome. */
static size_t choose(const struct setup *s, const struct config *configs,
                     size_t n, struct config *list, struct outcome *out)
{
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    const char *why = space_rule(s->task.space, &configs[i]);
    out[i] = (struct outcome){.done = why != NULL, .status = STATUS_RULE};
    if (why)
      snprintf(out[i].reason, sizeof out[i].reason, "rule: %s", why);
    else if (!config_among(list, m, &configs[i]))
      list[m++] = configs[i];
  }
  return m;
}

int experiment_try(struct experiment *l, const struct setup *s,
                   const struct config *configs, size_t n, struct outcome *out,
                   double until, struct err *e)
{
  struct trip trip;
  struct err why = {0};
  struct config *list = mem_array(n + 1, sizeof *list);
  size_t m = choose(s, configs, n, list, out);
  int code = open_trip(&trip, l, s, list, m, until, &why);
  if (!code && m && experiment_left(l) > 0)
    code = do_trip(&trip, &why);
  for (size_t i = 0; i < n; i++)
    if (!out[i].done && trip.session.setup.history)
      look_up(&trip.session, &configs[i], code ? why.text : "the time was up",
              &out[i]);
    else if (!out[i].done)
      snprintf(out[i].reason, sizeof out[i].reason, "%.390s", why.text);
  session_close(&trip.session);
  free(list);
  if (code == ERR_INTERRUPTED)
    *e = why;
  return code == ERR_INTERRUPTED ? code : 0;
}

int experiment_tune(struct experiment *l, const struct setup *s, double until,
                    struct record **row, struct err *e)
{
  struct trip trip;
  *row = NULL;
  int code = open_trip(&trip, l, s, NULL, 0, until, e);
  if (!code)
    code = do_trip(&trip, e);
  if (!code && !(*row = winner_row(&trip.session)))
    code = err_set(e, ERR_FAILED, trip.session.result.first_reason[0]
                       ? "none of %zu candidates was ok; the first: %s"
                       : "the time was up before the first candidate was done",
                   trip.session.result.done,
                   trip.session.result.first_reason);
  if (!code) {
    record_set(*row, "evaluated", "%zu", trip.session.result.done);
    code = winner_store(&trip.session, *row, s->task.folder.at, s->task.notice,
                        s->task.user, e);
    if (trip.session.result.out_of_time)
      record_set(*row, "cut", "1");
  }
  session_close(&trip.session);
  return code;
}
