/* trial_check.c - a candidate on the check problem, every element compared. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "tuner/device/trial.h"
#include "tuner/reference/problem.h"

static int is_output(const struct buffer *b)
{
  return b->role == BUFFER_OUT || b->role == BUFFER_INOUT;
}

static void forget(struct known *k)
{
  for (size_t i = 0; i < FAMILY_BUFFERS; i++)
    free(k->expected[i]);
  *k = (struct known){0};
}

static int learn(struct bench *b, struct known *k,
                 const struct reference_job *job, struct err *e)
{
  const struct reference *reference;
  const struct plan *plan = job->plan;
  if (!family_reference(job->family))
    return trial_plain(b, job, k, e);
  if (reference_find(job, &reference, e))
    return e->code;
  *k = (struct known){.problem = *job->problem, .n = plan->nbuffers};
  for (size_t i = 0; i < plan->nbuffers; i++) {
    if (!is_output(&plan->buffers[i]))
      continue;
    size_t n = plan->buffers[i].elements;
    k->expected[i] = malloc(n * sizeof **k->expected);
    if (!k->expected[i])
      return err_set(e, ERR_FAILED, "not enough memory for the reference");
    if (reference_all(reference, job, i, k->expected[i], e))
      return e->code;
  }
  return 0;
}

/* The expected outputs of a check problem; NULL with e set. */
static const struct known *expected_of(struct bench *b,
                                       const struct reference_job *job,
                                       struct err *e)
{
  for (size_t i = 0; i < BENCH_KNOWN; i++)
    if (b->known[i].n && problem_equal(&b->known[i].problem, job->problem))
      return &b->known[i];
  struct known *k = &b->known[b->next_known++ % BENCH_KNOWN];
  forget(k);
  if (learn(b, k, job, e)) {
    forget(k);
    return NULL;
  }
  return k;
}

/* What buffer i held before the launch. */
static void contents(const struct reference_job *job, size_t i, void *out,
                     size_t bytes)
{
  const struct buffer *buffer = &job->plan->buffers[i];
  if (buffer->role == BUFFER_OUT)
    memset(out, POISON, bytes);
  else
    input_fill(job->seed, i, buffer, 0, buffer->elements, out);
}

/* Inputs must be as they were; outputs what the reference says. */
static enum status compare(struct bench *b, const struct reference_job *job,
                           const struct known *known, size_t i,
                           struct err *e)
{
  const struct buffer *buffer = &job->plan->buffers[i];
  size_t bytes = b->small.at[i].bytes;
  char *got = malloc(bytes), *before = malloc(bytes);
  struct worst worst = {0};
  struct str said = {0};
  enum status status = STATUS_OK;
  hipError_t rc = hipErrorOutOfMemory;
  if (got && before) {
    contents(job, i, before, bytes);
    rc = b->hip.hipMemcpy(got, b->small.at[i].base + GUARD, bytes,
                          hipMemcpyDeviceToHost);
  }
  if (rc != hipSuccess) {
    err_set(e, ERR_FAILED, "reading %s: %s", buffer->name,
            b->hip.hipGetErrorString(rc));
    status = STATUS_LAUNCH;
  } else if (known->expected[i]) {
    check_elements(element_ops(buffer->type), got, before,
                   known->expected[i], 0, buffer->elements, &worst);
    check_describe(&worst, buffer->name, &said);
  } else if (memcmp(got, before, bytes) != 0) {
    str_addf(&said, "the input %s was written", buffer->name);
    worst.bad = 1;
  }
  if (worst.bad) {
    err_set(e, ERR_FAILED, "%s", said.at);
    status = STATUS_WRONG;
  }
  str_free(&said);
  free(got);
  free(before);
  return status;
}

static enum status compare_all(struct bench *b,
                               const struct reference_job *job,
                               const struct known *known, struct err *e)
{
  enum status status = buffers_guarded(&b->hip, job->plan, &b->small, e);
  for (size_t i = 0; i < job->plan->nbuffers && status == STATUS_OK; i++)
    if (job->plan->buffers[i].role != BUFFER_SCRATCH)
      status = compare(b, job, known, i, e);
  return status;
}

static enum status run_small(struct bench *b, const struct problem *p,
                             const struct plan *plan, const struct kernels *k,
                             struct err *e)
{
  enum status status = buffers_fit(&b->hip, plan, &b->small, e);
  if (status == STATUS_OK)
    status = buffers_reset(&b->hip, plan, b->job->seed, &b->small, e);
  bench_mode(b, HIPSIM_FULL);
  if (status == STATUS_OK)
    status = k ? launch_all(&b->hip, plan, k, &b->small, e)
               : rival_launch(&b->rival, p, plan, &b->small, e);
  if (status == STATUS_OK)
    status = launch_wait(&b->hip, e);
  return status;
}

enum status trial_check(struct bench *b, const struct config *c,
                        const struct kernels *k, struct err *e,
                        int *broken)
{
  const struct device_job *j = b->job;
  struct problem problem;
  struct plan plan;
  const struct known *known = NULL;
  *broken = 1;
  if (family_check_problem(j->family, j->problem, c, &problem, e) ||
      family_plan(j->family, &problem, c, &plan, e))
    return STATUS_WRONG;
  struct reference_job job = {j->family, &problem, &plan, j->seed};
  known = expected_of(b, &job, e);
  if (!known)
    return STATUS_WRONG;
  *broken = 0;
  enum status status = run_small(b, &problem, &plan, k, e);
  if (status == STATUS_OK)
    status = compare_all(b, &job, known, e);
  buffers_free(&b->hip, &b->small);
  return status;
}
