/* sample.c - see sample.h: windows, and when to skip. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/timing/fast_forward.h"

/* A window is this many instructions of the CU and periods of the oldest
 * wave, or fewer periods where they are long. */
enum { WINDOW_INSTS = 20000, WINDOW_PERIODS = 4,
       LONG_INSTS = 60000, LONG_PERIODS = 2,
       SETTLED = 2,   /* equal periods in a row */
       PATIENCE = 8 };/* windows, after which an unsteady rate is taken */
#define STEADY 0.01   /* of the cycles an instruction takes */

struct sampler {
  int open;         /* a window is */
  uint32_t branch;  /* of its loop */
  uint32_t done;    /* the branch of a loop that was skipped already */
  uint64_t period;
  unsigned windows, periods;
  double start, rate; /* time; cycles an instruction of the last window */
  struct totals totals; /* at the start */
  struct inst_count *counts;
};

struct sampler *sample_open(void)
{
  return mem_alloc(sizeof(struct sampler));
}

void sample_close(struct sampler *m)
{
  if (m)
    free(m->counts);
  free(m);
}

void sample_restart(struct cu *u)
{
  if (!u->sampler)
    return;
  u->sampler->open = 0;
  u->sampler->windows = 0;
  u->sampler->done = UINT32_MAX;
}

static uint64_t executed(const struct resident *r)
{
  uint64_t n = 0;
  for (unsigned i = 0; i < r->g->nwaves; i++)
    n += r->g->waves[i].executed;
  return n;
}

static void open_window(struct cu *u, const struct loop *l, double t)
{
  struct sampler *m = u->sampler;
  if (!m->counts)
    m->counts = mem_array(u->ncode, sizeof *m->counts);
  m->open = 1;
  m->branch = l->last;
  m->period = l->period;
  m->periods = 0;
  m->start = t;
  m->totals = u->totals;
  memcpy(m->counts + u->lo, u->counts + u->lo,
         (u->hi - u->lo) * sizeof *m->counts);
  for (struct resident *r = u->groups; r; r = r->next)
    r->mark = executed(r);
}

static void add_again(double *now, const double *then, size_t n, double times)
{
  for (size_t i = 0; i < n; i++)
    now[i] += times * (now[i] - then[i]);
}

/* Add `times` of what the window added, to everything that is counted; to an
 * instruction's counts, as often as it was executed beyond the window. An
 * instruction that the window met first counts from zero there. */
static void credit(struct cu *u, double times, const double *hits)
{
  const struct sampler *m = u->sampler;
  size_t row = sizeof *u->counts / sizeof(double);
  add_again((double *)&u->totals, (const double *)&m->totals,
            sizeof u->totals / sizeof(double), times);
  for (size_t pc = u->lo; pc < u->hi; pc++, hits++) {
    double in_window = u->counts[pc].hits - m->counts[pc].hits;
    if (in_window > 0)
      add_again((double *)(u->counts + pc), (const double *)(m->counts + pc),
                row, *hits / in_window);
    else
      u->counts[pc].hits += *hits;
  }
}

/* The window is over at t and its rate is to be trusted. */
static void forward(struct cu *u, double t)
{
  struct sampler *m = u->sampler;
  double window = t - m->start;
  for (struct resident *r = u->groups; r; r = r->next)
    r->rate = (double)(executed(r) - r->mark) / window;
  double *hits = mem_array(u->hi - u->lo, sizeof *hits);
  double cycles = fast_forward(u, hits);
  if (cycles > 0) {
    credit(u, cycles / window, hits);
    u->skipped += cycles;
  }
  free(hits);
  m->done = m->branch;
  m->open = 0;
  m->windows = 0;
}

static int long_enough(const struct cu *u)
{
  const struct sampler *m = u->sampler;
  double insts = u->totals.all - m->totals.all;
  return (insts >= WINDOW_INSTS && m->periods >= WINDOW_PERIODS) ||
         (insts >= LONG_INSTS && m->periods >= LONG_PERIODS);
}

static void close_window(struct cu *u, const struct loop *l, double t)
{
  struct sampler *m = u->sampler;
  double rate = (t - m->start) / (u->totals.all - m->totals.all);
  int steady = m->windows && fabs(rate - m->rate) <= STEADY * m->rate;
  m->rate = rate;
  m->windows++;
  if ((steady || m->windows >= PATIENCE) && fast_forward_possible(u)) {
    forward(u, t);
    return;
  }
  open_window(u, l, t);
}

void sample_loop(struct cu *u, double t)
{
  struct sampler *m = u->sampler;
  const struct loop *l = u->loop;
  /* Windows begin and end where the first wave of the oldest group begins
   * a period. */
  if (!m || u->looped != u->groups->slots)
    return;
  if (l->repeats < SETTLED) {
    if (l->last == m->branch)
      m->open = 0;
    if (l->last == m->done)
      m->done = UINT32_MAX;
    return;
  }
  if (l->last == m->done)
    return;
  if (!m->open || (l->last != m->branch && l->period > m->period)) {
    m->windows = 0;
    open_window(u, l, t);
  } else if (l->last == m->branch) {
    m->periods++;
    if (long_enough(u))
      close_window(u, l, t);
  }
}
