/* trial_watch.c - one launch under the stopwatch. */
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "tuner/device/trial.h"

/* What the waves of the launch that has just ended did. */
static void observe_events(struct bench *b)
{
  struct hipsim_event event = {.size = sizeof event};
  str_clear(&b->counters.events);
  for (uint32_t i = 0; !b->hip.hipsimEvent(i, &event); i++)
    str_add_bytes(&b->counters.events, &event, sizeof event);
}

/* By time, or where there is none by static cost. */
static int slower(const struct hipsim_report *a, const struct hipsim_report *b)
{
  return a->timed ? a->time_us > b->time_us : a->static_cost > b->static_cost;
}

/* Keep the counters of the launch that has just ended, if it is the slowest
 * so far. */
static void observe(struct bench *b)
{
  struct counters *c = &b->counters;
  struct hipsim_report report = {.size = sizeof report};
  if (b->hip.hipsimReport(&report))
    return;
  c->static_cost += report.static_cost;
  if (c->known && !slower(&report, &c->report))
    return;
  c->known = 1;
  c->report = report;
  str_clear(&c->rows);
  for (uint32_t i = 0; i < report.instructions; i++) {
    struct hipsim_instruction row = {.size = sizeof row};
    if (!b->hip.hipsimInstruction(i, &row))
      str_add_bytes(&c->rows, &row, sizeof row);
  }
  if (b->job->trace)
    observe_events(b);
}

/* A simulated device reports on its last launch only: one at a time. */
static enum status launch_observed(struct bench *b, const struct plan *plan,
                                   const struct kernels *k,
                                   const struct buffers *set, struct err *e)
{
  enum status status = STATUS_OK;
  b->counters.known = 0;
  b->counters.static_cost = 0;
  for (size_t i = 0; i < plan->nlaunches && status == STATUS_OK; i++) {
    status = launch_one(&b->hip, plan, i, k, set, e);
    if (status == STATUS_OK)
      status = launch_wait(&b->hip, e);
    if (status == STATUS_OK)
      observe(b);
  }
  return status;
}

/* Its kernel's counters are those of the last that it started. */
static enum status queue_rival(struct bench *b, const struct buffers *set,
                               struct err *e)
{
  enum status status =
      rival_launch(&b->rival, b->job->problem, &b->plan, set, e);
  if (!b->hip.hipsimReport)
    return status;
  b->counters.known = 0;
  if (status == STATUS_OK)
    status = launch_wait(&b->hip, e);
  if (status == STATUS_OK)
    observe(b);
  return status;
}

enum status trial_queue(struct timed *t, size_t which, struct err *e)
{
  struct bench *b = t->bench;
  const struct buffers *set = &b->sets[rotation_take(&t->rotation, b->nsets)];
  if (t->rival && which == t->rival)
    return queue_rival(b, set, e);
  const struct plan *plan = &t->plans[which];
  const struct kernels *k = &t->kernels[which];
  return b->hip.hipsimReport ? launch_observed(b, plan, k, set, e)
                             : launch_all(&b->hip, plan, k, set, e);
}

static enum status lead(struct timed *t, size_t which, struct err *e)
{
  enum status status = STATUS_OK;
  unsigned n = t->bench->job->device->modelled ? 0 : timing_leads(t->us);
  rotation_begin(&t->rotation, t->bench->nsets, which, n);
  for (; n && status == STATUS_OK; n--)
    status = trial_queue(t, which, e);
  return status;
}

int trial_launch(void *user, size_t which, double *us, struct err *e)
{
  struct timed *t = user;
  struct bench *b = t->bench;
  const struct hip *h = &b->hip;
  float ms = 0;
  t->status = lead(t, which, e);
  if (t->status != STATUS_OK)
    return e->code;
  hipError_t rc = h->hipEventRecord(b->start, NULL);
  t->status = launch_judge(h, rc, "hipEventRecord", e);
  if (t->status != STATUS_OK)
    return e->code;
  t->status = trial_queue(t, which, e);
  if (t->status != STATUS_OK)
    return e->code;
  rc = h->hipEventRecord(b->stop, NULL);
  if (rc == hipSuccess)
    rc = h->hipDeviceSynchronize();
  if (rc == hipSuccess)
    rc = h->hipEventElapsedTime(&ms, b->start, b->stop);
  t->status = launch_judge(h, rc, "the stopwatch", e);
  *us = t->us = 1000 * (double)ms;
  return t->status == STATUS_OK ? 0 : e->code;
}

double trial_now(void *user)
{
  (void)user;
  return clock_now();
}
