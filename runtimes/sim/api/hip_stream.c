/* hip_stream.c - streams and events.
 *
 * Everything is done in the order of the calls, so a stream is only a name.
 * An event is a point of the device's clock, which the modelled time of each
 * launch moves on.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_graph.h"

/* HIP 6's hipStreamLegacy is the default stream by a name of its own. */
#define LEGACY ((hipStream_t)1)

#define EXPORT __attribute__((visibility("default")))

static int created(hipStream_t s)
{
  return s && s != LEGACY && s != hipStreamPerThread;
}

/* Threads share the one that each has for itself: a capture of it is no less
 * the thread's that began it. */
struct ihipStream_t *hip_stream_of(struct runtime *r, hipStream_t s)
{
  return s == hipStreamPerThread ? &r->per_thread : created(s) ? s : NULL;
}

int hip_stream_valid(const struct runtime *r, hipStream_t s)
{
  if (!created(s))
    return 1;
  for (struct ihipStream_t *p = r->streams; p; p = p->next)
    if (p == s)
      return 1;
  return 0;
}

/* Of them nothing follows: -1 is said to be before 0, as on a card. */
enum {PRIORITY_LEAST = 0, PRIORITY_GREATEST = -1};

static hipError_t stream_new(struct runtime *r, hipStream_t *out,
                             unsigned flags, int priority)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = mem_alloc(sizeof **out);
  (*out)->flags = flags;
  (*out)->priority = priority < PRIORITY_GREATEST ? PRIORITY_GREATEST
                     : priority > PRIORITY_LEAST  ? PRIORITY_LEAST
                                                  : priority;
  (*out)->next = r->streams;
  r->streams = *out;
  return hipSuccess;
}

static hipError_t stream_free(struct runtime *r, hipStream_t s)
{
  for (struct ihipStream_t **p = &r->streams; *p; p = &(*p)->next)
    if (*p == s) {
      hip_capture_forget(r, s);
      *p = s->next;
      free(s);
      return hip_wait(r);
    }
  return hipErrorInvalidHandle;
}

hipError_t hipStreamCreate(hipStream_t *out)
{
  CALL(stream_new(r, out, hipStreamDefault, 0));
}

hipError_t hipStreamCreateWithFlags(hipStream_t *out, unsigned int flags)
{
  CALL(stream_new(r, out, flags, 0));
}

hipError_t hipStreamCreateWithPriority(hipStream_t *out, unsigned int flags,
                                       int priority)
{
  CALL(stream_new(r, out, flags, priority));
}

/* --- CU masks: told again, but a launch always has all CUs ---------------- */

enum {WORDS = sizeof(((struct ihipStream_t *)0)->mask) / sizeof(uint32_t)};

static hipError_t stream_masked(struct runtime *r, hipStream_t *out,
                                uint32_t n, const uint32_t *mask)
{
  if (!n || !mask)
    return hipErrorInvalidValue;
  hipError_t result = stream_new(r, out, hipStreamDefault, 0);
  for (uint32_t k = 0; k < n && k < WORDS && !result; k++)
    (*out)->mask[k] = mask[k];
  return result;
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *out, uint32_t n,
                                        const uint32_t *mask)
{
  CALL(stream_masked(r, out, n, mask));
}

/* Those of the mask that the device has; without any of them, all. */
static hipError_t stream_mask(struct runtime *r, hipStream_t s, uint32_t n,
                              uint32_t *mask)
{
  uint32_t cus = (uint32_t)r->card.cus, words = (cus + 31) / 32, any = 0;
  uint32_t has[WORDS] = {0}, asked[WORDS] = {0};
  if (!mask || n < words)
    return hipErrorInvalidValue;
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  for (uint32_t k = 0; k < cus; k++)
    has[k / 32] |= (uint32_t)1 << k % 32;
  for (uint32_t k = 0; k < words && created(s); k++)
    any |= asked[k] = s->mask[k] & has[k];
  memcpy(mask, any ? asked : has, words * sizeof *mask);
  return hipSuccess;
}

hipError_t hipExtStreamGetCUMask(hipStream_t s, uint32_t n, uint32_t *mask)
{
  CALL(stream_mask(r, s, n, mask));
}

/* --- questions ------------------------------------------------------------ */

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  if (least)
    *least = PRIORITY_LEAST;
  if (greatest)
    *greatest = PRIORITY_GREATEST;
  CALL(hipSuccess);
}

/* A question about a stream, whose answer goes to `out`. */
static hipError_t check(const struct runtime *r, hipStream_t s,
                        const void *out)
{
  if (!out)
    return hipErrorInvalidValue;
  return hip_stream_valid(r, s) ? hipSuccess : hipErrorInvalidHandle;
}

static hipError_t stream_flags(struct runtime *r, hipStream_t s,
                               unsigned *flags)
{
  hipError_t result = check(r, s, flags);
  if (!result)
    *flags = created(s) ? s->flags : hipStreamDefault;
  return result;
}

hipError_t hipStreamGetFlags(hipStream_t s, unsigned int *flags)
{
  CALL(stream_flags(r, s, flags));
}

static hipError_t stream_priority(struct runtime *r, hipStream_t s,
                                  int *priority)
{
  hipError_t result = check(r, s, priority);
  if (!result)
    *priority = created(s) ? s->priority : 0;
  return result;
}

hipError_t hipStreamGetPriority(hipStream_t s, int *priority)
{
  CALL(stream_priority(r, s, priority));
}

hipError_t hipStreamDestroy(hipStream_t s)
{
  CALL(stream_free(r, s));
}

static hipError_t wait(struct runtime *r, hipStream_t s)
{
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  hipError_t barred =
      r->captures ? hip_capture_bars_waiting(r, s) : hipSuccess;
  return barred ? barred : hip_wait(r);
}

hipError_t hipStreamSynchronize(hipStream_t s)
{
  CALL(wait(r, s));
}

hipError_t hipStreamQuery(hipStream_t s)
{
  CALL(wait(r, s));
}

/* --- functions of the host ------------------------------------------------ */

/* Called without the lock, for it may call HIP. */
hipError_t hipStreamAddCallback(hipStream_t s, hipStreamCallback_t callback,
                                void *user, unsigned int flags)
{
  struct runtime *r = hip_enter();
  hipError_t result = !r->arena ? hipErrorNoDevice
                      : hip_stream_valid(r, s) && callback && !flags
                          ? hipSuccess : hipErrorInvalidValue;
  if (!result && r->captures && hip_captures(r, s))
    result = hip_capture_bars_waiting(r, s);
  hipError_t pending = result ? result : hip_wait(r);
  hip_leave(result);
  if (!result)
    callback(s, pending, user);
  return result;
}

static hipError_t host_function(struct runtime *r, hipStream_t s,
                                hipHostFn_t f, void *user, int *call)
{
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  if (!f)
    return hipErrorInvalidValue;
  *call = !hip_captures(r, s);
  return *call ? hipSuccess
               : hip_capture(r, s, (struct work){.kind = WORK_HOST,
                                               .host = {f, user}});
}

hipError_t hipLaunchHostFunc(hipStream_t s, hipHostFn_t f, void *user)
{
  struct runtime *r = hip_enter();
  int call = 0;
  hipError_t result = r->arena ? host_function(r, s, f, user, &call)
                               : hipErrorNoDevice;
  hip_leave(result);
  if (call)
    f(user);
  return result;
}

/* --- events --------------------------------------------------------------- */

int hip_event_valid(const struct runtime *r, hipEvent_t e)
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
      nodes_free(&e->last);
      free(e);
      return hipSuccess;
    }
  return hipErrorInvalidHandle;
}

hipError_t hip_record(struct runtime *r, hipEvent_t e, hipStream_t s)
{
  if (!hip_event_valid(r, e) || !hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  if (hip_captures(r, s))
    return hip_capture_record(r, e, s);
  e->capture = NULL;
  e->recorded = 1;
  e->us = r->us;
  return hipSuccess;
}

static hipError_t elapsed(struct runtime *r, float *ms, hipEvent_t start,
                          hipEvent_t stop)
{
  if (!ms)
    return hipErrorInvalidValue;
  if (!hip_event_valid(r, start) || !hip_event_valid(r, stop) || !start->recorded ||
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
  CALL(hip_record(r, e, s));
}

static hipError_t event_wait(struct runtime *r, hipEvent_t e)
{
  if (!hip_event_valid(r, e))
    return hipErrorInvalidHandle;
  if (!e->capture)
    return hip_wait(r);
  e->capture->invalid = 1;
  return hipErrorCapturedEvent;
}

hipError_t hipEventQuery(hipEvent_t e)
{
  CALL(event_wait(r, e));
}

hipError_t hipEventSynchronize(hipEvent_t e)
{
  CALL(event_wait(r, e));
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop)
{
  CALL(elapsed(r, ms, start, stop));
}

/* EXTERNAL: in a capture the event is that of others, too, and is recorded or
 * waited for whenever the graph runs. */
enum {EXTERNAL = 1};

static hipError_t stream_wait(struct runtime *r, hipStream_t s, hipEvent_t e,
                              unsigned flags)
{
  if (!hip_stream_valid(r, s) || !hip_event_valid(r, e))
    return hipErrorInvalidHandle;
  if (flags == EXTERNAL && hip_captures(r, s))
    return hip_capture(r, s, (struct work){.kind = WORK_WAIT, .event = e});
  return hip_capture_wait(r, s, e);
}

hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned int flags)
{
  CALL(stream_wait(r, s, e, flags));
}

static hipError_t record_with(struct runtime *r, hipEvent_t e, hipStream_t s,
                              unsigned flags)
{
  if (flags > EXTERNAL)
    return hipErrorInvalidValue;
  if (flags == EXTERNAL && hip_event_valid(r, e) && hip_stream_valid(r, s) &&
      hip_captures(r, s))
    return hip_capture(r, s, (struct work){.kind = WORK_RECORD, .event = e});
  return hip_record(r, e, s);
}

EXPORT hipError_t hipEventRecordWithFlags(hipEvent_t e, hipStream_t s,
                                          unsigned int flags);
hipError_t hipEventRecordWithFlags(hipEvent_t e, hipStream_t s,
                                   unsigned int flags)
{
  CALL(record_with(r, e, s, flags));
}
