/* lane.c - see lane.h. */
// SPDX-License-Identifier: MIT
#include "tuner/sweep/lane.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "db/table.h"
#include "tuner/device/message.h"
#include "tuner/session/open.h"
#include "tuner/session/winner.h"

void lane_request(size_t problem, size_t jobs, double until,
                  struct str *request)
{
  str_clear(request);
  pack_u64(request, problem);
  pack_u64(request, jobs);
  pack_f64(request, until);
}

int lane_read(const struct str *reply, struct lane_reply *out, struct err *e)
{
  struct unpack in = unpack_from(reply);
  size_t n;
  out->code = (int)unpack_u64(&in);
  out->night_over = (int)unpack_u64(&in);
  out->candidates = unpack_u64(&in);
  out->known = unpack_u64(&in);
  const char *text = unpack_text(&in);
  const char *line = unpack_bytes(&in, &n);
  out->notices = unpack_text(&in);
  out->record = NULL;
  if (in.bad || (!out->code && record_parse(line, n, &out->record, NULL)))
    return -1;
  if (out->code)
    err_set(e, out->code, "%s", text);
  return 0;
}

/* --- one problem --------------------------------------------------------- */

struct trip {
  const struct lane_job *job;
  struct lane_now *now;
  const struct sweep_problem *problem;
  struct options options;
  struct task task;
  struct session session;
  struct str notices;
  double begun, until;
  int night_over; /* before the problem was done */
  struct rusage own, children; /* when it began */
};

static void note(void *user, const char *text)
{
  struct trip *t = user;
  str_addf(&t->notices, "%s\n", text);
}

static void on_candidate(void *user, const struct session *s, size_t number,
                         const struct record *r, int known)
{
  struct trip *t = user;
  (void)s, (void)r, (void)known;
  t->now->done = number;
}

static void on_tick(void *user, const struct session *s)
{
  (void)user, (void)s;
}

static double seconds(const struct timeval *t)
{
  return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static double worked(int who, const struct rusage *since)
{
  struct rusage now;
  getrusage(who, &now);
  return seconds(&now.ru_utime) + seconds(&now.ru_stime) -
         seconds(&since->ru_utime) - seconds(&since->ru_stime);
}

static double earlier(double a, double b)
{
  return a > 0 && (b <= 0 || a < b) ? a : b;
}

static size_t incumbents(const struct trip *t, struct config out[2])
{
  static const char *const fields[] = {"config", "runner_up"};
  size_t n = 0;
  for (size_t i = 0; i < 2; i++)
    n += !config_parse_older(t->task.family,
                             record_text(t->problem->row, fields[i]), &out[n],
                             NULL) &&
         !space_rule(t->task.space, &out[n]);
  return n;
}

/* On a modelled device a trial is of one place of the buffers: winners that are measured
 * anew, and rows that are older than finals there, have those to come. */
static int is_to_settle(const struct trip *t)
{
  const struct device *d = t->job->targets[t->problem->arch].device;
  return d->modelled && (t->problem->why == SWEEP_INCUMBENT ||
                            !record_get(t->problem->row, "final"));
}

/* What has not changed is not searched again, but where no configuration of its row is
 * legal any more. */
static void wish_for(const struct trip *t, struct session_wish *w,
                     struct config given[2])
{
  enum sweep_why why = t->problem->why;
  if (why != SWEEP_INCUMBENT && why != SWEEP_NEAR)
    return;
  w->ngiven = incumbents(t, given);
  w->given = w->ngiven ? given : NULL;
  w->tried = w->ngiven && why == SWEEP_NEAR ? record_text(t->problem->row, "tried") : NULL;
  w->settle = w->ngiven && is_to_settle(t);
}

static int open_session(struct trip *t, struct config given[2], struct err *e)
{
  double own = t->options.seconds > 0 ? t->begun + t->options.seconds : 0;
  struct session_wish wish = {
      .begun = t->begun, .until = earlier(own, t->until),
      .view = {t, on_candidate, on_tick}};
  wish_for(t, &wish, given);
  if (session_open(&t->session, &t->task, &t->job->targets[t->problem->arch],
                   &wish, e))
    return e->code;
  if (wish.given && !wish.tried)
    t->session.setup.again = t->job->begun;
  t->now->evals = t->session.setup.evals;
  return 0;
}

static void add_costs(const struct trip *t, struct record *r)
{
  const struct session_result *s = &t->session.result;
  record_set(r, "candidates", "%zu", s->done);
  record_set(r, "known", "%zu", s->known);
  for (int i = 0; i < STATUS_N; i++)
    if (s->counts[i]) {
      char name[24];
      snprintf(name, sizeof name, "n_%s", status_name((enum status)i));
      record_set(r, name, "%zu", s->counts[i]);
    }
  double own = worked(RUSAGE_SELF, &t->own);
  record_set(r, "wall_s", "%.3f", clock_now() - t->begun);
  record_set(r, "compile_s", "%.3f", s->compile_s);
  record_set(r, "device_s", "%.3f", s->device_s);
  record_set(r, "search_s", "%.3f", s->search_s);
  record_set(r, "own_s", "%.3f", own);
  record_set(r, "cpu_s", "%.3f", own + worked(RUSAGE_CHILDREN, &t->children));
}

/* No winner: the words of what is known of the problem. */
static struct record *without(const struct trip *t, const char *status,
                              const char *reason)
{
  const struct target *target = &t->job->targets[t->problem->arch];
  struct record *r = t->task.space ? target_identity(target, &t->task)
                                   : record_new();
  record_set(r, "status", "%s", status);
  record_set(r, "reason", "%s", reason);
  return r;
}

/* Are there times of all winners of near problems? */
static int has_all(const struct trip *t)
{
  const struct session_setup *u = &t->session.setup;
  return u->given && u->ngiven == 0;
}

static struct record *unchanged(const struct trip *t)
{
  struct record *row = record_copy(t->problem->row);
  record_set(row, "status", "ok");
  return row;
}

static struct record *conclude(const struct trip *t)
{
  const struct session *s = &t->session;
  struct record *row = NULL, *best =
      s->setup.history && s->result.done ? winner_row(s) : NULL;
  if (best) {
    row = winner_tabled(s, best, t->problem->row);
    record_set(row, "status", "ok");
  } else if (s->result.out_of_time) {
    row = without(t, "cut", "its time was up before a candidate was timed");
  } else {
    row = without(t, "failed", s->result.first_reason);
  }
  record_free(best);
  return row;
}

/* The night's end is not the problem's fault: it goes on in the next. What was found
 * by then is a winner all the same. */
static int leave(struct trip *t, const struct record *r, struct err *e)
{
  t->night_over = 1;
  if (!strcmp(record_text(r, "status"), "ok") &&
      table_put(t->task.folder.at, r, note, t, e))
    return e->code;
  return err_set(e, ERR_INTERRUPTED, "the night was over");
}

/* Not by the clock: a session that has to be done by then ends its search before. */
static int is_night_over(const struct trip *t)
{
  return t->session.result.out_of_time && t->until > 0 &&
         t->session.setup.until >= t->until;
}

/* The record of the night, or NULL with e. */
static struct record *tune(struct trip *t, struct err *e)
{
  struct config given[2];
  struct err why = {0};
  const struct sweep_entry *x = t->problem->entry;
  const struct sweep_file *f = t->job->problems->file;
  if (task_open_with(&t->task, &t->options, f->families[x->family].family, note,
                     t, e))
    return NULL;
  if (target_fits(&t->job->targets[t->problem->arch], &t->task, &why))
    return without(t, "failed", why.text);
  if (open_session(t, given, e))
    return NULL;
  if (has_all(t))
    return unchanged(t);
  if (session_run(&t->session, e))
    return NULL;
  struct record *r = conclude(t);
  if (!is_night_over(t))
    return r;
  leave(t, r, e);
  record_free(r);
  return NULL;
}

static void set_place(const struct trip *t, struct record *r)
{
  const struct sweep_problems *all = t->job->problems;
  const struct sweep_problem *p = t->problem;
  record_set(r, "arch", "%s", sweep_problem_arch(all, p));
  record_set(r, "family", "%s", sweep_problem_family(all, p));
  record_set(r, "problem", "%s", p->text);
  record_set(r, "why", "%s", sweep_why(p->why));
  if (*p->changed)
    record_set(r, "changed", "%s", p->changed);
  if (p->entry->count > 0)
    record_set(r, "count", "%.12g", p->entry->count);
}

static int begin(struct trip *t, struct lane *l, struct unpack *in,
                 struct err *e)
{
  const struct sweep_problems *all = l->job->problems;
  *t = (struct trip){.job = l->job, .now = l->now, .begun = clock_now()};
  size_t number = unpack_u64(in), jobs = unpack_u64(in);
  t->until = unpack_f64(in);
  getrusage(RUSAGE_SELF, &t->own);
  getrusage(RUSAGE_CHILDREN, &t->children);
  if (in->bad || number >= all->n)
    return err_set(e, ERR_FAILED, "the lane got rubbish");
  t->problem = &all->list[number];
  *l->now = (struct lane_now){0};
  int code = sweep_file_options(all->file, t->problem->entry, l->job->line,
                                &t->options, e);
  t->options.jobs = (long long)jobs;
  t->options.arch = sweep_problem_arch(all, t->problem);
  t->options.db = l->job->store;
  return code;
}

static void answer(struct lane *l, const struct str *request,
                   struct str *reply)
{
  struct unpack in = unpack_from(request);
  struct err e = {0};
  struct trip t;
  struct str line = {0};
  struct record *r = begin(&t, l, &in, &e) ? NULL : tune(&t, &e);
  if (r) {
    set_place(&t, r);
    add_costs(&t, r);
    record_format(r, &line);
  }
  str_clear(reply);
  pack_u64(reply, r ? 0 : (uint64_t)e.code);
  pack_u64(reply, (uint64_t)t.night_over);
  pack_u64(reply, t.session.result.done);
  pack_u64(reply, t.session.result.known);
  pack_text(reply, e.text);
  pack_bytes(reply, line.at, line.len);
  pack_text(reply, str_text(&t.notices));
  record_free(r);
  session_close(&t.session);
  task_close(&t.task);
  str_free(&t.notices);
  str_free(&line);
}

void lane_worker(int fd, void *user)
{
  struct str request = {0}, reply = {0};
  while (message_read(fd, &request)) {
    answer(user, &request, &reply);
    if (!message_write(fd, &reply))
      break;
  }
}
