/* replay.c - see replay.h. */
// SPDX-License-Identifier: MIT
#include "tuner/replay/replay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/clock.h"

const size_t replay_after[REPLAY_AFTER] = {25, 50, 100, 200};
const double replay_within[REPLAY_WITHIN] = {0.05, 0.01};

/* --- what random search is expected to do -------------------------------- */

/* Evaluations that a random search needs to come below `value`. */
static size_t evaluations_to(const double *times, size_t n, double value)
{
  size_t i = 0;
  while (i < n - 1 && times[i] > value)
    i++;
  return (i + n - i) / (n + 1 - i); /* i / (n + 1 - i), rounded up */
}

void replay_target(const struct recording *r, struct replay_target *t)
{
  const double *times;
  size_t n = recording_times(r, &times);
  t->optimum = times[n - 1];
  t->median = n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
  double way = t->median - t->optimum;
  t->from = evaluations_to(times, n, t->optimum + 0.99 * way);
  t->to = evaluations_to(times, n, t->optimum + 0.05 * way);
  t->from = t->from > 0 ? t->from : 1;
  t->to = t->to > t->from ? t->to : t->from;
}

/* The best of k random evaluations. */
static double random_after(const double *times, size_t n, size_t k)
{
  size_t i = (size_t)lrint((double)k * (double)(n + 1) / (double)(k + 1));
  return times[i < n - 1 ? i : n - 1];
}

/* --- one run ------------------------------------------------------------- */

struct run {
  size_t n;
  double best[REPLAY_EVALS]; /* after each evaluation */
};

struct game {
  struct recording *recording;
  const struct replay_target *target;
  size_t ahead, least; /* evaluations that are wanted of every run */
};

/* Is there nothing more to be learnt from this run? */
static int over(const struct game *g, const struct run *run)
{
  double near = 1 + replay_within[REPLAY_WITHIN - 1];
  return run->n == REPLAY_EVALS ||
         (run->n >= g->least &&
             run->best[run->n - 1] <= near * g->target->optimum);
}

static void note(struct run *run, double cost)
{
  double best = run->n ? run->best[run->n - 1] : INFINITY;
  run->best[run->n++] = cost < best ? cost : best;
}

/* The session's order: ask until `ahead` are open, tell the oldest. */
static void play(const struct game *g, const struct search_ops *ops,
                 uint64_t seed, struct run *run)
{
  struct config *ring = mem_array(g->ahead, sizeof *ring);
  struct search s = search_open(ops, recording_space(g->recording), seed);
  size_t asked = 0, told = 0;
  enum search_answer a = SEARCH_CONFIG;
  run->n = 0;
  while (!over(g, run)) {
    while (a != SEARCH_END && asked - told < g->ahead) {
      a = search_ask(&s, &ring[asked % g->ahead]);
      if (a != SEARCH_CONFIG)
        break;
      asked++;
    }
    if (told == asked)
      break;
    const struct config *c = &ring[told % g->ahead];
    double cost = recording_cost(g->recording, c);
    search_tell(&s, c, cost);
    note(run, cost);
    told++;
  }
  search_close(&s);
  free(ring);
}

/* --- over all runs ------------------------------------------------------- */

static double after(const struct run *run, size_t k)
{
  return run->n ? run->best[(k < run->n ? k : run->n) - 1] : INFINITY;
}

static double fraction(const struct run *runs, size_t n, size_t k,
                       double optimum)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += optimum / after(&runs[i], k);
  return sum / (double)n;
}

/* All evaluations spent, over the runs that arrived: what is expected where
 * a run that did not is begun again. */
static double expected(const struct run *runs, size_t n, double goal,
                       size_t *reached)
{
  double spent = 0;
  *reached = 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < runs[i].n && runs[i].best[k] > goal)
      k++;
    *reached += k < runs[i].n;
    spent += (double)(k < runs[i].n ? k + 1 : runs[i].n);
  }
  return *reached ? spent / (double)*reached : INFINITY;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_after(const struct run *runs, size_t n, size_t k,
                           double worst, double *scratch)
{
  for (size_t i = 0; i < n; i++) {
    double best = after(&runs[i], k);
    scratch[i] = best < worst ? best : worst;
  }
  qsort(scratch, n, sizeof *scratch, compare);
  return scratch[n / 2];
}

/* The part of random's distance to the optimum that the median run has
 * saved, averaged over the evaluations that count. */
static double published(const struct game *g, const struct run *runs, size_t n)
{
  const double *times;
  size_t ntimes = recording_times(g->recording, &times), points = 0;
  const struct replay_target *t = g->target;
  double *scratch = mem_array(n, sizeof *scratch), sum = 0;
  for (size_t k = t->from; k <= t->to; k++) {
    double base = random_after(times, ntimes, k);
    if (base <= t->optimum)
      break;
    sum += (base - median_after(runs, n, k, times[0], scratch))
           / (base - t->optimum);
    points++;
  }
  free(scratch);
  return points ? sum / (double)points : 0;
}

void replay_score(struct recording *r, const struct replay_target *t,
                  const struct search_ops *ops, uint64_t first, size_t seeds,
                  size_t ahead, struct replay_score *out)
{
  assert(seeds > 0 && ahead > 0);
  struct game g = {r, t, ahead, replay_after[REPLAY_AFTER - 1]};
  struct run *runs = mem_array(seeds, sizeof *runs);
  double begun = clock_now();
  if (g.least < t->to)
    g.least = t->to < REPLAY_EVALS ? t->to : REPLAY_EVALS;
  for (size_t i = 0; i < seeds; i++)
    play(&g, ops, first + i, &runs[i]);
  out->seconds = clock_now() - begun;
  for (size_t i = 0; i < REPLAY_AFTER; i++)
    out->fraction[i] = fraction(runs, seeds, replay_after[i], t->optimum);
  for (size_t i = 0; i < REPLAY_WITHIN; i++)
    out->expected[i] = expected(runs, seeds,
                                t->optimum * (1 + replay_within[i]),
                                &out->reached[i]);
  out->p = published(&g, runs, seeds);
  free(runs);
}
