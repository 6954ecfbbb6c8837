/* trial.c - see trial.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tuner/reference/problem.h"

int bench_open(struct bench *b, const struct device_job *job, struct err *e)
{
  *b = (struct bench){.job = job};
  char library[PATH_MAX];
  snprintf(library, sizeof library, "%s", job->device->library);
  if (job->against && rival_load(&b->rival, job->against, job->launch,
                                 job->device, library, e))
    return e->code;
  if (hip_open(&b->hip, library[0] ? library : NULL, e))
    return e->code;
  if (b->hip.hipsimArch) /* the first call of all */
    b->hip.hipsimArch(arch_name(job->arch));
  hipError_t rc = b->hip.hipInit(0);
  if (rc == hipSuccess)
    rc = b->hip.hipSetDevice(job->device->index);
  if (rc == hipSuccess)
    rc = b->hip.hipEventCreate(&b->start);
  if (rc == hipSuccess)
    rc = b->hip.hipEventCreate(&b->stop);
  if (rc != hipSuccess)
    return err_set(e, ERR_FAILED, "cannot open %s: %s", job->device->name,
                   b->hip.hipGetErrorString(rc));
  if (job->trace && b->hip.hipsimSetTrace && b->hip.hipsimSetTrace(job->trace))
    return err_set(e, ERR_FAILED, "no memory for a trace of %u events",
                   job->trace);
  return job->against ? rival_begin(&b->rival, &b->hip, job->family, e) : 0;
}

void bench_mode(const struct bench *b, int mode)
{
  if (b->hip.hipsimSetMode)
    b->hip.hipsimSetMode(mode);
}

/* --- the real problem, timed --------------------------------------------- */

static size_t sets_wanted(const struct bench *b)
{
  if (b->job->hot || b->job->device->modelled)
    return 1;
  double cache = fmax((double)arch_fact(b->job->arch, "llc_bytes"),
                      b->job->device->l2_bytes);
  return rotation_copies(plan_bytes(&b->plan), cache);
}

/* Where the device has no room for all of them, fewer do; but one alone would be
 * found in the cache. */
static enum status allocate_sets(struct bench *b, struct err *e)
{
  enum status status = STATUS_OK;
  size_t n = 0;
  b->nsets = sets_wanted(b);
  for (; n < b->nsets && status == STATUS_OK; n++)
    status = buffers_fit(&b->hip, &b->plan, &b->sets[n], e);
  if (status == STATUS_OK || n <= 2)
    return status;
  buffers_free(&b->hip, &b->sets[n - 1]);
  b->nsets = rotation_fewer(n - 1);
  *e = (struct err){0};
  return STATUS_OK;
}

enum status trial_sets(struct bench *b, struct err *e)
{
  enum status status = allocate_sets(b, e);
  for (size_t i = 0; i < b->nsets && status == STATUS_OK; i++)
    status = buffers_reset(&b->hip, &b->plan, b->job->seed, &b->sets[i], e);
  return status;
}

/* Of the time that a request has, repeats may use so much. */
#define REPEATS_SHARE 0.5

static enum status time_once(struct bench *b, const struct kernels *k,
                             double best_us, struct timing *out,
                             struct err *e)
{
  struct timed timed = {.bench = b, .plans = &b->plan, .kernels = k};
  struct stopwatch watch = trial_stopwatch(&timed);
  struct timing_rule rule = timing_rule(b->job->device->modelled,
                                        b->job->precision, best_us);
  bench_mode(b, trial_spots_tell(b) ? HIPSIM_SAMPLED : HIPSIM_TIMED);
  timing_run(&rule, &watch, out, e);
  return timed.status;
}

/* What is dropped after its first sample is slow however the card was. */
static enum status time_it(struct bench *b, const struct kernels *k,
                           double best_us, struct timing *out, struct err *e)
{
  enum status status;
  double began, until = clock_now() + REPEATS_SHARE * b->job->timeout;
  steady_begin(&b->watch.steady);
  do {
    began = clock_now();
    status = time_once(b, k, best_us, out, e);
  } while (status == STATUS_OK && out->n > 1 &&
           trial_again(b, began, until));
  return status;
}

/* --- the whole trial ----------------------------------------------------- */

static void note_kernel(struct record *r, const struct kernels *k)
{
  const struct {
    const char *name;
    int value;
  } facts[] = {{"vgprs", k->vgprs}, {"lds", k->lds}, {"spills", k->spills}};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    if (facts[i].value >= 0)
      record_set(r, facts[i].name, "%d", facts[i].value);
}

void trial_note(const struct bench *b, struct record *r,
                const struct timing *t)
{
  const struct hipsim_report *report = &b->counters.report;
  if (b->job->device->counted) {
    record_set(r, "static_cost", "%.9g", b->counters.static_cost);
  } else {
    record_set(r, "time_us", "%.6g", t->us);
    record_set(r, "mad_us", "%.3g", t->mad_us);
    record_set(r, "n", "%u", t->n);
  }
  trial_note_card(b, r);
  if (!b->counters.known)
    return;
  if (report->l2_requests > 0) {
    record_set(r, "l2_requests", "%.9g", report->l2_requests);
    record_set(r, "l2_merged", "%.9g", report->l2_merged);
  }
  if (report->timed)
    record_set(r, "bound", "%.16s", report->bound);
  if (report->error_80 > 0)
    record_set(r, "error_80", "%.3g", report->error_80);
  record_set(r, "waves", "%u", report->waves_per_simd);
}

static enum status steps(struct bench *b, const struct config *c,
                         const struct str *code, double best_us,
                         struct record *r, struct err *e, int *broken)
{
  struct kernels k = {0};
  struct timing timing;
  *broken = family_plan(b->job->family, b->job->problem, c, &b->plan, e);
  if (*broken)
    return STATUS_WRONG;
  /* Buffers before code: then their addresses, and with them banks and sets
   * of the simulated device, do not depend on what was tried before. */
  enum status status = trial_sets(b, e);
  if (status == STATUS_OK)
    status = kernels_load(&b->hip, code, &b->plan, &k, e);
  if (status == STATUS_OK)
    note_kernel(r, &k);
  if (status == STATUS_OK)
    status = trial_check(b, c, &k, e, broken);
  if (status == STATUS_OK)
    status = time_it(b, &k, best_us, &timing, e);
  if (status == STATUS_OK)
    trial_note(b, r, &timing);
  if (status == STATUS_OK)
    status = trial_spots(b, e, broken);
  kernels_unload(&b->hip, &k);
  return status;
}

void trial_run(struct bench *b, const struct config *c,
               const struct str *code, double best_us, struct record *r,
               struct err *e)
{
  int broken = 0;
  struct err why = {0};
  enum status status = steps(b, c, code, best_us, r, &why, &broken);
  record_set(r, "status", "%s", status_name(status));
  if (broken)
    *e = why;
  else if (status != STATUS_OK)
    record_set(r, "reason", "%s", why.text);
}
