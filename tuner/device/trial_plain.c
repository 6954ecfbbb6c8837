/* trial_plain.c - the family's own plain kernel says what must come out.
 *
 * It runs on the same device, over the same inputs, on the check problem, and
 * on the real one where it is soon done. So it finds what a candidate's
 * configuration does wrong, and not what device or compiler do to both.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tuner/reference/problem.h"
#include "tuner/device/trial.h"

enum {
  REAL_LIMIT = 5,   /* seconds that the real problem may be expected to take */
  REAL_SHARE = 4,   /* of a request's time this is at most a quarter */
};

/* `times` over: the first launch of a kernel takes longer than others. The
 * seconds are the last one's. */
static enum status launch(struct bench *b, const struct plan *plan,
                          const struct kernels *k, int times,
                          struct buffers *set, double *seconds, struct err *e)
{
  enum status status = STATUS_OK;
  bench_mode(b, HIPSIM_FULL);
  for (int i = 0; i < times && status == STATUS_OK; i++) {
    status = buffers_reset(&b->hip, plan, b->job->seed, set, e);
    double from = clock_now();
    if (status == STATUS_OK)
      status = launch_all(&b->hip, plan, k, set, e);
    if (status == STATUS_OK)
      status = launch_wait(&b->hip, e);
    *seconds = clock_now() - from;
  }
  return status;
}

/* In buffers that hold the plan's. */
static int run(struct bench *b, const struct plan *plan, int times,
               struct buffers *set, double *seconds, struct err *e)
{
  struct kernels k;
  enum status status = kernels_load(&b->hip, b->job->plain, plan, &k, e);
  if (status != STATUS_OK)
    return e->code;
  status = launch(b, plan, &k, times, set, seconds, e);
  if (status == STATUS_OK)
    status = buffers_guarded(&b->hip, plan, set, e);
  kernels_unload(&b->hip, &k);
  return status == STATUS_OK ? 0 : e->code;
}

/* Of two problems of a family, the ratio of these is about that of times. */
static double work(const struct plan *p)
{
  return plan_bytes(p) + p->flops + p->bytes + p->exchanges;
}

static int poisoned(const char *at, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if ((unsigned char)at[i] != POISON)
      return 0;
  return 1;
}

/* What it did not write must stay as it was. */
static struct expected one(const struct buffer *b, const char *at,
                           const struct bound *bound)
{
  const struct element_ops *ops = element_ops(b->type);
  double want = ops->load(at);
  if (b->role == BUFFER_OUT && poisoned(at, ops->size))
    return (struct expected){want, -1};
  return (struct expected){want,
                           bound->absolute + bound->relative * fabs(want)};
}

static int take(const struct buffer *b, const char *got,
                const struct bound *bound, struct expected *out,
                struct err *e)
{
  size_t size = element_ops(b->type)->size;
  for (size_t i = 0; i < b->elements; i++) {
    out[i] = one(b, got + i * size, bound);
    if (isnan(out[i].want) && out[i].bound != -1)
      return err_set(e, ERR_FAILED, "%s[%zu] is not a number", b->name, i);
  }
  return 0;
}

/* A copy of what is in buffer i; NULL with e set. */
static char *copy_back(struct bench *b, const struct plan *plan,
                       const struct buffers *set, size_t i, struct err *e)
{
  char *got = malloc(set->at[i].bytes);
  hipError_t rc = got ? b->hip.hipMemcpy(got, set->at[i].base + GUARD,
                                         set->at[i].bytes,
                                         hipMemcpyDeviceToHost)
                      : hipErrorOutOfMemory;
  if (rc == hipSuccess)
    return got;
  err_set(e, ERR_FAILED, "reading %s: %s", plan->buffers[i].name,
          b->hip.hipGetErrorString(rc));
  free(got);
  return NULL;
}

static int read_back(struct bench *b, const struct plan *plan, size_t i,
                     const struct bound *bound, struct expected **out,
                     struct err *e)
{
  const struct buffer *buffer = &plan->buffers[i];
  *out = malloc(buffer->elements * sizeof **out);
  if (!*out)
    return err_set(e, ERR_FAILED, "not enough memory for the reference");
  char *got = copy_back(b, plan, &b->small, i, e);
  int code = got ? take(buffer, got, bound, *out, e) : e->code;
  free(got);
  return code;
}

int trial_plain(struct bench *b, const struct reference_job *job,
                struct known *k, struct err *e)
{
  struct family *f = b->job->family;
  struct bound bound;
  struct plan plan;
  double seconds = 0;
  *k = (struct known){.problem = *job->problem, .n = job->plan->nbuffers};
  int code = family_plain_plan(f, job->problem, job->plan, &plan, e);
  if (!code)
    code = family_plain_bound(f, job->problem, &bound, e);
  if (!code && buffers_fit(&b->hip, &plan, &b->small, e) != STATUS_OK)
    code = e->code;
  if (!code)
    code = run(b, &plan, 2, &b->small, &seconds, e);
  for (size_t i = 0; i < plan.nbuffers && !code; i++)
    if (plan.buffers[i].role == BUFFER_OUT ||
        plan.buffers[i].role == BUFFER_INOUT)
      code = read_back(b, &plan, i, &bound, &k->expected[i], e);
  buffers_free(&b->hip, &b->small);
  b->plain.seconds_per_work = seconds / work(job->plan);
  return code ? err_prefix(e, "the reference of %s", family_name(f)) : 0;
}

/* --- the real problem ---------------------------------------------------- */

static int worth_it(const struct bench *b)
{
  double seconds = b->plain.seconds_per_work * work(&b->plan);
  return seconds <= REAL_LIMIT && seconds <= b->job->timeout / REAL_SHARE;
}

/* Where there is no memory for it beside the candidate's, it is left. */
int trial_plain_real(struct bench *b, struct err *e)
{
  const struct device_job *j = b->job;
  struct plain *p = &b->plain;
  struct buffers set = {0};
  struct plan plan;
  double seconds;
  if (p->asked++ || !worth_it(b))
    return 0;
  int code = family_plain_plan(j->family, j->problem, &b->plan, &plan, e);
  if (!code)
    code = family_plain_bound(j->family, j->problem, &p->bound, e);
  if (!code && buffers_fit(&b->hip, &plan, &set, NULL) == STATUS_OK) {
    code = run(b, &plan, 1, &set, &seconds, e);
    for (size_t i = 0; i < plan.nbuffers && !code; i++)
      if (plan.buffers[i].role == BUFFER_OUT &&
          !(p->got[i] = copy_back(b, &plan, &set, i, e)))
        code = e->code;
  }
  buffers_free(&b->hip, &set);
  return code ? err_prefix(e, "the reference of %s, on the real problem",
                           family_name(j->family)) : 0;
}

struct expected trial_plain_one(const struct bench *b, size_t buffer, size_t i)
{
  const struct buffer *of = &b->plan.buffers[buffer];
  size_t size = element_ops(of->type)->size;
  return one(of, b->plain.got[buffer] + i * size, &b->plain.bound);
}
