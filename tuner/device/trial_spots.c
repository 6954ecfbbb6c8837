/* trial_spots.c - some elements of the real problem's result, checked. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "tuner/device/trial.h"

enum {
  SPOTS = 32,      /* elements that are looked at */
  CHUNK = 1 << 20, /* bytes read back at a time */
  BLOCK = 4096,    /* of them, passed over at once where nobody wrote */
  SAMPLE = 4096,   /* bytes of a sample of a large buffer ... */
  SAMPLES = 64,    /* ... and how many: reading all takes longer than timing */
};

/* Elements picked evenly from those that were written, by their order in
 * memory: reservoir sampling (Vitter, TOMS 11, 1985, algorithm R). */
struct spots {
  struct rng rng;
  const struct element_ops *ops;
  uint64_t seen;
  size_t n, index[SPOTS];
  double got[SPOTS];
};

static void look_at_each(struct spots *s, const char *bytes, size_t first,
                         size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const char *at = bytes + i * s->ops->size;
    if (check_bytes(at, s->ops->size, POISON))
      continue;
    uint64_t spot = s->seen < SPOTS ? s->seen
                                     : rng_below(&s->rng, s->seen + 1);
    s->seen++;
    if (spot >= SPOTS)
      continue;
    s->index[spot] = first + i;
    s->got[spot] = s->ops->load(at);
    if (s->n <= spot)
      s->n = spot + 1;
  }
}

/* Blocks that nobody wrote are passed over at once: on a simulated device most of a
 * large buffer is bare. */
static void look(struct spots *s, const char *bytes, size_t first, size_t n)
{
  const size_t block = BLOCK / s->ops->size;
  for (size_t i = 0; i < n; i += block) {
    const char *at = bytes + i * s->ops->size;
    size_t some = n - i < block ? n - i : block;
    if (!check_bytes(at, some * s->ops->size, POISON))
      look_at_each(s, at, first + i, some);
  }
}

static hipError_t look_at(struct bench *b, size_t i, size_t at, size_t n,
                          char *room, struct spots *s)
{
  hipError_t rc = b->hip.hipMemcpy(room, b->sets[0].at[i].base + GUARD + at,
                                   n, hipMemcpyDeviceToHost);
  if (rc == hipSuccess)
    look(s, room, at / s->ops->size, n / s->ops->size);
  return rc;
}

static hipError_t look_everywhere(struct bench *b, size_t i, char *room,
                                  struct spots *s)
{
  size_t bytes = b->sets[0].at[i].bytes;
  hipError_t rc = hipSuccess;
  for (size_t at = 0; at < bytes && rc == hipSuccess; at += CHUNK)
    rc = look_at(b, i, at, bytes - at < CHUNK ? bytes - at : CHUNK, room, s);
  return rc;
}

/* Samples from all over the buffer: one from each of SAMPLES parts. */
static hipError_t look_around(struct bench *b, size_t i, char *room,
                              struct spots *s)
{
  size_t samples = b->sets[0].at[i].bytes / SAMPLE, part = samples / SAMPLES;
  hipError_t rc = hipSuccess;
  for (size_t n = 0; n < SAMPLES && rc == hipSuccess; n++)
    rc = look_at(b, i, (n * part + rng_below(&s->rng, part)) * SAMPLE, SAMPLE,
                 room, s);
  return rc;
}

/* A simulated device may have run a few workgroups only, and between far
 * apart rows samples may find nothing: there all must be read. */
static hipError_t collect(struct bench *b, size_t i, struct spots *s)
{
  int large = b->sets[0].at[i].bytes >= CHUNK;
  char *room = malloc(CHUNK);
  hipError_t rc = room ? hipSuccess : hipErrorOutOfMemory;
  if (rc == hipSuccess && large && !b->job->device->modelled)
    rc = look_around(b, i, room, s);
  if (rc == hipSuccess && s->n == 0)
    rc = look_everywhere(b, i, room, s);
  free(room);
  return rc;
}

/* reference NULL: by the plain kernel. */
static enum status judge_spots(const struct bench *b, const struct spots *s,
                               const struct reference_job *job, size_t i,
                               const struct reference *reference,
                               struct err *e)
{
  struct worst worst = {0};
  struct str said = {0};
  for (size_t j = 0; j < s->n; j++) {
    struct expected x = reference ? reference->one(job, i, s->index[j])
                                  : trial_plain_one(b, i, s->index[j]);
    char got[16], none[16];
    s->ops->store(got, s->got[j]);
    memset(none, POISON, sizeof none);
    check_elements(s->ops, got, none, &x, s->index[j], 1, &worst);
  }
  if (!worst.bad)
    return STATUS_OK;
  check_describe(&worst, job->plan->buffers[i].name, &said);
  err_set(e, ERR_FAILED, "on the real problem, of %zu elements: %s", s->n,
          said.at);
  str_free(&said);
  return STATUS_WRONG;
}

int trial_spots_tell(const struct bench *b)
{
  return !b->job->device->modelled || b->plan.nlaunches == 1;
}

/* One element, as the last launch left it. An output that the kernel also reads holds
 * the sum of several launches by now: there the check problem must do. */
static int spots_tell(const struct bench *b, const struct buffer *buffer)
{
  return buffer->role == BUFFER_OUT && trial_spots_tell(b);
}

/* Without a reference's name, the plain kernel's result is one. */
static int find_reference(struct bench *b, const struct reference_job *job,
                          const struct reference **out, struct err *e)
{
  *out = NULL;
  return family_reference(job->family) ? reference_find(job, out, e)
                                       : trial_plain_real(b, e);
}

/* *written: has it found something? */
static enum status look_into(struct bench *b, const struct reference_job *job,
                             size_t i, const struct reference *reference,
                             int *written, struct err *e)
{
  struct spots spots = {.ops = element_ops(b->plan.buffers[i].type)};
  rng_seed(&spots.rng, job->seed);
  hipError_t rc = collect(b, i, &spots);
  *written = spots.n > 0;
  if (rc == hipSuccess)
    return judge_spots(b, &spots, job, i, reference, e);
  err_set(e, ERR_FAILED, "reading the result: %s",
          b->hip.hipGetErrorString(rc));
  return STATUS_LAUNCH;
}

/* Of several outputs each must have something, but where a simulated device ran a
 * few workgroups only, one of them. */
static enum status look_into_all(struct bench *b, const struct reference_job *job,
                                 const struct reference *reference,
                                 struct err *e)
{
  const struct plan *plan = &b->plan;
  enum status status = STATUS_OK;
  size_t outputs = 0, found = 0, bare = 0; /* `bare`: one with nothing in it */
  for (size_t i = 0; i < plan->nbuffers && status == STATUS_OK; i++) {
    int written;
    if (!spots_tell(b, &plan->buffers[i]) || (!reference && !b->plain.got[i]))
      continue;
    status = look_into(b, job, i, reference, &written, e);
    outputs++;
    found += written != 0;
    bare = written ? bare : i;
  }
  size_t enough = b->job->device->modelled && outputs ? 1 : outputs;
  if (status != STATUS_OK || found >= enough)
    return status;
  err_set(e, ERR_FAILED, "nothing was written to %s", plan->buffers[bare].name);
  return STATUS_WRONG;
}

enum status trial_spots(struct bench *b, struct err *e, int *broken)
{
  const struct device_job *j = b->job;
  struct reference_job job = {j->family, j->problem, &b->plan, j->seed};
  const struct reference *reference;
  enum status status;
  *broken = find_reference(b, &job, &reference, e) != 0;
  if (*broken)
    return STATUS_WRONG;
  status = look_into_all(b, &job, reference, e);
  if (status == STATUS_OK)
    status = buffers_guarded(&b->hip, &b->plan, &b->sets[0], e);
  return status;
}
