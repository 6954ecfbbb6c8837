/* finals.c - see finals.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/finals.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tuner/conditions/conditions.h"
#include "tuner/device/compile_worker.h"
#include "tuner/device/device_worker.h"
#include "tuner/device/timing.h"

/* At once; MODELLED of a modelled device, where none depends on the others. LIMIT: seconds
 * of all of it. */
enum {FINALISTS = 5, MODELLED = 3, LIMIT = 120};

#define WORD "finals" /* of the claim */

/* Beyond this ratio to the best, noise does not decide. */
#define NEAR 1.05

/* Of the time that is left, what goes into launches under the stopwatch; the
 * rest is for what goes before them. */
#define TIMED 0.5

struct finals {
  struct session *s;
  struct pool *const *pools;
  int signals;
  double until; /* clock_now() */
  const struct record **best; /* fastest first */
  size_t n;                   /* finalists */
  struct event event;
  struct str request;
};

/* The fastest few, as far as noise decides; of them *f->best is one allocation. */
static void choose_fastest(struct finals *f)
{
  const struct session_setup *u = &f->s->setup;
  size_t most = u->device->modelled ? MODELLED : FINALISTS;
  size_t n = history_best(u->history, &f->best), near = 0;
  while (near < n && near < most &&
         record_number(f->best[near], "time_us", 0)
                <= NEAR * record_number(f->best[0], "time_us", 0))
    near++;
  f->n = near;
}

/* What was given and has a time. */
static void choose_given(struct finals *f)
{
  const struct session_setup *u = &f->s->setup;
  struct str text = {0};
  f->best = mem_array(u->ngiven, sizeof *f->best);
  f->n = 0;
  for (size_t i = 0; i < u->ngiven; i++) {
    str_clear(&text);
    config_format(u->family, &u->given[i], &text);
    const struct record *r = history_find(u->history, text.at);
    if (r && !strcmp(record_text(r, "status"), "ok"))
      f->best[f->n++] = r;
  }
  str_free(&text);
}

/* A modelled time does not drift: final ones are left out. */
static void leave_out_final(struct finals *f)
{
  size_t n = 0;
  for (size_t i = 0; i < f->n; i++)
    if (!record_get(f->best[i], "final"))
      f->best[n++] = f->best[i];
  f->n = n;
}

static void choose(struct finals *f)
{
  if (f->s->setup.finals == FINALS_GIVEN)
    choose_given(f);
  else
    choose_fastest(f);
  if (f->s->setup.device->modelled)
    leave_out_final(f);
  f->n = f->n < FINALISTS ? f->n : FINALISTS;
}

static int all_final(const struct record *const *best, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!record_get(best[i], "final"))
      return 0;
  return 1;
}

/* Send f->request to one worker of a pool and wait for what comes of it. */
static int send_once(struct finals *f, struct pool *pool, struct err *e)
{
  double left = f->until - clock_now();
  int slot = pool_idle(pool);
  if (slot < 0)
    return err_set(e, ERR_FAILED, "timing the finalists: no worker is left");
  if (pool_send(pool, slot, 0, &f->request, left, e))
    return e->code;
  do
    pool_wait(&pool, 1, f->signals, 1, &f->event);
  while (f->event.kind == EVENT_NONE && clock_now() < f->until);
  if (f->event.kind == EVENT_NONE)
    return err_set(e, ERR_FAILED, "timing the finalists: the time is up");
  return 0;
}

static int ask(struct finals *f, struct pool *pool, struct err *e)
{
  int tries = WORKER_TRIES;
  do
    if (send_once(f, pool, e))
      return e->code;
  while (f->event.kind == EVENT_KILLED && --tries > 0);
  switch (f->event.kind) {
  case EVENT_REPLY:
    return 0;
  case EVENT_SIGNAL:
    return err_set(e, ERR_INTERRUPTED, "interrupted");
  default:
    return err_set(e, ERR_FAILED, "timing the finalists: %s", f->event.why);
  }
}

static int add_finalist(struct finals *f, size_t i, struct str *request,
                        struct err *e)
{
  struct config c = {0};
  struct compiled code;
  if (config_parse(f->s->setup.family, record_get(f->best[i], "config"), 0,
                   &c, e))
    return e->code;
  compile_request(&c, &f->request);
  if (ask(f, f->pools[0], e))
    return e->code;
  if (compile_reply(&f->event.reply, &code) || code.status != STATUS_OK)
    return err_set(e, ERR_FAILED, "a finalist does not compile any more");
  finals_add(request, &c, code.code, code.ncode);
  return 0;
}

static int store(struct finals *f, const struct timing *t, size_t i,
                 const struct record *conditions, struct err *e)
{
  struct record *r = record_copy(f->best[i]);
  record_set(r, "time_us", "%.6g", t->us);
  record_set(r, "mad_us", "%.3g", t->mad_us);
  record_set(r, "n", "%u", t->n);
  record_set(r, "final", "1");
  conditions_copy(conditions, r);
  int code = history_add(f->s->setup.history, r, e);
  record_free(r);
  return code;
}

static int race(struct finals *f, struct err *e)
{
  struct str request = {0};
  struct timing timings[FINALISTS];
  struct record *conditions = NULL;
  int code = 0;
  finals_begin(&request, TIMED * (f->until - clock_now()), f->n);
  for (size_t i = 0; i < f->n && !code; i++)
    code = add_finalist(f, i, &request, e);
  if (!code) {
    str_clear(&f->request);
    str_add_bytes(&f->request, request.at, request.len);
    code = ask(f, f->pools[1], e);
  }
  if (!code &&
      finals_reply(&f->event.reply, timings, f->n, &conditions, e))
    code = err_prefix(e, "timing the finalists");
  for (size_t i = 0; i < f->n && !code; i++)
    code = store(f, &timings[i], i, conditions, e);
  record_free(conditions);
  str_free(&request);
  return code;
}

/* One process does this for all that have the same problem; the others wait,
 * and find it done. */
static int claim(struct finals *f, struct err *e)
{
  f->event.kind = EVENT_NONE;
  while (!history_claim(f->s->setup.history, WORD) && clock_now() < f->until) {
    pool_wait(f->pools, 0, f->signals, 0.1, &f->event);
    if (f->event.kind == EVENT_SIGNAL)
      return err_set(e, ERR_INTERRUPTED, "interrupted");
  }
  return history_refresh(f->s->setup.history, e);
}

/* The best of a race may be slower than another had seemed to be: so that is
 * the next round's finalist, until the fastest few all are. */
static int rounds(struct finals *f, struct err *e)
{
  size_t least = f->s->setup.device->modelled ? 1 : 2;
  int code = claim(f, e), more = 1;
  while (more && !code) {
    choose(f);
    more = f->n >= least && !all_final(f->best, f->n);
    if (more)
      code = race(f, e);
    free(f->best);
  }
  history_unclaim(f->s->setup.history, WORD);
  return code;
}

int finals_run(struct session *s, struct pool *const pools[2], int signals,
               struct err *e)
{
  struct finals f = {.s = s, .pools = pools, .signals = signals,
                     .until = clock_now() + LIMIT};
  int in_budget = s->setup.until > 0 && s->setup.until < f.until;
  if (in_budget)
    f.until = s->setup.until;
  int code = rounds(&f, e);
  event_free(&f.event);
  str_free(&f.request);
  int over = code == ERR_FAILED && clock_now() >= f.until;
  if (!over || !(in_budget || s->setup.device->modelled))
    return code;
  s->result.out_of_time |= in_budget;
  *e = (struct err){0};
  return 0;
}
