/* hip_stream.c - streams and events.
 *
 * Everything is done in the order of the calls, so a stream is only a name.
 * An event is a point of the device's clock, which the modelled time of each
 * launch moves on.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "runtimes/sim/hip.h"

int hip_stream_valid(const struct runtime *r, hipStream_t s)
{
  if (!s || s == hipStreamPerThread)
    return 1;
  for (struct ihipStream_t *p = r->streams; p; p = p->next)
    if (p == s)
      return 1;
  return 0;
}

static hipError_t stream_new(struct runtime *r, hipStream_t *out)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = mem_alloc(sizeof **out);
  (*out)->next = r->streams;
  r->streams = *out;
  return hipSuccess;
}

static hipError_t stream_free(struct runtime *r, hipStream_t s)
{
  for (struct ihipStream_t **p = &r->streams; *p; p = &(*p)->next)
    if (*p == s) {
      *p = s->next;
      free(s);
      return hip_wait(r);
    }
  return hipErrorInvalidHandle;
}

hipError_t hipStreamCreate(hipStream_t *out)
{
  CALL(stream_new(r, out));
}

hipError_t hipStreamCreateWithFlags(hipStream_t *out, unsigned int flags)
{
  (void)flags;
  CALL(stream_new(r, out));
}

hipError_t hipStreamCreateWithPriority(hipStream_t *out, unsigned int flags,
                                       int priority)
{
  (void)flags, (void)priority;
  CALL(stream_new(r, out));
}

hipError_t hipStreamDestroy(hipStream_t s)
{
  CALL(stream_free(r, s));
}

hipError_t hipStreamSynchronize(hipStream_t s)
{
  CALL(hip_stream_valid(r, s) ? hip_wait(r) : hipErrorInvalidHandle);
}

hipError_t hipStreamQuery(hipStream_t s)
{
  CALL(hip_stream_valid(r, s) ? hip_wait(r) : hipErrorInvalidHandle);
}

/* --- events --------------------------------------------------------------- */

static int event_valid(const struct runtime *r, hipEvent_t e)
{
  for (struct ihipEvent_t *p = r->events; p; p = p->next)
    if (p == e)
      return 1;
  return 0;
}

static hipError_t event_new(struct runtime *r, hipEvent_t *out, unsigned flags)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = mem_alloc(sizeof **out);
  (*out)->timed = !(flags & hipEventDisableTiming);
  (*out)->next = r->events;
  r->events = *out;
  return hipSuccess;
}

static hipError_t event_free(struct runtime *r, hipEvent_t e)
{
  for (struct ihipEvent_t **p = &r->events; *p; p = &(*p)->next)
    if (*p == e) {
      *p = e->next;
      free(e);
      return hipSuccess;
    }
  return hipErrorInvalidHandle;
}

static hipError_t record(struct runtime *r, hipEvent_t e, hipStream_t s)
{
  if (!event_valid(r, e) || !hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  e->recorded = 1;
  e->us = r->us;
  return hipSuccess;
}

static hipError_t elapsed(struct runtime *r, float *ms, hipEvent_t start,
                          hipEvent_t stop)
{
  if (!ms)
    return hipErrorInvalidValue;
  if (!event_valid(r, start) || !event_valid(r, stop) || !start->recorded ||
      !stop->recorded || !start->timed || !stop->timed)
    return hipErrorInvalidHandle;
  *ms = (float)((stop->us - start->us) / 1000);
  return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t *out)
{
  CALL(event_new(r, out, 0));
}

hipError_t hipEventCreateWithFlags(hipEvent_t *out, unsigned flags)
{
  CALL(event_new(r, out, flags));
}

hipError_t hipEventDestroy(hipEvent_t e)
{
  CALL(event_free(r, e));
}

hipError_t hipEventRecord(hipEvent_t e, hipStream_t s)
{
  CALL(record(r, e, s));
}

hipError_t hipEventQuery(hipEvent_t e)
{
  CALL(event_valid(r, e) ? hip_wait(r) : hipErrorInvalidHandle);
}

hipError_t hipEventSynchronize(hipEvent_t e)
{
  CALL(event_valid(r, e) ? hip_wait(r) : hipErrorInvalidHandle);
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop)
{
  CALL(elapsed(r, ms, start, stop));
}

hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned int flags)
{
  (void)flags;
  CALL(hip_stream_valid(r, s) && event_valid(r, e) ? hipSuccess
                                                   : hipErrorInvalidHandle);
}
