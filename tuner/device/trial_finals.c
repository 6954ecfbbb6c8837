/* trial_finals.c - finalists: see trial.h. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/stats.h"
#include "tuner/device/trial.h"

/* Where buffers lie decides which of their lines meet in channels and sets: over seven
 * places the modelled times of 39 of 693 winners of gemm differed by more than 5 %, and
 * of 16 by more than 20 %. So many places are met. */
enum {PLACES = 5};

/* Buffers that all the plans can use: each as large as the largest needs. */
static struct plan merge(const struct plan *plans, size_t n)
{
  struct plan all = plans[0];
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < plans[i].nbuffers; j++) {
      const struct buffer *b = &plans[i].buffers[j];
      if (j >= all.nbuffers)
        all.buffers[all.nbuffers++] = *b;
      else if (b->elements > all.buffers[j].elements)
        all.buffers[j].elements = b->elements;
    }
  return all;
}

/* On a card: in turn, so that drifting clocks hurt all alike. */
static int race(struct timed *timed, size_t n, double until,
                struct timing *out, struct err *e)
{
  struct bench *b = timed->bench;
  struct timing_rule rule = timing_rule(0, b->job->precision, 0);
  double began;
  int code = trial_sets(b, e) == STATUS_OK ? 0 : e->code;
  if (code)
    return code;
  steady_begin(&b->watch.steady);
  rule.seconds = fmin(rule.seconds, (until - clock_now()) / (double)n);
  do {
    struct stopwatch watch = trial_stopwatch(timed);
    began = clock_now();
    code = timing_finals(&rule, &watch, n, out, e);
  } while (!code && trial_again(b, began, until));
  return code;
}

/* us[i * PLACES]: candidate i's time there. */
static int visit(struct timed *timed, size_t n, uint64_t place, double *us,
                 struct err *e)
{
  struct bench *b = timed->bench;
  b->sets[0].place = place;
  if (trial_sets(b, e) != STATUS_OK)
    return e->code;
  for (size_t i = 0; i < n; i++)
    if (trial_launch(timed, i, &us[i * PLACES], e))
      return e->code;
  return 0;
}

/* The mean: a program launches a kernel over many buffers, and these times add up. */
static struct timing conclude(const double *us, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += us[i];
  return (struct timing){.us = sum / (double)n, .mad_us = stats_mad(us, n),
                         .n = (unsigned)n};
}

/* On a modelled device: once at each place. Who asked sees to it that it ends in time. */
static int tour(struct timed *timed, size_t n, struct timing *out, struct err *e)
{
  double *us = mem_array(n * PLACES, sizeof *us);
  int code = 0;
  bench_mode(timed->bench, HIPSIM_TIMED);
  for (size_t place = 0; place < PLACES && !code; place++)
    code = visit(timed, n, place, us + place, e);
  for (size_t i = 0; i < n && !code; i++)
    out[i] = conclude(us + i * PLACES, PLACES);
  timed->bench->sets[0].place = 0;
  free(us);
  return code;
}

int trial_finals(struct bench *b, const struct config *configs,
                 const struct str *codes, size_t n, double seconds,
                 struct timing *out, struct record *conditions, struct err *e)
{
  struct plan *plans = mem_array(n, sizeof *plans);
  struct kernels *kernels = mem_array(n, sizeof *kernels);
  struct timed timed = {.bench = b, .plans = plans, .kernels = kernels};
  double until = clock_now() + seconds;
  int code = 0;
  for (size_t i = 0; i < n && !code; i++) {
    code = family_plan(b->job->family, b->job->problem, &configs[i],
                       &plans[i], e);
    if (!code &&
        kernels_load(&b->hip, &codes[i], &plans[i], &kernels[i], e))
      code = e->code;
  }
  if (!code) {
    b->plan = merge(plans, n);
    code = b->job->device->modelled ? tour(&timed, n, out, e)
                                    : race(&timed, n, until, out, e);
  }
  if (!code)
    trial_note_card(b, conditions);
  for (size_t i = 0; i < n; i++)
    kernels_unload(&b->hip, &kernels[i]);
  free(plans);
  free(kernels);
  return code;
}
