/* dispatch.c - running a launch's workgroups functionally.
 *
 * A crew of threads shares the grid: each takes the next group in dispatch
 * order until there is none. Private memory is allocated before they start,
 * so that its addresses, and the arena, do not depend on who is first. What
 * groups share is device memory alone, and there what the kernel orders by
 * atomics is ordered for the host, too (atomic.c).
 *
 * Once a group waits for another one the crew goes home, and its captain alone
 * goes on: it begins further groups, and takes those that wait in turn, as long
 * as any of them gets somewhere.
 */
// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/dispatch.h"

/* WAVES: that a card holds, 64 CUs with 40 each; kernels that need more at the
 * same time find no card to run on. */
enum {CREW_MOST = 64, WAVES = 2560};

/* A group that waits, and when that was seen last. */
struct waiter {
  struct group *g;
  uint64_t n, seen;
};

struct rest {
  const struct dispatch *d;
  unsigned threads;
  uint8_t *taken;
  uint64_t next, end; /* groups; atomic: next */
  uint64_t bad;       /* the first group known to be at fault; atomic */
  int waits;          /* one of the crew's groups does; atomic */
  struct waiter *waiters; /* first in, first out; room for all */
  size_t nwaiters, most;
  uint64_t progress; /* steps of any group that might end another one's wait */
  struct counts counts;
};

struct hand {
  struct rest *r;
  pthread_t thread;
  struct group *g;
  struct counts counts;
  uint64_t bad, waits; /* its group at fault, or that waits; or UINT64_MAX */
  struct fault fault;
};

/* --- a crew --------------------------------------------------------------- */

/* The next group that is wanted, or UINT64_MAX. */
static uint64_t take(struct rest *r)
{
  while (!__atomic_load_n(&r->waits, __ATOMIC_RELAXED)) {
    uint64_t n = __atomic_load_n(&r->next, __ATOMIC_RELAXED);
    if (n >= r->end || n >= __atomic_load_n(&r->bad, __ATOMIC_RELAXED))
      break;
    if (__atomic_compare_exchange_n(&r->next, &n, n + 1, 1, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) && !r->taken[n]) {
      r->taken[n] = 1;
      return n;
    }
  }
  return UINT64_MAX;
}

static void report(struct hand *h, uint64_t n)
{
  uint64_t first = __atomic_load_n(&h->r->bad, __ATOMIC_RELAXED);
  h->bad = n;
  while (n < first &&
         !__atomic_compare_exchange_n(&h->r->bad, &first, n, 1,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void *work(void *user)
{
  struct hand *h = user;
  for (uint64_t n; (n = take(h->r)) != UINT64_MAX;) {
    group_renew(h->g, n);
    int code = group_run(h->g, &h->fault);
    if (code == GROUP_WAITS) {
      h->waits = n;
      __atomic_store_n(&h->r->waits, 1, __ATOMIC_RELAXED);
    } else if (code) {
      report(h, n);
    } else {
      counts_add(&h->counts, h->g);
      continue;
    }
    break;
  }
  return NULL;
}

/* Start hands 1 .. n-1 and be hand 0; a program's signals are its own
 * threads' affair. */
static void work_together(struct hand *hands, unsigned n)
{
  sigset_t all, before;
  unsigned started = 1;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (started < n && !pthread_create(&hands[started].thread, NULL, work,
                                        &hands[started]))
    started++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  work(&hands[0]);
  for (unsigned k = 1; k < started; k++)
    pthread_join(hands[k].thread, NULL);
}

int dispatch_no_memory(const struct dispatch *d, struct fault *fault)
{
  fault->code = FAULT_LAUNCH;
  snprintf(fault->text, sizeof fault->text,
           "kernel %.200s: no memory for a workgroup's registers, LDS and "
           "private memory", d->kernel->name);
  return fault->code;
}

static void add_counts(struct counts *to, const struct counts *more)
{
  to->waves += more->waves;
  for (unsigned i = 0; i < CLASS_N; i++)
    to->insts[i] += more->insts[i];
  to->waits += more->waits;
  to->lines += more->lines;
  to->merged += more->merged;
}

static void push(struct rest *r, struct waiter w)
{
  r->waiters[r->nwaiters++] = w;
}

static int finish(struct rest *r, struct hand *hands, unsigned n,
                  struct fault *fault)
{
  for (unsigned k = 0; k < n; k++) {
    struct hand *h = &hands[k];
    if (h->bad == r->bad && r->bad != UINT64_MAX)
      *fault = h->fault;
    add_counts(&r->counts, &h->counts);
    if (h->waits != UINT64_MAX)
      push(r, (struct waiter){h->g, h->waits, UINT64_MAX});
    else
      group_free(h->g);
  }
  r->waits = 0;
  return r->bad == UINT64_MAX ? 0 : fault->code;
}

static int run_crew(struct rest *r, struct fault *fault)
{
  struct hand hands[CREW_MOST];
  uint64_t groups = r->end - r->next;
  unsigned most = r->threads < CREW_MOST ? r->threads : CREW_MOST, n = 0;
  if (groups < most)
    most = (unsigned)groups;
  for (; n < most; n++) {
    hands[n] = (struct hand){.r = r, .bad = UINT64_MAX, .waits = UINT64_MAX,
                             .g = group_new(r->d, 0)};
    if (!hands[n].g)
      break;
  }
  if (!n && most)
    return dispatch_no_memory(r->d, fault);
  if (n)
    work_together(hands, n);
  return finish(r, hands, n, fault);
}

/* --- groups that wait ----------------------------------------------------- */

/* Another group, or the one that waits for longest. 0: there is none, or all
 * that wait have been seen to since something changed. */
static int pick(struct rest *r, struct waiter *w)
{
  uint64_t n = r->nwaiters < r->most ? take(r) : UINT64_MAX;
  if (n != UINT64_MAX) {
    *w = (struct waiter){group_new(r->d, n), n, UINT64_MAX};
    if (w->g)
      return 1;
    r->taken[n] = 0; /* later, when others have ended */
    r->next = n;
  }
  if (!r->nwaiters || r->waiters[0].seen == r->progress)
    return 0;
  *w = r->waiters[0];
  r->nwaiters--;
  memmove(r->waiters, r->waiters + 1, r->nwaiters * sizeof *r->waiters);
  return 1;
}

static int run_in_turn(struct rest *r, struct fault *fault)
{
  struct waiter w;
  while (pick(r, &w)) {
    int code = group_run(w.g, fault);
    r->progress += code != GROUP_STUCK;
    w.seen = r->progress;
    if (code < 0) {
      push(r, w);
      continue;
    }
    if (!code)
      counts_add(&r->counts, w.g);
    group_free(w.g);
    if (code)
      return code;
  }
  return 0;
}

int rest_run(struct rest *r, uint64_t end, struct fault *fault)
{
  uint64_t all = dispatch_groups(r->d);
  r->end = end < all ? end : all;
  r->progress++; /* whatever the caller's groups did */
  int code = r->nwaiters ? 0 : run_crew(r, fault);
  return code || !r->nwaiters ? code : run_in_turn(r, fault);
}

void barrier_blocked(struct wave *w); /* barrier.c */

static int at_barrier(struct group *g, struct fault *fault)
{
  struct wave *w = g->waves;
  while (w->state != WAVE_BARRIER)
    w++;
  barrier_blocked(w);
  *fault = w->fault;
  return fault->code;
}

/* The first wave of the first group that waits tells. */
static int blocked(struct rest *r, struct fault *fault)
{
  struct waiter *first = &r->waiters[0];
  for (size_t k = 1; k < r->nwaiters; k++)
    if (r->waiters[k].n < first->n)
      first = &r->waiters[k];
  struct wave *w = first->g->waves;
  uint32_t n = 0;
  while (n < first->g->nwaves && w[n].state != WAVE_RUN)
    n++;
  if (n == first->g->nwaves)
    return at_barrier(first->g, fault);
  w += n;
  wave_fault(w, FAULT_TIMEOUT,
             "waits for memory to change, and so do all the workgroups that "
             "could change it, %zu; does it need more of them at the same "
             "time than a card holds?", r->nwaiters);
  *fault = w->fault;
  return fault->code;
}

int rest_finish(struct rest *r, struct counts *counts, struct fault *fault)
{
  int code = rest_run(r, UINT64_MAX, fault);
  if (!code && r->nwaiters)
    code = blocked(r, fault);
  if (counts)
    add_counts(counts, &r->counts);
  return code;
}

/* --- all ------------------------------------------------------------------ */

struct rest *rest_open(const struct dispatch *d, unsigned threads)
{
  uint32_t threads_of = d->block[0] * d->block[1] * d->block[2];
  uint32_t lanes = d->kernel->object->isa->lanes;
  struct rest *r = mem_alloc(sizeof *r);
  *r = (struct rest){.d = d, .threads = threads, .bad = UINT64_MAX,
                     .most = WAVES / ((threads_of + lanes - 1) / lanes)};
  r->taken = calloc(dispatch_groups(d), 1);
  r->waiters = mem_array(r->most + CREW_MOST, sizeof *r->waiters);
  if (r->taken)
    return r;
  rest_close(r);
  return NULL;
}

void rest_close(struct rest *r)
{
  for (size_t k = 0; k < r->nwaiters; k++)
    group_free(r->waiters[k].g);
  free(r->waiters);
  free(r->taken);
  free(r);
}

void rest_take(struct rest *r, uint64_t group)
{
  r->taken[group] = 1;
}

int rest_taken(const struct rest *r, uint64_t group)
{
  return r->taken[group];
}

int dispatch_run(const struct dispatch *d, unsigned threads,
                 struct counts *counts, struct fault *fault)
{
  struct rest *r = rest_open(d, threads);
  if (!r)
    return dispatch_no_memory(d, fault);
  int code = rest_finish(r, counts, fault);
  rest_close(r);
  return code;
}
