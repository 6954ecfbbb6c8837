/* hip_capture.c - streams that take down what they are told, as a graph.
 *
 * A stream that waits for an event recorded in a capture joins it. What a
 * stream is told comes behind what it took down last (HIP: "Graph Management",
 * stream capture).
 */
// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_graph.h"

static _Thread_local hipStreamCaptureMode thread_mode; /* ModeGlobal: 0 */

/* --- what a capture bars -------------------------------------------------- */

static void spoil_all(struct runtime *r)
{
  for (struct capture *c = r->captures; c; c = c->next)
    c->invalid = 1;
}

hipError_t hip_capture_bars_work(struct runtime *r)
{
  spoil_all(r);
  return hipErrorStreamCaptureImplicit;
}

hipError_t hip_capture_bars_device(struct runtime *r)
{
  spoil_all(r);
  return hipErrorStreamCaptureUnsupported;
}

hipError_t hip_capture_bars_waiting(struct runtime *r, hipStream_t stream)
{
  struct ihipStream_t *s = hip_stream_of(r, stream);
  if (s && !s->capture)
    return hipSuccess;
  spoil_all(r);
  return hipErrorStreamCaptureUnsupported;
}

/* A relaxed thread may do what others forbid it, and a relaxed capture
 * forbids nothing; one that is the thread's own forbids it to the thread
 * alone. */
hipError_t hip_capture_bars_memory(struct runtime *r)
{
  int barred = 0;
  for (struct capture *c = r->captures; c; c = c->next) {
    int own = pthread_equal(c->thread, pthread_self());
    barred |= thread_mode != hipStreamCaptureModeRelaxed &&
              ((c->mode == hipStreamCaptureModeGlobal &&
                (own || thread_mode == hipStreamCaptureModeGlobal)) ||
               (c->mode == hipStreamCaptureModeThreadLocal && own));
  }
  if (!barred)
    return hipSuccess;
  spoil_all(r);
  return hipErrorStreamCaptureUnsupported;
}

static hipError_t exchange(hipStreamCaptureMode *mode)
{
  if (!mode || (unsigned)*mode > hipStreamCaptureModeRelaxed)
    return hipErrorInvalidValue;
  hipStreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return hipSuccess;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode)
{
  CALL(exchange(mode));
}

/* --- taking down ---------------------------------------------------------- */

int hip_captures(struct runtime *r, hipStream_t s)
{
  struct ihipStream_t *p = r->captures ? hip_stream_of(r, s) : NULL;
  return p && p->capture;
}

hipError_t hip_capture(struct runtime *r, hipStream_t s, struct work work)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (p->capture->invalid) {
    work_free(r, &work);
    return hipErrorStreamCaptureInvalidated;
  }
  hipGraphNode_t node = graph_add(p->capture->graph, &p->last, work);
  node->captured = 1;
  p->last.n = 0;
  nodes_add(&p->last, node);
  return hipSuccess;
}

/* --- events, which connect streams ---------------------------------------- */

hipError_t hip_capture_record(struct runtime *r, hipEvent_t e, hipStream_t s)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (p->capture->invalid)
    return hipErrorStreamCaptureInvalidated;
  e->capture = p->capture;
  nodes_copy(&e->last, &p->last);
  return hipSuccess;
}

static hipError_t spoil(struct capture *c, hipError_t why)
{
  c->invalid = 1;
  return why;
}

hipError_t hip_capture_wait(struct runtime *r, hipStream_t s, hipEvent_t e)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (!e->capture) /* it is done */
    return hipSuccess;
  if (!p)
    return spoil(e->capture, hipErrorStreamCaptureImplicit);
  if (p->capture && p->capture != e->capture) {
    spoil(p->capture, hipSuccess);
    return spoil(e->capture, hipErrorStreamCaptureMerge);
  }
  if (e->capture->invalid)
    return hipErrorStreamCaptureInvalidated;
  p->capture = e->capture;
  for (size_t n = 0; n < e->last.n; n++)
    nodes_add(&p->last, e->last.at[n]);
  return hipSuccess;
}

void hip_capture_drop(struct runtime *r, const struct hipGraphNode *node)
{
  for (struct ihipStream_t *s = r->streams; s; s = s->next)
    nodes_remove(&s->last, node);
  for (struct ihipEvent_t *e = r->events; e; e = e->next)
    nodes_remove(&e->last, node);
  nodes_remove(&r->per_thread.last, node);
}

/* --- begin and end -------------------------------------------------------- */

static hipError_t begin(struct runtime *r, hipStream_t s, hipGraph_t g,
                        hipStreamCaptureMode mode)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (!hip_stream_valid(r, s))
    return hipErrorContextIsDestroyed;
  if (!p)
    return hipErrorStreamCaptureUnsupported; /* the default stream */
  if ((unsigned)mode > hipStreamCaptureModeRelaxed)
    return hipErrorInvalidValue;
  if (p->capture)
    return hipErrorIllegalState;
  struct capture *c = mem_alloc(sizeof *c);
  *c = (struct capture){.next = r->captures, .origin = p, .mode = mode,
                        .id = ++r->ncaptures, .thread = pthread_self(),
                        .graph = g ? g : graph_new(r), .given = g != NULL};
  c->graph->owned = 1;
  r->captures = p->capture = c;
  p->last.n = 0;
  return hipSuccess;
}

hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode mode)
{
  CALL(begin(r, s, NULL, mode));
}

static hipError_t begin_in(struct runtime *r, hipStream_t s, hipGraph_t g,
                           const hipGraphNode_t *before, const void *data,
                           size_t count, hipStreamCaptureMode mode)
{
  if (data)
    return hipErrorNotSupported;
  if (!graph_valid(r, g) || g->owned || !before != !count)
    return hipErrorInvalidValue;
  for (size_t n = 0; n < count; n++)
    if (!graph_node_valid(r, before[n]) || before[n]->graph != g)
      return hipErrorInvalidValue;
  hipError_t result = begin(r, s, g, mode);
  for (size_t n = 0; n < count && !result; n++)
    nodes_add(&hip_stream_of(r, s)->last, before[n]);
  return result;
}

hipError_t begin_to_graph(hipStream_t s, hipGraph_t g,
                          const hipGraphNode_t *before, const void *data,
                          size_t count, hipStreamCaptureMode mode)
    NAMED(hipStreamBeginCaptureToGraph);
hipError_t begin_to_graph(hipStream_t s, hipGraph_t g,
                          const hipGraphNode_t *before, const void *data,
                          size_t count, hipStreamCaptureMode mode)
{
  CALL(begin_in(r, s, g, before, data, count, mode));
}

/* Does all that was taken down come back to the stream that began? */
static int joined(const struct capture *c)
{
  for (hipGraphNode_t node = c->graph->nodes; node; node = node->next)
    node->mark = 0;
  for (hipGraphNode_t node = c->graph->nodes; node; node = node->next)
    for (size_t n = 0; n < node->before.n; n++)
      node->before.at[n]->mark = 1;
  for (size_t n = 0; n < c->origin->last.n; n++)
    c->origin->last.at[n]->mark = 1;
  for (hipGraphNode_t node = c->graph->nodes; node; node = node->next)
    if (node->captured && !node->mark)
      return 0;
  return 1;
}

static void leave(struct ihipStream_t *s, const struct capture *c)
{
  if (s->capture != c)
    return;
  s->capture = NULL;
  nodes_free(&s->last);
}

static void finish(struct runtime *r, struct capture *c)
{
  struct capture **p = &r->captures;
  while (*p != c)
    p = &(*p)->next;
  *p = c->next;
  for (struct ihipStream_t *s = r->streams; s; s = s->next)
    leave(s, c);
  leave(&r->per_thread, c);
  for (struct ihipEvent_t *e = r->events; e; e = e->next)
    if (e->capture == c) {
      e->capture = NULL;
      nodes_free(&e->last);
    }
  free(c);
}

static hipError_t end(struct runtime *r, hipStream_t s, hipGraph_t *out)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (!out)
    return hipErrorInvalidValue;
  *out = NULL;
  if (!hip_stream_valid(r, s))
    return hipErrorContextIsDestroyed;
  if (!p || !p->capture)
    return hipErrorIllegalState;
  struct capture *c = p->capture;
  if (c->origin != p)
    return hipErrorStreamCaptureUnmatched;
  if (c->mode != hipStreamCaptureModeRelaxed &&
      !pthread_equal(c->thread, pthread_self()))
    return hipErrorStreamCaptureWrongThread;
  hipError_t result = c->invalid  ? hipErrorStreamCaptureInvalidated
                      : joined(c) ? hipSuccess
                                  : hipErrorStreamCaptureUnjoined;
  hipGraph_t g = c->graph;
  g->owned = 0;
  if (result && !c->given)
    graph_free(r, g);
  else if (!result)
    *out = g;
  finish(r, c);
  return result;
}

hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t *out)
{
  CALL(end(r, s, out));
}

void hip_capture_forget(struct runtime *r, hipStream_t s)
{
  struct capture *c = s->capture;
  nodes_free(&s->last);
  if (!c)
    return;
  c->invalid = 1;
  s->capture = NULL;
  if (c->origin != s)
    return;
  if (!c->given)
    graph_free(r, c->graph);
  else
    c->graph->owned = 0;
  finish(r, c);
}

/* --- questions ------------------------------------------------------------ */

struct told { /* where each answer goes; NULL: nowhere */
  hipStreamCaptureStatus *status;
  unsigned long long *id;
  hipGraph_t *graph;
  const hipGraphNode_t **last;
  size_t *nlast;
};

/* Of the default stream nothing can be said while one that it would wait for
 * captures. */
static int blocked(const struct runtime *r)
{
  for (const struct capture *c = r->captures; c; c = c->next)
    if (!(c->origin->flags & hipStreamNonBlocking))
      return 1;
  return 0;
}

static hipError_t tell(struct runtime *r, hipStream_t s, struct told to)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (!to.status)
    return hipErrorInvalidValue;
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  if (!p && blocked(r))
    return hipErrorStreamCaptureImplicit;
  struct capture *c = p ? p->capture : NULL;
  *to.status = !c           ? hipStreamCaptureStatusNone
               : c->invalid ? hipStreamCaptureStatusInvalidated
                            : hipStreamCaptureStatusActive;
  if (!c || c->invalid)
    return hipSuccess;
  if (to.id)
    *to.id = c->id;
  if (to.graph)
    *to.graph = c->graph;
  if (to.last)
    *to.last = p->last.at;
  if (to.nlast)
    *to.nlast = p->last.n;
  return hipSuccess;
}

hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus *status)
{
  CALL(tell(r, s, (struct told){.status = status}));
}

hipError_t hipStreamGetCaptureInfo(hipStream_t s,
                                   hipStreamCaptureStatus *status,
                                   unsigned long long *id)
{
  CALL(tell(r, s, (struct told){.status = status, .id = id}));
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t s,
                                      hipStreamCaptureStatus *status,
                                      unsigned long long *id,
                                      hipGraph_t *graph,
                                      const hipGraphNode_t **last,
                                      size_t *nlast)
{
  CALL(tell(r, s, (struct told){status, id, graph, last, nlast}));
}

/* Those that the stream no longer comes behind need not come back to it. */
static void set_last(struct ihipStream_t *s, const hipGraphNode_t *nodes,
                     size_t count)
{
  for (size_t n = 0; n < s->last.n; n++)
    s->last.at[n]->captured = 0;
  s->last.n = 0;
  for (size_t n = 0; n < count; n++)
    nodes_add(&s->last, nodes[n]);
}

static hipError_t update(struct runtime *r, hipStream_t s,
                         const hipGraphNode_t *nodes, size_t count,
                         unsigned flags)
{
  struct ihipStream_t *p = hip_stream_of(r, s);
  if (!hip_stream_valid(r, s))
    return hipErrorContextIsDestroyed;
  if (!p || !p->capture)
    return hipErrorIllegalState;
  if ((count && !nodes) || flags > hipStreamSetCaptureDependencies)
    return hipErrorInvalidValue;
  for (size_t n = 0; n < count; n++)
    if (!graph_node_valid(r, nodes[n]) ||
        nodes[n]->graph != p->capture->graph)
      return hipErrorInvalidValue;
  if (flags == hipStreamSetCaptureDependencies)
    set_last(p, nodes, count);
  for (size_t n = 0; n < count; n++)
    nodes_add(&p->last, nodes[n]);
  return hipSuccess;
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t s,
                                              hipGraphNode_t *nodes,
                                              size_t count, unsigned int flags)
{
  CALL(update(r, s, nodes, count, flags));
}
