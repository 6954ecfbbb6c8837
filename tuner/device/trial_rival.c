/* trial_rival.c - a library's product beside a candidate's: see trial.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/trial.h"

enum {OURS, THEIRS, BOTH};

/* The real problem's elements, where all of it is executed: before anything
 * else writes to the buffers. */
static enum status look(struct bench *b, struct err *e, int *broken)
{
  if (b->job->device->modelled)
    return STATUS_OK;
  enum status status = rival_launch(&b->rival, b->job->problem, &b->plan,
                                    &b->sets[0], e);
  if (status == STATUS_OK)
    status = launch_wait(&b->hip, e);
  return status == STATUS_OK ? trial_spots(b, e, broken) : status;
}

/* One launch of each in turn, as finalists are timed. */
static enum status race(struct bench *b, const struct kernels *k,
                        struct timing out[BOTH], struct err *e)
{
  const struct plan plans[BOTH] = {b->plan, b->plan};
  const struct kernels kernels[BOTH] = {*k, *k};
  struct timed timed = {.bench = b, .plans = plans, .kernels = kernels,
                        .rival = THEIRS};
  struct stopwatch watch = trial_stopwatch(&timed);
  struct timing_rule rule = timing_rule(0, b->job->precision, 0);
  if (b->job->device->modelled) { /* a launch always takes the same time */
    rule.warmups = 0;
    rule.min = rule.max = 1;
  }
  bench_mode(b, HIPSIM_SAMPLED);
  timing_finals(&rule, &watch, BOTH, out, e);
  return timed.status;
}

static enum status steps(struct bench *b, const struct config *c,
                         const struct str *code, struct record *r,
                         struct err *e, int *broken)
{
  struct kernels k = {0};
  struct timing timings[BOTH];
  *broken = family_plan(b->job->family, b->job->problem, c, &b->plan, e);
  if (*broken)
    return STATUS_WRONG;
  enum status status = trial_sets(b, e);
  if (status == STATUS_OK && !b->rival.code.kernel) /* it is for one problem */
    status = trial_check(b, c, NULL, e, broken);
  if (status == STATUS_OK)
    status = look(b, e, broken);
  if (status == STATUS_OK)
    status = kernels_load(&b->hip, code, &b->plan, &k, e);
  if (status == STATUS_OK)
    status = race(b, &k, timings, e);
  if (status == STATUS_OK) {
    trial_note(b, r, &timings[THEIRS]);
    record_set(r, "ours_us", "%.6g", timings[OURS].us);
  }
  kernels_unload(&b->hip, &k);
  return status;
}

void trial_rival(struct bench *b, const struct config *c,
                 const struct str *code, struct record *r, struct err *e)
{
  int broken = 0;
  struct err why = {0};
  enum status status = steps(b, c, code, r, &why, &broken);
  record_set(r, "library", "%s", b->rival.name);
  record_set(r, "status", "%s", status_name(status));
  if (b->rival.code.kernel)
    record_set(r, "unchecked", "1");
  if (b->counters.known)
    record_set(r, "kernel", "%s", b->counters.report.kernel);
  if (broken)
    *e = why;
  else if (status != STATUS_OK)
    record_set(r, "reason", "%s", why.text);
}
