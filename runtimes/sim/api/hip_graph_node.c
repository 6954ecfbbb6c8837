/* hip_graph_node.c - nodes that a program makes, asks for and changes.
 *
 * What a call was given becomes an operation, which is then added to a graph,
 * or replaces that of a node, or of the node's copy in an executable graph.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip_graph.h"

/* --- where an operation goes ---------------------------------------------- */

static hipError_t check_before(struct runtime *r, const struct ihipGraph *g,
                               const hipGraphNode_t *before, size_t count,
                               struct node_list *out)
{
  if (!graph_valid(r, g) || (count && !before))
    return hipErrorInvalidValue;
  for (size_t n = 0; n < count; n++) {
    if (!graph_node_valid(r, before[n]) || before[n]->graph != g ||
        nodes_have(out, before[n]))
      return hipErrorInvalidValue;
    nodes_add(out, before[n]);
  }
  return hipSuccess;
}

/* made: what the making of work came to. */
static hipError_t add(struct runtime *r, hipGraphNode_t *out, hipGraph_t g,
                      const hipGraphNode_t *before, size_t count,
                      struct work *work, hipError_t made)
{
  struct node_list l = {0};
  if (made)
    return made;
  hipError_t result = out ? check_before(r, g, before, count, &l)
                          : hipErrorInvalidValue;
  if (result)
    work_free(r, work);
  else
    *out = graph_add(g, &l, *work);
  nodes_free(&l);
  return result;
}

/* Its attributes are the node's, not the parameters'. */
static void keep_attributes(const struct work *from, struct work *to)
{
  if (from->kind == WORK_KERNEL)
    memcpy(to->kernel->cluster, from->kernel->cluster, sizeof to->kernel->cluster);
}

/* Executable graphs: `origin`; NULL: a node of its own. */
static hipError_t replace(struct runtime *r, hipGraphNode_t node,
                          struct work *work, hipError_t made)
{
  if (made)
    return made;
  if (node && node->work.kind == work->kind) {
    keep_attributes(&node->work, work);
    work_free(r, &node->work);
    node->work = *work;
    return hipSuccess;
  }
  work_free(r, work);
  return hipErrorInvalidValue;
}

static hipGraphNode_t valid(struct runtime *r, hipGraphNode_t node)
{
  return graph_node_valid(r, node) ? node : NULL;
}

static hipGraphNode_t within(const struct ihipGraph *g,
                             const struct hipGraphNode *node)
{
  for (hipGraphNode_t p = g->nodes; p; p = p->next) {
    hipGraphNode_t found = p->origin == node       ? p
                           : p->work.kind == WORK_CHILD ? within(p->work.child, node)
                                                    : NULL;
    if (found)
      return found;
  }
  return NULL;
}

/* The node of an executable graph that stands for one of its graph's. */
static hipGraphNode_t executed(struct runtime *r, hipGraphExec_t e,
                               hipGraphNode_t node)
{
  return graph_exec_valid(r, e) && valid(r, node) ? within(e->graph, node)
                                                  : NULL;
}

static struct work *of_kind(struct runtime *r, hipGraphNode_t node,
                            enum work_kind kind)
{
  return valid(r, node) && node->work.kind == kind ? &node->work : NULL;
}

/* --- kernels -------------------------------------------------------------- */

static hipError_t make_kernel(struct runtime *r, struct work *work,
                              const hipKernelNodeParams *p)
{
  if (!p || !p->func)
    return hipErrorInvalidValue;
  const struct dispatch d = {
      .grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
      .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z}};
  hipFunction_t f = (hipFunction_t)p->func;
  hipError_t result = hip_function_valid(r, f)
                          ? hipSuccess : hip_host_function(r, &f, p->func);
  return result ? result
                : work_kernel(r, work, f, &d, p->sharedMemBytes, p->kernelParams,
                              p->extra);
}

static hipError_t tell_kernel(struct work *work, hipKernelNodeParams *out)
{
  if (!work || !out)
    return hipErrorInvalidValue;
  struct kernel_work *k = work->kernel;
  *out = (hipKernelNodeParams){
      .blockDim = {k->block[0], k->block[1], k->block[2]},
      .gridDim = {k->grid[0], k->grid[1], k->grid[2]},
      .func = k->func,
      .sharedMemBytes = (unsigned)k->dynamic,
      .kernelParams = k->nparams ? k->params : NULL,
      .extra = !k->nparams && k->size ? k->extra : NULL};
  return hipSuccess;
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t *out, hipGraph_t g,
                                 const hipGraphNode_t *before, size_t count,
                                 const hipKernelNodeParams *p)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work, make_kernel(r, &work, p)));
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node,
                                       hipKernelNodeParams *out)
{
  CALL(tell_kernel(of_kind(r, node, WORK_KERNEL), out));
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node,
                                       const hipKernelNodeParams *p)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work, make_kernel(r, &work, p)));
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t e,
                                           hipGraphNode_t node,
                                           const hipKernelNodeParams *p)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work, make_kernel(r, &work, p)));
}

/* --- copies --------------------------------------------------------------- */

static hipError_t make_copy(struct work *work, const hipMemcpy3DParms *p)
{
  if (!p)
    return hipErrorInvalidValue;
  *work = (struct work){.kind = WORK_COPY, .copy = *p};
  return hipSuccess;
}

static hipError_t make_line(struct work *work, void *to, const void *from,
                            size_t n, hipMemcpyKind kind)
{
  if (!to || !from || !n)
    return hipErrorInvalidValue;
  *work = work_copy(to, from, n, kind);
  return hipSuccess;
}

static hipError_t make_to_symbol(struct runtime *r, struct work *work,
                                 const void *symbol, const void *from,
                                 size_t n, size_t offset, hipMemcpyKind kind)
{
  char *at;
  hipError_t result = hip_symbol_place(r, &at, symbol, n, offset);
  return result ? result : make_line(work, at, from, n, kind);
}

static hipError_t make_from_symbol(struct runtime *r, struct work *work, void *to,
                                   const void *symbol, size_t n, size_t offset,
                                   hipMemcpyKind kind)
{
  char *at;
  hipError_t result = hip_symbol_place(r, &at, symbol, n, offset);
  return result ? result : make_line(work, to, at, n, kind);
}

static hipError_t tell_copy(const struct work *work, hipMemcpy3DParms *out)
{
  if (!work || !out)
    return hipErrorInvalidValue;
  *out = work->copy;
  return hipSuccess;
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *out, hipGraph_t g,
                                 const hipGraphNode_t *before, size_t count,
                                 const hipMemcpy3DParms *p)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work, make_copy(&work, p)));
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node,
                                       hipMemcpy3DParms *out)
{
  CALL(tell_copy(of_kind(r, node, WORK_COPY), out));
}

hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node,
                                       const hipMemcpy3DParms *p)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work, make_copy(&work, p)));
}

hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t e,
                                           hipGraphNode_t node,
                                           hipMemcpy3DParms *p)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work, make_copy(&work, p)));
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *out, hipGraph_t g,
                                   const hipGraphNode_t *before, size_t count,
                                   void *to, const void *from, size_t n,
                                   hipMemcpyKind kind)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work, make_line(&work, to, from, n, kind)));
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *to,
                                         const void *from, size_t n,
                                         hipMemcpyKind kind)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work, make_line(&work, to, from, n, kind)));
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t e,
                                             hipGraphNode_t node, void *to,
                                             const void *from, size_t n,
                                             hipMemcpyKind kind)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work,
               make_line(&work, to, from, n, kind)));
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *out, hipGraph_t g,
                                           const hipGraphNode_t *before,
                                           size_t count, void *to,
                                           const void *symbol, size_t n,
                                           size_t offset, hipMemcpyKind kind)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work,
           make_from_symbol(r, &work, to, symbol, n, offset, kind)));
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *to,
                                                 const void *symbol, size_t n,
                                                 size_t offset,
                                                 hipMemcpyKind kind)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work,
               make_from_symbol(r, &work, to, symbol, n, offset, kind)));
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(
    hipGraphExec_t e, hipGraphNode_t node, void *to, const void *symbol,
    size_t n, size_t offset, hipMemcpyKind kind)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work,
               make_from_symbol(r, &work, to, symbol, n, offset, kind)));
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *out, hipGraph_t g,
                                         const hipGraphNode_t *before,
                                         size_t count, const void *symbol,
                                         const void *from, size_t n,
                                         size_t offset, hipMemcpyKind kind)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work,
           make_to_symbol(r, &work, symbol, from, n, offset, kind)));
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node,
                                               const void *symbol,
                                               const void *from, size_t n,
                                               size_t offset,
                                               hipMemcpyKind kind)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work,
               make_to_symbol(r, &work, symbol, from, n, offset, kind)));
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(
    hipGraphExec_t e, hipGraphNode_t node, const void *symbol,
    const void *from, size_t n, size_t offset, hipMemcpyKind kind)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work,
               make_to_symbol(r, &work, symbol, from, n, offset, kind)));
}

/* --- fills ---------------------------------------------------------------- */

static hipError_t make_fill(struct work *work, const hipMemsetParams *p)
{
  if (!p || !p->dst || !p->width || !p->height ||
      (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) ||
      (p->height > 1 && p->pitch < p->width * p->elementSize))
    return hipErrorInvalidValue;
  *work = (struct work){.kind = WORK_FILL, .fill = {*p, p->height, 1}};
  return hipSuccess;
}

static hipError_t tell_fill(const struct work *work, hipMemsetParams *out)
{
  if (!work || !out)
    return hipErrorInvalidValue;
  *out = work->fill.p;
  return hipSuccess;
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *out, hipGraph_t g,
                                 const hipGraphNode_t *before, size_t count,
                                 const hipMemsetParams *p)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work, make_fill(&work, p)));
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node,
                                       hipMemsetParams *out)
{
  CALL(tell_fill(of_kind(r, node, WORK_FILL), out));
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node,
                                       const hipMemsetParams *p)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work, make_fill(&work, p)));
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t e,
                                           hipGraphNode_t node,
                                           const hipMemsetParams *p)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work, make_fill(&work, p)));
}

/* --- functions of the host ------------------------------------------------ */

static hipError_t make_host(struct work *work, const hipHostNodeParams *p)
{
  if (!p || !p->fn)
    return hipErrorInvalidValue;
  *work = (struct work){.kind = WORK_HOST, .host = *p};
  return hipSuccess;
}

static hipError_t tell_host(const struct work *work, hipHostNodeParams *out)
{
  if (!work || !out)
    return hipErrorInvalidValue;
  *out = work->host;
  return hipSuccess;
}

hipError_t hipGraphAddHostNode(hipGraphNode_t *out, hipGraph_t g,
                               const hipGraphNode_t *before, size_t count,
                               const hipHostNodeParams *p)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work, make_host(&work, p)));
}

hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node,
                                     hipHostNodeParams *out)
{
  CALL(tell_host(of_kind(r, node, WORK_HOST), out));
}

hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node,
                                     const hipHostNodeParams *p)
{
  struct work work;
  CALL(replace(r, valid(r, node), &work, make_host(&work, p)));
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t e, hipGraphNode_t node,
                                         const hipHostNodeParams *p)
{
  struct work work;
  CALL(replace(r, executed(r, e, node), &work, make_host(&work, p)));
}

/* --- graphs in graphs, and nothing ---------------------------------------- */

static hipError_t make_child(struct runtime *r, struct work *work, hipGraph_t g)
{
  if (!graph_valid(r, g))
    return hipErrorInvalidValue;
  *work = (struct work){.kind = WORK_CHILD, .child = graph_copy(r, g)};
  work->child->owned = 1;
  return hipSuccess;
}

static hipError_t tell_child(const struct work *work, hipGraph_t *out)
{
  if (!work || !out)
    return hipErrorInvalidValue;
  *out = work->child;
  return hipSuccess;
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *out, hipGraph_t g,
                                     const hipGraphNode_t *before,
                                     size_t count, hipGraph_t child)
{
  struct work work;
  CALL(add(r, out, g, before, count, &work, make_child(r, &work, child)));
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *out)
{
  CALL(tell_child(of_kind(r, node, WORK_CHILD), out));
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t e,
                                               hipGraphNode_t node,
                                               hipGraph_t child)
{
  CALL(graph_exec_child(r, executed(r, e, node), child));
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t *out, hipGraph_t g,
                                const hipGraphNode_t *before, size_t count)
{
  struct work work = {.kind = WORK_EMPTY};
  CALL(add(r, out, g, before, count, &work, hipSuccess));
}

/* --- events --------------------------------------------------------------- */

static hipError_t make_event(struct runtime *r, struct work *work,
                             enum work_kind kind, hipEvent_t e)
{
  if (!hip_event_valid(r, e))
    return hipErrorInvalidValue;
  *work = (struct work){.kind = kind, .event = e};
  return hipSuccess;
}

static hipError_t tell_event(const struct work *work, hipEvent_t *out)
{
  if (!work || !out)
    return hipErrorInvalidValue;
  *out = work->event;
  return hipSuccess;
}

#define EVENT_NODE(Name, kind) \
  hipError_t hipGraphAdd##Name##Node(hipGraphNode_t *out, hipGraph_t g, \
                                     const hipGraphNode_t *before, \
                                     size_t count, hipEvent_t event) \
  { \
    struct work work; \
    CALL(add(r, out, g, before, count, &work, \
             make_event(r, &work, kind, event))); \
  } \
  hipError_t hipGraph##Name##NodeGetEvent(hipGraphNode_t node, \
                                          hipEvent_t *out) \
  { \
    CALL(tell_event(of_kind(r, node, kind), out)); \
  } \
  hipError_t hipGraph##Name##NodeSetEvent(hipGraphNode_t node, \
                                          hipEvent_t event) \
  { \
    struct work work; \
    CALL(replace(r, valid(r, node), &work, make_event(r, &work, kind, event))); \
  } \
  hipError_t hipGraphExec##Name##NodeSetEvent( \
      hipGraphExec_t e, hipGraphNode_t node, hipEvent_t event) \
  { \
    struct work work; \
    CALL(replace(r, executed(r, e, node), &work, \
                 make_event(r, &work, kind, event))); \
  }

EVENT_NODE(EventRecord, WORK_RECORD)
EVENT_NODE(EventWait, WORK_WAIT)
