/* hip_graph.h - graphs: operations, the order between them, running them.
 *
 * A node is one operation of a stream and the nodes before it. A graph owns
 * its nodes; an executable graph is a copy of one, in an order in which its
 * nodes can run. A handle is valid while it is in its list.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_hip_graph_h
#define sim_hip_graph_h

#include <pthread.h>

#include "runtimes/sim/api/hip.h"

/* --- operations (hip_graph_work.c) ------------------------------------------ */

enum work_kind { /* ORDER WORK */
  WORK_KERNEL, WORK_COPY, WORK_FILL, WORK_HOST, WORK_CHILD, WORK_EMPTY, WORK_WAIT, WORK_RECORD,
  WORK_ALLOC, WORK_FREE, WORK_KINDS
};

struct kernel_work {
  hipFunction_t f;
  void *func; /* f as the program named it: perhaps by its stub */
  uint32_t grid[3], block[3], rest[3], cluster[3];
  size_t dynamic, size, room;
  uint8_t *args; /* `size` bytes, as they lie in the kernel's memory */
  size_t nparams;
  void **params; /* into args, one each; none where the kernel tells of none */
  void *extra[5];
};

struct fill_work { /* `depth` boxes, each `rows` rows of the pitch behind the
                    one before it */
  hipMemsetParams p;
  size_t rows, depth;
};

/* Of an allocation that a graph makes: it has its address from the start. */
struct graph_memory {
  struct graph_memory *next;
  void *at;
  size_t n;
  unsigned users; /* nodes */
  int live;       /* allocated by a launch, and not freed since */
};

struct work {
  enum work_kind kind;
  union {
    struct kernel_work *kernel; /* owned */
    hipMemcpy3DParms copy;
    struct fill_work fill;
    hipHostNodeParams host;
    hipGraph_t child; /* owned */
    hipEvent_t event;
    struct graph_memory *memory;
  };
};

/* Fill *work; what is not a kernel's is checked when it runs. */
hipError_t work_kernel(struct runtime *r, struct work *work, hipFunction_t f,
                       const struct dispatch *d, size_t dynamic, void **params,
                       void **extra);
struct work work_copy(void *to, const void *from, size_t n, hipMemcpyKind kind);
struct work work_fill(void *to, uint32_t value, size_t width, size_t count);
hipError_t work_allocate(struct runtime *r, struct work *work, size_t n);
hipError_t work_release(struct runtime *r, struct work *work, void *at);
struct work work_copy_of(const struct work *work);
void work_free(struct runtime *r, struct work *work);

/* Any but WORK_HOST, whose function is called without the lock, and WORK_CHILD. */
hipError_t work_perform(struct runtime *r, struct work *work);

/* NULL: no graph allocated it. */
struct graph_memory *graph_memory_at(const struct runtime *r, const void *at);

/* --- graphs (hip_graph.c) ------------------------------------------------- */

int nodes_have(const struct node_list *l, const struct hipGraphNode *node);
void nodes_add(struct node_list *l, hipGraphNode_t node); /* once each */
void nodes_remove(struct node_list *l, const struct hipGraphNode *node);
void nodes_copy(struct node_list *to, const struct node_list *from);
void nodes_free(struct node_list *l);

struct hipGraphNode {
  struct hipGraphNode *next;
  struct ihipGraph *graph;
  struct work work;
  struct node_list before;
  const struct hipGraphNode *origin; /* of a copy */
  int captured; /* from a stream, which must come back to it */
  int disabled; /* of an executable graph */
  int mark;     /* while a list is made */
};

struct ihipGraph {
  struct ihipGraph *next;
  struct hipGraphNode *nodes, **end; /* as they were made */
  size_t n;
  int owned;      /* by a node, or an executable graph, or a capture */
  struct node_list order; /* of an executable graph and its children */
  struct user_object *objects; /* hip_user_object.c */
};

struct hipGraphExec {
  struct hipGraphExec *next;
  hipGraph_t graph;
  unsigned long long flags;
  unsigned running;
  int destroyed; /* while it ran */
};

int graph_valid(const struct runtime *r, const struct ihipGraph *g);
int graph_exec_valid(const struct runtime *r, const struct hipGraphExec *e);
/* Give an executable graph's node another graph of the same shape. */
hipError_t graph_exec_child(struct runtime *r, hipGraphNode_t node,
                            hipGraph_t child);
int graph_node_valid(const struct runtime *r, const struct hipGraphNode *node);
hipGraph_t graph_new(struct runtime *r);
void graph_free(struct runtime *r, hipGraph_t g);
/* Takes work, whatever comes of it. */
hipGraphNode_t graph_add(hipGraph_t g, const struct node_list *before,
                         struct work work);
hipGraph_t graph_copy(struct runtime *r, const struct ihipGraph *g);
/* An order in which the nodes can run; -1: they wait for each other. */
int graph_sort(const struct ihipGraph *g, struct node_list *out);

/* User objects that a graph holds (hip_user_object.c). */
void graph_objects_copy(hipGraph_t to, const struct ihipGraph *from);
void graph_objects_drop(struct runtime *r, hipGraph_t g);

/* The program's number of a node's type. */
hipGraphNodeType graph_type_number(struct runtime *r, enum work_kind kind);

/* --- capture (hip_capture.c) ---------------------------------------------- */

struct capture {
  struct capture *next;
  hipStream_t origin;
  hipGraph_t graph;
  hipStreamCaptureMode mode;
  unsigned long long id;
  pthread_t thread;
  int invalid, given; /* given: the graph is the program's */
};

/* Does the stream take down what it is told, instead of doing it? */
int hip_captures(struct runtime *r, hipStream_t s);
/* Take down; takes work. */
hipError_t hip_capture(struct runtime *r, hipStream_t s, struct work work);
hipError_t hip_capture_record(struct runtime *r, hipEvent_t e, hipStream_t s);
hipError_t hip_capture_wait(struct runtime *r, hipStream_t s, hipEvent_t e);
/* The stream, or the node, goes. */
void hip_capture_forget(struct runtime *r, hipStream_t s);
void hip_capture_drop(struct runtime *r, const struct hipGraphNode *node);

#endif
