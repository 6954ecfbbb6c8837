/* trial_plain.c - the family's own plain kernel says what must come out.
 *
 * It runs on the same device, over the same inputs, on the check problem. So
 * it finds what a candidate's configuration does wrong, and not what device
 * or compiler do to both.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/trial.h"

static int run(struct bench *b, const struct plan *plan, struct err *e)
{
  struct kernels kernels;
  const struct device_job *j = b->job;
  enum status status = buffers_fit(&b->hip, plan, &b->small, e);
  if (status == STATUS_OK)
    status = buffers_reset(&b->hip, plan, j->seed, &b->small, e);
  if (status == STATUS_OK)
    status = kernels_load(&b->hip, j->plain, plan, &kernels, e);
  if (status != STATUS_OK)
    return e->code;
  bench_mode(b, HIPSIM_FULL);
  status = launch_all(&b->hip, plan, &kernels, &b->small, e);
  if (status == STATUS_OK)
    status = launch_wait(&b->hip, e);
  if (status == STATUS_OK)
    status = buffers_guarded(&b->hip, plan, &b->small, e);
  kernels_unload(&b->hip, &kernels);
  return status == STATUS_OK ? 0 : e->code;
}

static int poisoned(const char *at, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if ((unsigned char)at[i] != POISON)
      return 0;
  return 1;
}

/* What it did not write must stay as it was. */
static int take(const struct buffer *b, const char *got,
                const struct bound *bound, struct expected *out,
                struct err *e)
{
  const struct element_ops *ops = element_ops(b->type);
  for (size_t i = 0; i < b->elements; i++) {
    double want = ops->load(got + i * ops->size);
    int untouched = b->role == BUFFER_OUT && poisoned(got + i * ops->size,
                                                      ops->size);
    if (isnan(want) && !untouched)
      return err_set(e, ERR_FAILED, "%s[%zu] is not a number", b->name, i);
    out[i] = (struct expected){
        want, untouched ? -1 : bound->absolute + bound->relative * fabs(want)};
  }
  return 0;
}

static int read_back(struct bench *b, const struct plan *plan, size_t i,
                     const struct bound *bound, struct expected **out,
                     struct err *e)
{
  const struct buffer *buffer = &plan->buffers[i];
  size_t bytes = b->small.at[i].bytes;
  char *got = malloc(bytes);
  *out = malloc(buffer->elements * sizeof **out);
  hipError_t rc = got && *out
                      ? b->hip.hipMemcpy(got, b->small.at[i].base + GUARD,
                                         bytes, hipMemcpyDeviceToHost)
                      : hipErrorOutOfMemory;
  int code = rc == hipSuccess
                 ? take(buffer, got, bound, *out, e)
                 : err_set(e, ERR_FAILED, "reading %s: %s", buffer->name,
                           b->hip.hipGetErrorString(rc));
  free(got);
  return code;
}

int trial_plain(struct bench *b, const struct reference_job *job,
                struct known *k, struct err *e)
{
  struct family *f = b->job->family;
  struct bound bound;
  struct plan plan;
  *k = (struct known){.problem = *job->problem, .n = job->plan->nbuffers};
  int code = family_plain_plan(f, job->problem, job->plan, &plan, e);
  if (!code)
    code = family_plain_bound(f, job->problem, &bound, e);
  if (!code)
    code = run(b, &plan, e);
  for (size_t i = 0; i < plan.nbuffers && !code; i++)
    if (plan.buffers[i].role == BUFFER_OUT ||
        plan.buffers[i].role == BUFFER_INOUT)
      code = read_back(b, &plan, i, &bound, &k->expected[i], e);
  buffers_free(&b->hip, &b->small);
  return code ? err_prefix(e, "the reference of %s", family_name(f)) : 0;
}
