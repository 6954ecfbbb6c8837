/* hip_graph_exec.c - executable graphs: made, launched, updated. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_graph.h"

#define EXPORT __attribute__((visibility("default")))

int graph_exec_valid(const struct runtime *r, const struct hipGraphExec *e)
{
  const struct hipGraphExec *p = r->execs;
  while (p && p != e)
    p = p->next;
  return p != NULL;
}

/* --- making them ---------------------------------------------------------- */

/* The order of a graph and of those in it; -1: one has none. */
static int sort(struct ihipGraph *g)
{
  if (graph_sort(g, &g->order))
    return -1;
  for (hipGraphNode_t node = g->nodes; node; node = node->next)
    if (node->work.kind == WORK_CHILD && sort(node->work.child))
      return -1;
  return 0;
}

static hipError_t instantiate(struct runtime *r, hipGraphExec_t *out,
                              const struct ihipGraph *g,
                              unsigned long long flags)
{
  enum {KNOWN = 15}; /* free on launch, upload, by the device, priorities */
  if (!out || !graph_valid(r, g) || flags > KNOWN)
    return hipErrorInvalidValue;
  hipGraph_t copy = graph_copy(r, g);
  if (sort(copy)) {
    graph_free(r, copy);
    return hip_fail(r, hipErrorInvalidValue,
                    "a graph: its nodes wait for each other");
  }
  copy->owned = 1;
  *out = mem_alloc(sizeof **out);
  **out = (struct hipGraphExec){.next = r->execs, .graph = copy,
                                .flags = flags};
  r->execs = *out;
  return hipSuccess;
}

hipError_t hipGraphInstantiate(hipGraphExec_t *out, hipGraph_t g,
                               hipGraphNode_t *bad, char *log, size_t room)
{
  if (bad)
    *bad = NULL;
  if (log && room)
    *log = 0;
  CALL(instantiate(r, out, g, 0));
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *out, hipGraph_t g,
                                        unsigned long long flags)
{
  CALL(instantiate(r, out, g, flags));
}

/* hipGraphInstantiateParams of HIP 6. */
struct instantiate_params {
  hipGraphNode_t bad;
  unsigned long long flags;
  int result;
  hipStream_t upload;
};

static hipError_t instantiate_params(struct runtime *r, hipGraphExec_t *out,
                                     const struct ihipGraph *g,
                                     struct instantiate_params *p)
{
  if (!p)
    return hipErrorInvalidValue;
  hipError_t result = instantiate(r, out, g, p->flags);
  p->bad = NULL;
  p->result = result != hipSuccess;
  return result;
}

hipError_t instantiate_with_params(hipGraphExec_t *out, hipGraph_t g,
                                   struct instantiate_params *p)
    NAMED(hipGraphInstantiateWithParams);
hipError_t instantiate_with_params(hipGraphExec_t *out, hipGraph_t g,
                                   struct instantiate_params *p)
{
  CALL(instantiate_params(r, out, g, p));
}

static void remove_exec(struct runtime *r, hipGraphExec_t e)
{
  struct hipGraphExec **p = &r->execs;
  while (*p != e)
    p = &(*p)->next;
  *p = e->next;
}

static void exec_free(struct runtime *r, hipGraphExec_t e)
{
  graph_free(r, e->graph);
  free(e);
}

static hipError_t destroy(struct runtime *r, hipGraphExec_t e)
{
  if (!graph_exec_valid(r, e))
    return hipErrorInvalidValue;
  remove_exec(r, e);
  e->destroyed = 1;
  if (!e->running)
    exec_free(r, e);
  return hipSuccess;
}

hipError_t hipGraphExecDestroy(hipGraphExec_t e)
{
  CALL(destroy(r, e));
}

static hipError_t flags_of(struct runtime *r, hipGraphExec_t e,
                           unsigned long long *out)
{
  if (!graph_exec_valid(r, e) || !out)
    return hipErrorInvalidValue;
  *out = e->flags;
  return hipSuccess;
}

EXPORT hipError_t hipGraphExecGetFlags(hipGraphExec_t e,
                                       unsigned long long *out);
hipError_t hipGraphExecGetFlags(hipGraphExec_t e, unsigned long long *out)
{
  CALL(flags_of(r, e, out));
}

/* --- launching them ------------------------------------------------------- */

/* The lock is released while a function of the program's runs. */
static hipError_t run(struct runtime *r, struct ihipGraph *g)
{
  hipError_t result = hipSuccess;
  for (size_t n = 0; n < g->order.n && !result; n++) {
    hipGraphNode_t node = g->order.at[n];
    if (node->disabled)
      continue;
    if (node->work.kind == WORK_CHILD) {
      result = run(r, node->work.child);
    } else if (node->work.kind == WORK_HOST) {
      hipHostNodeParams host = node->work.host;
      hip_leave(hipSuccess);
      host.fn(host.userData);
      hip_lock();
    } else {
      result = work_perform(r, &node->work);
    }
  }
  return result;
}

static hipError_t launch(struct runtime *r, hipGraphExec_t e,
                         hipStream_t stream)
{
  if (!graph_exec_valid(r, e))
    return hipErrorInvalidValue;
  if (!hip_stream_valid(r, stream))
    return hipErrorContextIsDestroyed;
  if (hip_captures(r, stream)) {
    struct work work = {.kind = WORK_CHILD, .child = graph_copy(r, e->graph)};
    work.child->owned = 1;
    return hip_capture(r, stream, work);
  }
  e->running++;
  hipError_t result = run(r, e->graph);
  if (!--e->running && e->destroyed)
    exec_free(r, e);
  return result;
}

hipError_t hipGraphLaunch(hipGraphExec_t e, hipStream_t stream)
{
  CALL(launch(r, e, stream));
}

static hipError_t upload(struct runtime *r, hipGraphExec_t e,
                         hipStream_t stream)
{
  return graph_exec_valid(r, e) && hip_stream_valid(r, stream)
             ? hipSuccess : hipErrorInvalidValue;
}

EXPORT hipError_t hipGraphUpload(hipGraphExec_t e, hipStream_t stream);
hipError_t hipGraphUpload(hipGraphExec_t e, hipStream_t stream)
{
  CALL(upload(r, e, stream));
}

/* --- updating them -------------------------------------------------------- */

struct verdict {
  hipGraphExecUpdateResult result;
  hipGraphNode_t node;
};

/* By place in the orders, which number() wrote down. */
static int same_before(const struct hipGraphNode *a,
                       const struct hipGraphNode *b)
{
  if (a->before.n != b->before.n)
    return 0;
  for (size_t n = 0; n < a->before.n; n++)
    if (a->before.at[n]->mark != b->before.at[n]->mark)
      return 0;
  return 1;
}

static void number(const struct ihipGraph *g)
{
  for (size_t n = 0; n < g->order.n; n++)
    g->order.at[n]->mark = (int)n;
}

static struct verdict compare(struct ihipGraph *was, struct ihipGraph *is)
{
  if (sort(is) || is->order.n != was->order.n)
    return (struct verdict){hipGraphExecUpdateErrorTopologyChanged, NULL};
  number(was);
  number(is);
  for (size_t n = 0; n < is->order.n; n++) {
    hipGraphNode_t a = is->order.at[n], b = was->order.at[n];
    struct verdict v = {hipGraphExecUpdateSuccess, a};
    if (a->work.kind != b->work.kind)
      v.result = hipGraphExecUpdateErrorNodeTypeChanged;
    else if (!same_before(a, b))
      v.result = hipGraphExecUpdateErrorTopologyChanged;
    else if (a->work.kind == WORK_COPY && a->work.copy.kind != b->work.copy.kind)
      v.result = hipGraphExecUpdateErrorParametersChanged;
    else if (a->work.kind == WORK_CHILD)
      v.result = compare(b->work.child, a->work.child).result;
    if (v.result)
      return v;
  }
  return (struct verdict){hipGraphExecUpdateSuccess, NULL};
}

/* Of two that compare() found alike. */
static void take(struct runtime *r, struct ihipGraph *was,
                 struct ihipGraph *is)
{
  for (size_t n = 0; n < is->order.n; n++) {
    hipGraphNode_t a = is->order.at[n], b = was->order.at[n];
    if (a->work.kind == WORK_CHILD) {
      take(r, b->work.child, a->work.child);
    } else {
      work_free(r, &b->work);
      b->work = work_copy_of(&a->work);
    }
  }
}

static hipError_t update(struct runtime *r, hipGraphExec_t e, hipGraph_t g,
                         hipGraphNode_t *bad, hipGraphExecUpdateResult *out)
{
  if (!graph_exec_valid(r, e) || !graph_valid(r, g) || !bad || !out)
    return hipErrorInvalidValue;
  struct verdict v = compare(e->graph, g);
  *bad = v.node;
  *out = v.result;
  if (v.result)
    return hipErrorGraphExecUpdateFailure;
  take(r, e->graph, g);
  return hipSuccess;
}

hipError_t hipGraphExecUpdate(hipGraphExec_t e, hipGraph_t g,
                              hipGraphNode_t *bad,
                              hipGraphExecUpdateResult *out)
{
  CALL(update(r, e, g, bad, out));
}

hipError_t graph_exec_child(struct runtime *r, hipGraphNode_t node,
                            hipGraph_t child)
{
  if (!node || node->work.kind != WORK_CHILD || !graph_valid(r, child))
    return hipErrorInvalidValue;
  if (compare(node->work.child, child).result)
    return hipErrorInvalidValue;
  take(r, node->work.child, child);
  return hipSuccess;
}

/* --- nodes that are left out ---------------------------------------------- */

static hipGraphNode_t executed(struct runtime *r, hipGraphExec_t e,
                               const struct hipGraphNode *node)
{
  hipGraphNode_t p = graph_exec_valid(r, e) ? e->graph->nodes : NULL;
  while (p && p->origin != node)
    p = p->next;
  return p && (p->work.kind == WORK_KERNEL || p->work.kind == WORK_COPY ||
               p->work.kind == WORK_FILL) ? p : NULL;
}

static hipError_t enable(hipGraphNode_t node, unsigned on)
{
  if (!node)
    return hipErrorInvalidValue;
  node->disabled = !on;
  return hipSuccess;
}

static hipError_t enabled(const struct hipGraphNode *node, unsigned *out)
{
  if (!node || !out)
    return hipErrorInvalidValue;
  *out = !node->disabled;
  return hipSuccess;
}

EXPORT hipError_t hipGraphNodeSetEnabled(hipGraphExec_t e, hipGraphNode_t node,
                                         unsigned int on);
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t e, hipGraphNode_t node,
                                  unsigned int on)
{
  CALL(enable(executed(r, e, node), on));
}

EXPORT hipError_t hipGraphNodeGetEnabled(hipGraphExec_t e, hipGraphNode_t node,
                                         unsigned int *out);
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t e, hipGraphNode_t node,
                                  unsigned int *out)
{
  CALL(enabled(executed(r, e, node), out));
}
