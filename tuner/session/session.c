/* session.c - see session.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tuner/device/cache.h"
#include "tuner/reference/problem.h"
#include "tuner/session/finals.h"
#include "tuner/session/loop.h"
#include "tuner/session/scratch.h"
#include "tuner/session/signals.h"

enum {
  COMPILE_LIMIT = 60, /* seconds of one compilation, or half of --timeout */
  FINALS_MOST = 30,   /* seconds of a budget that the finalists get */
  HOPELESS = 24,      /* candidates of which none was ok: something is wrong */
  AGAIN_LEAST = 2,    /* seconds of a second try after a timeout ... */
  AGAIN_TIMES = 3,    /* ... and so often the longest reply so far */
};

#define FINALS_SHARE 0.25 /* of a short budget */

/* --- one candidate's way ------------------------------------------------- */

static void finish(struct loop *l, struct candidate *c, struct record *r,
                   int known)
{
  loop_unclaim(l, c);
  c->record = r;
  c->known = known;
  c->state = STATE_DONE;
  str_free(&c->code);
}

static void set_config(const struct session *s, const struct config *c,
                       struct record *r)
{
  struct str text = {0};
  config_format(s->family, c, &text);
  record_set(r, "config", "%s", text.at);
  str_free(&text);
}

/* A new result: into the journal, then to those who wait for it. A timeout is
 * tried again by who has more time. */
static int settle(struct loop *l, struct candidate *c, struct record *r,
                  struct err *e)
{
  set_config(l->s, &c->config, r);
  if (status_parse(record_get(r, "status")) == STATUS_TIMEOUT)
    record_set(r, "limit_s", "%.9g", l->s->timeout);
  int code = history_add(l->s->history, r, e);
  finish(l, c, r, 0);
  return code;
}

static int settle_bad(struct loop *l, struct candidate *c, enum status status,
                      const char *why, struct err *e)
{
  struct record *r = record_new();
  record_set(r, "status", "%s", status_name(status));
  record_set(r, "reason", "%.400s", why);
  if (c->killed == WORKER_TRIES)
    record_set(r, "killed", "%d", c->killed);
  return settle(l, c, r, e);
}

static void begin(struct loop *l, struct candidate *c)
{
  const struct record *known = loop_known(l, c);
  c->state = STATE_NEW;
  if (known)
    finish(l, c, record_copy(known), 1);
  else
    loop_count_again(l, c);
}

/* What other processes have found since. */
static int look(struct loop *l, struct err *e)
{
  if (history_refresh(l->s->history, e))
    return e->code;
  for (size_t i = l->told; i < l->asked; i++) {
    struct candidate *c = loop_at(l, i);
    const struct record *known = c->state == STATE_NEW && !c->claimed
                                     ? loop_known(l, c) : NULL;
    if (known)
      finish(l, c, record_copy(known), 1);
  }
  return 0;
}

/* Is a candidate left for this process to begin with? It may have been done
 * just before the claim. */
static int begins(struct loop *l, struct candidate *c, struct err *e)
{
  int had = c->claimed;
  if (!loop_claim(l, c))
    return 0;
  if (!had && history_refresh(l->s->history, e))
    return 0;
  const struct record *known = had ? NULL : loop_known(l, c);
  if (known)
    finish(l, c, record_copy(known), 1);
  return !known;
}

/* What hung once must not cost --timeout twice. */
static double patience(const struct loop *l, const struct candidate *c,
                       int pool, double own)
{
  double enough = AGAIN_LEAST + AGAIN_TIMES * l->longest[pool];
  return loop_limit(l, c->late ? fmin(own, enough) : own);
}

double loop_compile_limit(const struct session *s)
{
  return fmin(s->timeout, fmax(COMPILE_LIMIT, s->timeout / 2));
}

static int send_compile(struct loop *l, struct candidate *c, size_t tag,
                        int place, struct err *e)
{
  compile_request(&c->config, &l->request);
  c->state = STATE_COMPILING;
  return pool_send(l->pools[COMPILING], place, tag, &l->request,
                   patience(l, c, COMPILING, loop_compile_limit(l->s)),
                   e);
}

/* What was asked for by name is timed in full, however slow it is. */
static int send_trial(struct loop *l, struct candidate *c, size_t tag,
                      int place, struct err *e)
{
  trial_request(&c->config, c->code.at, c->code.len,
                l->s->given ? 0 : l->s->best_us, &l->request);
  c->state = STATE_TRIED;
  return pool_send(l->pools[TRYING], place, tag, &l->request,
                   patience(l, c, TRYING, l->s->timeout), e);
}

/* A free device that was found well, or -1. */
static int idle_device(const struct loop *l)
{
  for (size_t i = 0; i < l->s->devices; i++)
    if (pool_free(l->pools[TRYING], (int)i)
        && (!loop_probing(l->s) || pool_age(l->pools[TRYING], (int)i) > 0))
      return (int)i;
  return -1;
}

static void account(struct loop *l)
{
  const struct session *s = l->s;
  split_account(&l->s->split,
                (struct working){pool_busy(l->pools[TRYING]), s->devices},
                (struct working){pool_busy(l->pools[COMPILING]), s->jobs});
}

/* Give the oldest candidates that wait to the workers that are free. */
static int dispatch(struct loop *l, struct err *e)
{
  if (loop_probe_new(l, e))
    return e->code;
  for (size_t i = l->told; i < l->asked; i++) {
    struct candidate *c = loop_at(l, i);
    int place, code = 0;
    if (c->state == STATE_NEW
        && (place = pool_idle(l->pools[COMPILING])) >= 0)
      code = begins(l, c, e) ? send_compile(l, c, i, place, e) : e->code;
    else if (c->state == STATE_COMPILED
             && (place = idle_device(l)) >= 0)
      code = send_trial(l, c, i, place, e);
    if (code)
      return code;
  }
  account(l);
  return 0;
}

/* --- events -------------------------------------------------------------- */

/* Had the worker done anything before that may have made this go wrong? Then
 * the candidate goes back to where it was before, once. */
static int second_try(struct loop *l, struct candidate *c, enum state back)
{
  int compiling = l->event.pool == l->pools[COMPILING];
  unsigned first = !compiling && loop_probing(l->s) ? 2 : 1;
  if (c->again || l->event.age <= first)
    return 0;
  c->again = 1;
  c->late = l->event.kind == EVENT_TIMEOUT;
  c->state = back;
  l->s->again++;
  return 1;
}

static int compiled(struct loop *l, struct candidate *c, struct err *e)
{
  struct compiled r;
  if (compile_reply(&l->event.reply, &r))
    return settle_bad(l, c, STATUS_CRASH, "the compiler's worker answered "
                      "rubbish", e);
  if (r.broken)
    return err_set(e, ERR_FAILED, "%s", r.text);
  if (r.status != STATUS_OK)
    return settle_bad(l, c, r.status, r.text, e);
  str_add_bytes(&c->code, r.code, r.ncode);
  c->state = STATE_COMPILED;
  c->again = c->late = 0;
  split_begin(&l->s->split);
  return 0;
}

/* What a candidate that ended so may have left behind is not to be met by
 * another. One that was refused before it ran leaves nothing. */
static int harmless(const struct record *r)
{
  int status = status_parse(record_get(r, "status"));
  return status == STATUS_OK || status == STATUS_RESOURCE;
}

static int tried(struct loop *l, struct candidate *c, struct err *e)
{
  struct record *r;
  int broken;
  if (trial_reply(&l->event.reply, &broken, &r))
    return settle_bad(l, c, STATUS_CRASH, "the device's worker answered "
                      "rubbish", e);
  if (!broken && harmless(r)) /* the device works while this is written */
    return dispatch(l, e) ? e->code : settle(l, c, r, e);
  if (!broken) {
    pool_retire(l->event.pool, l->event.place);
    if (!second_try(l, c, STATE_COMPILED))
      return settle(l, c, r, e);
    record_free(r);
    return 0;
  }
  err_set(e, ERR_FAILED, "%s", record_get(r, "reason"));
  record_free(r);
  return e->code;
}

/* No answer, or a dead worker. What holds a worker so that it cannot be ended
 * is not to get another. */
static int lost(struct loop *l, struct candidate *c, enum status status,
                struct err *e)
{
  int compiling = l->event.pool == l->pools[COMPILING];
  int stuck = pool_lost(l->event.pool, l->event.place);
  char why[sizeof l->event.why + 40];
  if (!stuck && second_try(l, c, compiling ? STATE_NEW : STATE_COMPILED))
    return 0;
  snprintf(why, sizeof why, "%s%s", l->event.why,
           c->late ? ", tried again in a new worker" : "");
  return settle_bad(l, c, status, why, e);
}

/* What befell the worker says nothing of the candidate, unless it befalls each
 * that tries it: then this run goes on without it. */
static int killed(struct loop *l, struct candidate *c, struct err *e)
{
  char why[sizeof l->event.why + 60];
  l->s->killed++;
  if (++c->killed < WORKER_TRIES) {
    c->state = l->event.pool == l->pools[COMPILING] ? STATE_NEW
                                                    : STATE_COMPILED;
    return 0;
  }
  snprintf(why, sizeof why, "%s; so were %d before it; the next run tries it "
           "again", l->event.why, WORKER_TRIES - 1);
  return settle_bad(l, c, STATUS_CRASH, why, e);
}

static int handle(struct loop *l, struct err *e)
{
  int pool = l->event.pool == l->pools[TRYING] ? TRYING : COMPILING;
  if (l->event.kind == EVENT_REPLY)
    l->longest[pool] = fmax(l->longest[pool], l->event.seconds);
  if (l->event.kind != EVENT_NONE && l->event.kind != EVENT_SIGNAL
      && l->event.tag == TAG_PROBE)
    return clock_past(l->until) ? 0 : loop_probed(l, e);
  struct candidate *c = loop_at(l, l->event.tag);
  switch (l->event.kind) {
  case EVENT_NONE:
    return 0;
  case EVENT_SIGNAL:
    return err_set(e, ERR_INTERRUPTED, "interrupted");
  case EVENT_REPLY:
    return l->event.pool == l->pools[COMPILING] ? compiled(l, c, e)
                                                : tried(l, c, e);
  case EVENT_KILLED:
    return killed(l, c, e);
  case EVENT_CRASH:
    return lost(l, c, STATUS_CRASH, e);
  case EVENT_TIMEOUT: /* when all time is up, it is not the candidate's fault */
    return clock_past(l->until) ? 0
                                : lost(l, c, STATUS_TIMEOUT, e);
  }
  return 0;
}

/* --- asking and telling -------------------------------------------------- */

static enum search_answer next(struct loop *l, struct config *c)
{
  struct session *s = l->s;
  if (l->asked >= s->evals)
    return SEARCH_END;
  if (!s->given)
    return seeded_ask(&l->search, c);
  if (l->asked == s->ngiven)
    return SEARCH_END;
  *c = s->given[l->asked];
  return SEARCH_CONFIG;
}

static void fill(struct loop *l)
{
  while (!l->ended && l->asked - l->told < l->ahead) {
    struct candidate *c = loop_at(l, l->asked);
    *c = (struct candidate){0};
    enum search_answer a = next(l, &c->config);
    l->ended = a == SEARCH_END;
    if (a != SEARCH_CONFIG)
      return;
    l->asked++;
    begin(l, c);
  }
}

static void count(struct session *s, const struct candidate *c)
{
  const struct record *r = c->record;
  int status = status_parse(record_get(r, "status"));
  double us = record_number(r, "time_us", INFINITY);
  const char *reason = record_get(r, "reason");
  s->done++;
  s->known += c->known != 0;
  s->counts[status]++;
  s->known_counts[status] += c->known != 0;
  if (status == STATUS_OK && (s->best_number == 0 || us < s->best_us)) {
    s->best_us = us;
    s->best_number = s->done;
  }
  if (status != STATUS_OK && !s->first_reason[0])
    snprintf(s->first_reason, sizeof s->first_reason, "%s: %s",
             status_name((enum status)status), reason ? reason : "");
}

static void tell(struct loop *l, struct candidate *c)
{
  struct session *s = l->s;
  int ok = strcmp(record_get(c->record, "status"), "ok") == 0;
  double cost = ok ? record_number(c->record, "time_us", INFINITY) : INFINITY;
  count(s, c);
  if (!s->given)
    seeded_tell(&l->search, &c->config, cost);
  s->view.candidate(s->view.user, s, s->done, c->record, c->known);
  record_free(c->record);
  c->record = NULL;
  l->told++;
}

/* Ask and tell as far as results are there. */
static void advance(struct loop *l)
{
  double from = clock_now();
  fill(l);
  while (l->told < l->asked && loop_at(l, l->told)->state == STATE_DONE) {
    tell(l, loop_at(l, l->told));
    fill(l);
  }
  l->s->search_s += clock_now() - from;
}

static int hopeless(const struct session *s)
{
  return !s->given && s->done >= HOPELESS && s->counts[STATUS_OK] == 0;
}

/* Can it go on? */
static int workers_left(const struct loop *l, struct err *e)
{
  const struct session *s = l->s;
  size_t left = pool_left(l->pools[TRYING]);
  if (left && pool_left(l->pools[COMPILING]))
    return 0;
  return err_set(e, ERR_FAILED, "%s: the worker%s did not end though killed, "
                 "which is the driver's doing; the results so far are kept, "
                 "and the same command goes on when the device is well again",
                 left ? s->compiler : s->device->name,
                 (left ? s->jobs : s->devices) == 1 ? "" : "s");
}

static int run(struct loop *l, struct err *e)
{
  struct session *s = l->s;
  int code = 0;
  for (;;) {
    if ((code = look(l, e)))
      return code;
    advance(l);
    s->view.tick(s->view.user, s);
    if (l->told == l->asked || hopeless(s))
      return 0;
    if (clock_past(l->until)) {
      s->out_of_time = 1;
      return 0;
    }
    if ((code = workers_left(l, e)) || (code = dispatch(l, e)))
      return code;
    pool_wait(l->pools, 2, l->signals, loop_limit(l, 0.1), &l->event);
    account(l);
    if ((code = handle(l, e)))
      return code;
  }
}

/* --- setting up ---------------------------------------------------------- */

/* The finalists need some of the budget. */
static double search_until(const struct session *s)
{
  double share = FINALS_SHARE * (s->until - s->begun);
  if (s->until <= 0 || s->device->modelled)
    return s->until;
  return s->until - (share < FINALS_MOST ? share : FINALS_MOST);
}

/* A worker: the compiler's own files go where session_run() removes them. */
static void compile_body(int fd, void *user)
{
  struct loop *l = user;
  if (l->scratch.len)
    setenv("TMPDIR", l->scratch.at, 1);
  compile_worker(fd, &l->compile);
}

static void open_devices(struct loop *l, const struct session *s)
{
  l->places = mem_array(s->devices, sizeof *l->places);
  l->jobs = mem_array(s->devices, sizeof *l->jobs);
  for (size_t i = 0; i < s->devices; i++) {
    const struct device *d = i < s->nteam ? s->team[i] : s->device;
    l->places[i] = (struct place){
        .job = {s->family, s->problem, s->arch, d, s->seed, s->precision,
                s->hot, &l->plain, s->timeout}};
    l->jobs[i] = &l->places[i].job;
  }
  pool_open(&l->pools[TRYING], s->devices, device_worker, NULL);
  pool_users(l->pools[TRYING], l->jobs);
}

static void open_loop(struct loop *l, struct session *s)
{
  *l = (struct loop){.s = s, .until = search_until(s)};
  cache_folder(&l->folder);
  scratch_make(&l->scratch);
  l->compile = (struct compile_job){s->family, s->problem, s->arch,
                                    s->compiler, l->folder.at};
  s->devices = session_places(s);
  l->ahead = s->device->modelled ? SEARCH_AHEAD
                                 : SEARCH_AHEAD_REAL * s->devices;
  l->ring = mem_array(l->ahead, sizeof *l->ring);
  pool_open(&l->pools[COMPILING], s->jobs, compile_body, l);
  open_devices(l, s);
  if (!s->given)
    l->search = seeded_open(search_open(s->search, s->space, s->seed),
                            s->seeds, s->nseeds);
}

static void close_loop(struct loop *l)
{
  struct session *s = l->s;
  s->compile_s = pool_seconds(l->pools[COMPILING]);
  s->device_s = pool_seconds(l->pools[TRYING]);
  s->lost = s->devices - pool_left(l->pools[TRYING]);
  pool_close(l->pools[COMPILING]);
  pool_close(l->pools[TRYING]);
  for (size_t i = l->told; i < l->asked; i++) {
    record_free(loop_at(l, i)->record);
    str_free(&loop_at(l, i)->code);
  }
  if (!s->given)
    seeded_close(&l->search);
  event_free(&l->event);
  free(l->ring);
  free(l->places);
  free(l->jobs);
  str_free(&l->folder);
  scratch_remove(&l->scratch);
  str_free(&l->request);
  str_free(&l->plain);
}

int session_run(struct session *s, struct err *e)
{
  struct loop loop;
  sigset_t old;
  int signals = signals_watch(&old);
  open_loop(&loop, s);
  loop.signals = signals;
  int code = compile_plain(s->family, compile_body, &loop,
                           loop_limit(&loop, COMPILE_LIMIT), &loop.plain, e);
  if (!code)
    code = run(&loop, e);
  if (!code && !s->device->modelled && s->ngiven <= 1) {
    pool_drop(loop.pools[COMPILING]);
    pool_drop(loop.pools[TRYING]);
    code = finals_run(s, loop.pools, signals, e);
  }
  if (!code)
    loop_probe_last(&loop);
  close_loop(&loop);
  if (signals_take(signals) && !code)
    code = err_set(e, ERR_INTERRUPTED, "interrupted");
  close(signals);
  sigprocmask(SIG_SETMASK, &old, NULL);
  return code;
}
