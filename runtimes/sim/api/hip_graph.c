/* hip_graph.c - graphs, their nodes and the order between these. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_graph.h"

/* --- lists of nodes ------------------------------------------------------- */

int nodes_have(const struct node_list *l, const struct hipGraphNode *node)
{
  for (size_t n = l->n; n-- > 0;) /* most ask for the last */
    if (l->at[n] == node)
      return 1;
  return 0;
}

static void append(struct node_list *l, hipGraphNode_t node)
{
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 4;
    l->at = mem_resize(l->at, l->room * sizeof *l->at);
  }
  l->at[l->n++] = node;
}

void nodes_add(struct node_list *l, hipGraphNode_t node)
{
  if (!nodes_have(l, node))
    append(l, node);
}

void nodes_remove(struct node_list *l, const struct hipGraphNode *node)
{
  size_t kept = 0;
  for (size_t n = 0; n < l->n; n++)
    if (l->at[n] != node)
      l->at[kept++] = l->at[n];
  l->n = kept;
}

void nodes_copy(struct node_list *to, const struct node_list *from)
{
  to->n = 0;
  for (size_t n = 0; n < from->n; n++)
    append(to, from->at[n]);
}

void nodes_free(struct node_list *l)
{
  free(l->at);
  *l = (struct node_list){0};
}

/* --- graphs --------------------------------------------------------------- */

int graph_valid(const struct runtime *r, const struct ihipGraph *g)
{
  const struct ihipGraph *p = r->graphs;
  while (p && p != g)
    p = p->next;
  return p != NULL;
}

int graph_node_valid(const struct runtime *r, const struct hipGraphNode *node)
{
  for (const struct ihipGraph *g = r->graphs; g; g = g->next)
    for (const struct hipGraphNode *p = g->nodes; p; p = p->next)
      if (p == node)
        return 1;
  return 0;
}

hipGraph_t graph_new(struct runtime *r)
{
  hipGraph_t g = mem_alloc(sizeof *g);
  g->end = &g->nodes;
  g->next = r->graphs;
  return r->graphs = g;
}

static void node_free(struct runtime *r, hipGraphNode_t node)
{
  work_free(r, &node->work);
  nodes_free(&node->before);
  free(node);
}

void graph_free(struct runtime *r, hipGraph_t g)
{
  struct ihipGraph **p = &r->graphs;
  while (*p != g)
    p = &(*p)->next;
  *p = g->next;
  for (hipGraphNode_t node = g->nodes, next; node; node = next) {
    next = node->next;
    node_free(r, node);
  }
  graph_objects_drop(r, g);
  nodes_free(&g->order);
  free(g);
}

hipGraphNode_t graph_add(hipGraph_t g, const struct node_list *before,
                         struct work work)
{
  hipGraphNode_t node = mem_alloc(sizeof *node);
  node->graph = g;
  node->work = work;
  nodes_copy(&node->before, before);
  *g->end = node;
  g->end = &node->next;
  g->n++;
  return node;
}

/* The copy of a node, among those of `to`. */
static hipGraphNode_t copy_of(const struct ihipGraph *to,
                              const struct hipGraphNode *node)
{
  hipGraphNode_t p = to->nodes;
  while (p && p->origin != node)
    p = p->next;
  return p;
}

hipGraph_t graph_copy(struct runtime *r, const struct ihipGraph *g)
{
  static const struct node_list none;
  hipGraph_t to = graph_new(r);
  hipGraphNode_t *copies = mem_array(g->n + 1, sizeof *copies);
  int k = 0;
  for (hipGraphNode_t node = g->nodes; node; node = node->next) {
    struct work work = work_copy_of(&node->work);
    if (work.kind == WORK_CHILD)
      (work.child = graph_copy(r, node->work.child))->owned = 1;
    copies[node->mark = k++] = graph_add(to, &none, work);
  }
  for (hipGraphNode_t node = g->nodes; node; node = node->next) {
    copies[node->mark]->origin = node;
    for (size_t n = 0; n < node->before.n; n++)
      append(&copies[node->mark]->before, copies[node->before.at[n]->mark]);
  }
  free(copies);
  graph_objects_copy(to, g);
  return to;
}

static int ready(const struct hipGraphNode *node)
{
  for (size_t n = 0; n < node->before.n; n++)
    if (!node->before.at[n]->mark)
      return 0;
  return 1;
}

/* Nodes are mostly made in an order that they can run in: then one pass. */
int graph_sort(const struct ihipGraph *g, struct node_list *out)
{
  size_t before;
  out->n = 0;
  for (hipGraphNode_t node = g->nodes; node; node = node->next)
    node->mark = 0;
  do {
    before = out->n;
    for (hipGraphNode_t node = g->nodes; node; node = node->next)
      if (!node->mark && ready(node)) {
        node->mark = 1;
        append(out, node);
      }
  } while (out->n < g->n && out->n > before);
  return out->n == g->n ? 0 : -1;
}

static hipError_t create(struct runtime *r, hipGraph_t *out, unsigned flags)
{
  if (!out || flags)
    return hipErrorInvalidValue;
  *out = graph_new(r);
  return hipSuccess;
}

hipError_t hipGraphCreate(hipGraph_t *out, unsigned int flags)
{
  CALL(create(r, out, flags));
}

static hipError_t destroy(struct runtime *r, hipGraph_t g)
{
  if (!graph_valid(r, g) || g->owned)
    return hipErrorInvalidValue;
  graph_free(r, g);
  return hipSuccess;
}

hipError_t hipGraphDestroy(hipGraph_t g)
{
  CALL(destroy(r, g));
}

static hipError_t duplicate(struct runtime *r, hipGraph_t *out, hipGraph_t g)
{
  if (!out || !graph_valid(r, g))
    return hipErrorInvalidValue;
  *out = graph_copy(r, g);
  return hipSuccess;
}

hipError_t hipGraphClone(hipGraph_t *out, hipGraph_t g)
{
  CALL(duplicate(r, out, g));
}

static hipError_t find_copy(struct runtime *r, hipGraphNode_t *out,
                            hipGraphNode_t node, hipGraph_t copy)
{
  if (!out || !graph_valid(r, copy) || !graph_node_valid(r, node))
    return hipErrorInvalidValue;
  *out = copy_of(copy, node);
  return *out ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t *out, hipGraphNode_t node,
                                   hipGraph_t copy)
{
  CALL(find_copy(r, out, node, copy));
}

static hipError_t destroy_node(struct runtime *r, hipGraphNode_t node)
{
  if (!graph_node_valid(r, node))
    return hipErrorInvalidValue;
  hipGraph_t g = node->graph;
  struct hipGraphNode **p = &g->nodes;
  for (; *p != node; p = &(*p)->next)
    nodes_remove(&(*p)->before, node);
  *p = node->next;
  if (g->end == &node->next)
    g->end = p;
  for (hipGraphNode_t later = *p; later; later = later->next)
    nodes_remove(&later->before, node);
  g->n--;
  hip_capture_drop(r, node);
  node_free(r, node);
  return hipSuccess;
}

hipError_t hipGraphDestroyNode(hipGraphNode_t node)
{
  CALL(destroy_node(r, node));
}

/* --- edges ---------------------------------------------------------------- */

static hipError_t check_edges(struct runtime *r, const struct ihipGraph *g,
                              const hipGraphNode_t *from,
                              const hipGraphNode_t *to, size_t count)
{
  if (!graph_valid(r, g) || (count && (!from || !to)))
    return hipErrorInvalidValue;
  for (size_t n = 0; n < count; n++)
    if (from[n] == to[n] || !graph_node_valid(r, from[n]) ||
        !graph_node_valid(r, to[n]) || from[n]->graph != g ||
        to[n]->graph != g)
      return hipErrorInvalidValue;
  return hipSuccess;
}

static hipError_t connect_nodes(struct runtime *r, const struct ihipGraph *g,
                                const hipGraphNode_t *from,
                                const hipGraphNode_t *to, size_t count)
{
  hipError_t result = check_edges(r, g, from, to, count);
  for (size_t n = 0; n < count && !result; n++)
    if (nodes_have(&to[n]->before, from[n]))
      result = hipErrorInvalidValue; /* it is there already */
    else
      append(&to[n]->before, from[n]);
  return result;
}

hipError_t hipGraphAddDependencies(hipGraph_t g, const hipGraphNode_t *from,
                                   const hipGraphNode_t *to, size_t count)
{
  CALL(connect_nodes(r, g, from, to, count));
}

static hipError_t part(struct runtime *r, const struct ihipGraph *g,
                       const hipGraphNode_t *from, const hipGraphNode_t *to,
                       size_t count)
{
  hipError_t result = check_edges(r, g, from, to, count);
  for (size_t n = 0; n < count && !result; n++)
    if (nodes_have(&to[n]->before, from[n]))
      nodes_remove(&to[n]->before, from[n]);
    else
      result = hipErrorInvalidValue;
  return result;
}

hipError_t hipGraphRemoveDependencies(hipGraph_t g, const hipGraphNode_t *from,
                                      const hipGraphNode_t *to, size_t count)
{
  CALL(part(r, g, from, to, count));
}

/* --- questions ------------------------------------------------------------ */

/* Without `out` only how many there are; with room for more, NULL behind. */
static hipError_t give(const struct node_list *l, hipGraphNode_t *out,
                       size_t *count)
{
  if (out) {
    for (size_t n = 0; n < *count; n++)
      out[n] = n < l->n ? l->at[n] : NULL;
    if (*count > l->n)
      *count = l->n;
  } else {
    *count = l->n;
  }
  return hipSuccess;
}

static hipError_t give_and_free(struct node_list *l, hipGraphNode_t *out,
                                size_t *count)
{
  hipError_t result = give(l, out, count);
  nodes_free(l);
  return result;
}

static hipError_t all_nodes(struct runtime *r, const struct ihipGraph *g,
                            hipGraphNode_t *out, size_t *count)
{
  struct node_list l = {0};
  if (!graph_valid(r, g) || !count)
    return hipErrorInvalidValue;
  if (!graph_sort(g, &l))
    return give_and_free(&l, out, count);
  nodes_free(&l);
  return hipErrorInvalidValue;
}

hipError_t hipGraphGetNodes(hipGraph_t g, hipGraphNode_t *out, size_t *count)
{
  CALL(all_nodes(r, g, out, count));
}

static hipError_t roots(struct runtime *r, const struct ihipGraph *g,
                        hipGraphNode_t *out, size_t *count)
{
  struct node_list l = {0};
  if (!graph_valid(r, g) || !count)
    return hipErrorInvalidValue;
  for (hipGraphNode_t node = g->nodes; node; node = node->next)
    if (!node->before.n)
      append(&l, node);
  return give_and_free(&l, out, count);
}

hipError_t hipGraphGetRootNodes(hipGraph_t g, hipGraphNode_t *out,
                                size_t *count)
{
  CALL(roots(r, g, out, count));
}

static hipError_t before(struct runtime *r, hipGraphNode_t node,
                         hipGraphNode_t *out, size_t *count)
{
  if (!graph_node_valid(r, node) || !count)
    return hipErrorInvalidValue;
  return give(&node->before, out, count);
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node,
                                       hipGraphNode_t *out, size_t *count)
{
  CALL(before(r, node, out, count));
}

static hipError_t behind(struct runtime *r, hipGraphNode_t node,
                         hipGraphNode_t *out, size_t *count)
{
  struct node_list l = {0};
  if (!graph_node_valid(r, node) || !count)
    return hipErrorInvalidValue;
  for (hipGraphNode_t p = node->graph->nodes; p; p = p->next)
    if (nodes_have(&p->before, node))
      append(&l, p);
  return give_and_free(&l, out, count);
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node,
                                         hipGraphNode_t *out, size_t *count)
{
  CALL(behind(r, node, out, count));
}

static hipError_t edges(struct runtime *r, const struct ihipGraph *g,
                        hipGraphNode_t *from, hipGraphNode_t *to,
                        size_t *count)
{
  struct node_list begins = {0}, ends = {0};
  if (!graph_valid(r, g) || !count || !from != !to)
    return hipErrorInvalidValue;
  for (hipGraphNode_t node = g->nodes; node; node = node->next)
    for (size_t n = 0; n < node->before.n; n++) {
      append(&begins, node->before.at[n]);
      append(&ends, node);
    }
  size_t room = *count;
  give_and_free(&begins, from, count);
  *count = from ? room : *count;
  return give_and_free(&ends, to, count);
}

hipError_t hipGraphGetEdges(hipGraph_t g, hipGraphNode_t *from,
                            hipGraphNode_t *to, size_t *count)
{
  CALL(edges(r, g, from, to, count));
}

static hipError_t type(struct runtime *r, hipGraphNode_t node,
                       hipGraphNodeType *out)
{
  if (!out || !graph_node_valid(r, node))
    return hipErrorInvalidValue;
  *out = graph_type_number(r, node->work.kind);
  return hipSuccess;
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *out)
{
  CALL(type(r, node, out));
}
