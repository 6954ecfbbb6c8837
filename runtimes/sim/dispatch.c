/* dispatch.c - running a launch's workgroups functionally.
 *
 * A crew of threads shares the grid: each takes the next group in dispatch
 * order until there is none. Private memory is allocated before they start,
 * so that its addresses, and the arena, do not depend on who is first. What
 * groups share is device memory alone, and there what the kernel orders by
 * atomics is ordered for the host, too (atomic.c).
 */
// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "runtimes/sim/dispatch.h"

enum { CREW_MOST = 64 };

struct crew {
  const struct dispatch *d;
  const uint8_t *done;
  uint64_t next, last; /* groups; atomic: next */
  uint64_t bad;        /* the first group known to be at fault; atomic */
};

struct hand {
  struct crew *crew;
  pthread_t thread;
  struct group *g;
  struct counts counts;
  uint64_t bad; /* its group at fault, or UINT64_MAX */
  struct fault fault;
};

/* The next group that is wanted, or UINT64_MAX. */
static uint64_t take(struct crew *c)
{
  for (;;) {
    uint64_t n = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED);
    if (n >= c->last || n >= __atomic_load_n(&c->bad, __ATOMIC_RELAXED))
      return UINT64_MAX;
    if (!c->done || !c->done[n])
      return n;
  }
}

static void report(struct hand *h, uint64_t n)
{
  uint64_t first = __atomic_load_n(&h->crew->bad, __ATOMIC_RELAXED);
  h->bad = n;
  while (n < first &&
         !__atomic_compare_exchange_n(&h->crew->bad, &first, n, 1,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void *work(void *user)
{
  struct hand *h = user;
  for (uint64_t n; (n = take(h->crew)) != UINT64_MAX;) {
    group_renew(h->g, n);
    if (group_run(h->g, &h->fault)) {
      report(h, n);
      return NULL;
    }
    counts_add(&h->counts, h->g);
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

static int no_memory(const struct dispatch *d, struct fault *fault)
{
  fault->code = FAULT_LAUNCH;
  snprintf(fault->text, sizeof fault->text,
           "kernel %.200s: no memory for a workgroup's registers, LDS and "
           "private memory", d->kernel->name);
  return fault->code;
}

static int finish(const struct crew *c, struct hand *hands, unsigned n,
                  struct counts *counts, struct fault *fault)
{
  for (unsigned k = 0; k < n; k++) {
    const struct hand *h = &hands[k];
    if (h->bad == c->bad && c->bad != UINT64_MAX)
      *fault = h->fault;
    if (!counts)
      continue;
    counts->waves += h->counts.waves;
    for (unsigned i = 0; i < COUNT_N; i++)
      counts->insts[i] += h->counts.insts[i];
  }
  return c->bad == UINT64_MAX ? 0 : fault->code;
}

static int run(struct crew *c, unsigned threads, struct counts *counts,
               struct fault *fault)
{
  struct hand hands[CREW_MOST];
  uint64_t groups = c->last - c->next;
  unsigned most = threads < CREW_MOST ? threads : CREW_MOST, n = 0;
  if (groups < most)
    most = (unsigned)groups;
  for (; n < most || n < 1; n++) {
    hands[n] = (struct hand){.crew = c, .bad = UINT64_MAX,
                             .g = group_new(c->d, 0)};
    if (!hands[n].g)
      break;
  }
  if (!n)
    return no_memory(c->d, fault);
  work_together(hands, n);
  for (unsigned k = 0; k < n; k++)
    group_free(hands[k].g);
  return finish(c, hands, n, counts, fault);
}

int dispatch_run(const struct dispatch *d, uint64_t first, uint64_t last,
                 struct fault *fault)
{
  struct crew c = {.d = d, .next = first, .last = last, .bad = UINT64_MAX};
  return run(&c, 1, NULL, fault);
}

int dispatch_rest(const struct dispatch *d, const uint8_t *done,
                  unsigned threads, struct counts *counts,
                  struct fault *fault)
{
  struct crew c = {.d = d, .done = done, .bad = UINT64_MAX,
                   .last = dispatch_groups(d)};
  return run(&c, threads, counts, fault);
}
