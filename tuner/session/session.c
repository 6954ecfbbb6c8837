/* session.c - see session.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/session.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "tuner/device/cache.h"
#include "tuner/session/finals.h"
#include "tuner/session/loop.h"
#include "tuner/session/scratch.h"
#include "tuner/session/signals.h"

enum {
  FINALS_MOST = 30, /* seconds of a budget that the finalists get */
  HOPELESS = 24,    /* candidates of which none was ok: something is wrong */
};

#define FINALS_SHARE 0.25 /* of a short budget */

static int hopeless(const struct session *s)
{
  return !s->setup.given && s->result.done >= HOPELESS &&
         s->result.counts[STATUS_OK] == 0;
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
                 left ? s->setup.compiler : s->setup.device->name,
                 PLURAL(left ? s->setup.jobs : s->result.devices));
}

static int run(struct loop *l, struct err *e)
{
  struct session *s = l->s;
  int code = 0;
  for (;;) {
    if ((code = loop_look(l, e)))
      return code;
    loop_advance(l);
    s->setup.view.tick(s->setup.view.user, s);
    s->result.whole = l->told == l->asked;
    if (s->result.whole || hopeless(s))
      return 0;
    if (clock_past(l->until)) {
      s->result.out_of_time = 1;
      return 0;
    }
    if ((code = workers_left(l, e)) || (code = loop_dispatch(l, e)))
      return code;
    pool_wait(l->pools, 2, l->signals, loop_limit(l, 0.1), &l->event);
    loop_account(l);
    if ((code = loop_handle(l, e)))
      return code;
  }
}

/* --- setting up ---------------------------------------------------------- */

/* Where costs are counted, a second look would find the same. */
static int has_finals(const struct session_setup *u)
{
  return u->finals != FINALS_NONE && !u->device->counted;
}

/* The finalists need some of the budget. */
static double search_until(const struct session *s)
{
  double share = FINALS_SHARE * (s->setup.until - s->setup.begun);
  if (s->setup.until <= 0 || !has_finals(&s->setup))
    return s->setup.until;
  return s->setup.until - (share < FINALS_MOST ? share : FINALS_MOST);
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
  const struct session_setup *u = &s->setup;
  size_t n = s->result.devices;
  l->slots = mem_array(n, sizeof *l->slots);
  l->jobs = mem_array(n, sizeof *l->jobs);
  for (size_t i = 0; i < n; i++) {
    l->slots[i].job = session_device_job(u, i, &l->plain);
    l->jobs[i] = &l->slots[i].job;
  }
  pool_open(&l->pools[TRYING], n, device_worker, NULL);
  pool_users(l->pools[TRYING], l->jobs);
}

static double guessed(void *user, const struct config *c)
{
  return guess_us(user, c);
}

static void open_search(struct loop *l, const struct session_setup *u)
{
  struct search search = search_open(u->search, u->space, u->seed);
  l->guess = guess_open(u->family, u->problem, u->arch);
  if (l->guess)
    search_advise(&search, (struct prior){guessed, l->guess});
  l->search = warm_search_open(search, u->starts, u->nstarts);
}

/* Proposals that run ahead of results: enough that no device waits, and at most a
 * quarter of all where that is more than one device's, or most of a short run on many
 * devices would be proposed before anything is learnt. */
static size_t ahead(const struct session_setup *u, size_t devices)
{
  size_t all = SEARCH_AHEAD_REAL * devices, quarter = u->evals / 4;
  if (u->device->modelled)
    return SEARCH_AHEAD;
  if (quarter < SEARCH_AHEAD_REAL)
    quarter = SEARCH_AHEAD_REAL;
  return all < quarter ? all : quarter;
}

static void open_loop(struct loop *l, struct session *s)
{
  const struct session_setup *u = &s->setup;
  *l = (struct loop){.s = s, .until = search_until(s), .limit = u->evals,
                     .gained_from = INFINITY};
  cache_folder(&l->folder);
  scratch_make(&l->scratch);
  l->compile = session_compile_job(u, l->folder.at);
  s->result.devices = session_slots(s);
  l->ahead = ahead(u, s->result.devices);
  l->ring = mem_array(l->ahead, sizeof *l->ring);
  pool_open(&l->pools[COMPILING], u->jobs, compile_body, l);
  open_devices(l, s);
  if (!u->given)
    open_search(l, u);
}

static void close_loop(struct loop *l)
{
  struct session *s = l->s;
  s->result.compile_s = pool_seconds(l->pools[COMPILING]);
  s->result.device_s = pool_seconds(l->pools[TRYING]);
  s->result.lost = s->result.devices - pool_left(l->pools[TRYING]);
  pool_close(l->pools[COMPILING]);
  pool_close(l->pools[TRYING]);
  for (size_t i = l->told; i < l->asked; i++) {
    record_free(loop_at(l, i)->record);
    str_free(&loop_at(l, i)->code);
  }
  if (!s->setup.given)
    warm_search_close(&l->search);
  guess_close(l->guess);
  event_free(&l->event);
  free(l->ring);
  free(l->slots);
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
  int code = compile_plain(s->setup.family, compile_body, &loop,
                           loop_limit(&loop, COMPILE_LIMIT), &loop.plain, e);
  if (!code)
    code = run(&loop, e);
  if (!code && has_finals(&s->setup)) {
    pool_drop(loop.pools[COMPILING]);
    pool_drop(loop.pools[TRYING]);
    code = finals_run(s, loop.pools, signals, e);
  }
  if (!code)
    loop_health_last(&loop);
  close_loop(&loop);
  if (signals_take(signals) && !code)
    code = err_set(e, ERR_INTERRUPTED, "interrupted");
  close(signals);
  sigprocmask(SIG_SETMASK, &old, NULL);
  return code;
}
