/* hip_graph_work.c - the operations of graphs: kept, copied, performed. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_args.h"
#include "runtimes/sim/api/hip_graph.h"
#include "runtimes/sim/run/hidden.h"

/* By HIP 5.2, and by later ones. Of the releases of HIP 5, which a program's
 * library does not tell apart, the one counts whose headers this was built
 * with. */
hipGraphNodeType graph_type_number(struct runtime *r, enum work_kind kind)
{
  static const struct {
    uint8_t early, later;
  } numbers[WORK_KINDS] = { /* ORDER WORK */
    {1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 4}, {6, 5}, {7, 6}, {8, 7},
    {10, 10}, {11, 11},
  };
  int early = hip_major(r) < 6 && hipGraphNodeTypeKernel == 1;
  return (hipGraphNodeType)(early ? numbers[kind].early : numbers[kind].later);
}

/* --- kernels -------------------------------------------------------------- */

static void kernel_free(struct kernel_work *k)
{
  free(k->args);
  free(k->params);
  free(k);
}

/* Both ways in which a program may be told of the arguments. */
static void tell(struct kernel_work *k)
{
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, k->args,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &k->size,
                   HIP_LAUNCH_PARAM_END};
  memcpy(k->extra, extra, sizeof extra);
}

static void point(struct kernel_work *k, const struct kernel *kernel)
{
  k->nparams = hip_args_count(kernel);
  k->params = mem_array(k->nparams + 1, sizeof *k->params);
  for (size_t n = 0, at = 0; at < k->nparams; n++)
    if (!hidden_is(&kernel->args[n]))
      k->params[at++] = k->args + kernel->args[n].offset;
  tell(k);
}

/* Arguments are those of now, wherever they came from. */
hipError_t work_kernel(struct runtime *r, struct work *work, hipFunction_t f,
                       const struct dispatch *d, size_t dynamic, void **params,
                       void **extra)
{
  struct err e = {0};
  struct kernel_work *k = mem_alloc(sizeof *k);
  k->f = f;
  k->func = (void *)(uintptr_t)hip_host_stub(r, f);
  k->dynamic = dynamic;
  k->size = hip_args_size(f->kernel);
  k->room = f->kernel->kernarg_size + 1u;
  k->args = mem_alloc(k->room);
  for (int axis = 0; axis < 3; axis++) {
    k->grid[axis] = d->grid[axis];
    k->block[axis] = d->block[axis];
    k->rest[axis] = d->rest[axis];
    k->cluster[axis] = d->cluster[axis];
  }
  const struct dispatch to = {.kernel = f->kernel,
                              .kernarg = (uint64_t)(uintptr_t)k->args};
  hipError_t result = hip_args_given(&to, params, extra, &e);
  if (result) {
    kernel_free(k);
    return hip_fail(r, result, "kernel %.200s: %s", f->kernel->name, e.text);
  }
  point(k, f->kernel);
  *work = (struct work){.kind = WORK_KERNEL, .kernel = k};
  return hipSuccess;
}

/* Its module may be gone by now. */
static struct kernel_work *kernel_copy(const struct kernel_work *from)
{
  struct kernel_work *k = mem_alloc(sizeof *k);
  *k = *from;
  k->args = mem_alloc(k->room);
  memcpy(k->args, from->args, k->room);
  k->params = mem_array(k->nparams + 1, sizeof *k->params);
  for (size_t n = 0; n < k->nparams; n++)
    k->params[n] = k->args + ((uint8_t *)from->params[n] - from->args);
  tell(k);
  return k;
}

static hipError_t perform_kernel(struct runtime *r, struct kernel_work *k)
{
  struct dispatch d = {0};
  for (int axis = 0; axis < 3; axis++) {
    d.grid[axis] = k->grid[axis];
    d.block[axis] = k->block[axis];
    d.rest[axis] = k->rest[axis];
    d.cluster[axis] = k->cluster[axis];
  }
  return hip_launch(r, k->f, &d, k->dynamic, NULL, NULL,
                    k->size ? k->extra : NULL);
}

/* --- copies and fills ----------------------------------------------------- */

struct work work_copy(void *to, const void *from, size_t n, hipMemcpyKind kind)
{
  return (struct work){
      .kind = WORK_COPY,
      .copy = {.srcPtr = {(void *)(uintptr_t)from, n, n, 1},
               .dstPtr = {to, n, n, 1},
               .extent = {n, 1, 1},
               .kind = kind}};
}

struct work work_fill(void *to, uint32_t value, size_t width, size_t count)
{
  return (struct work){
      .kind = WORK_FILL,
      .fill = {{.dst = to, .elementSize = (unsigned)width, .height = 1,
                .pitch = width * count, .value = value, .width = count},
               1, 1}};
}

static hipError_t perform_fill(struct runtime *r, const struct fill_work *f)
{
  for (size_t z = 0; z < f->depth; z++)
    for (size_t y = 0; y < f->p.height; y++) {
      char *row = (char *)f->p.dst + (z * f->rows + y) * f->p.pitch;
      hipError_t result = hip_fill(r, row, f->p.value, f->p.elementSize,
                                   f->p.width, NULL);
      if (result)
        return result;
    }
  return hipSuccess;
}

/* --- memory --------------------------------------------------------------- */

struct graph_memory *graph_memory_at(const struct runtime *r, const void *at)
{
  struct graph_memory *m = r->graph_memory;
  while (m && m->at != at)
    m = m->next;
  return m;
}

hipError_t work_allocate(struct runtime *r, struct work *work, size_t n)
{
  void *at;
  hipError_t result = n ? hip_allocate(r, &at, n) : hipErrorInvalidValue;
  if (result)
    return result;
  struct graph_memory *m = mem_alloc(sizeof *m);
  *m = (struct graph_memory){.next = r->graph_memory, .at = at, .n = n,
                             .users = 1};
  r->graph_memory = m;
  *work = (struct work){.kind = WORK_ALLOC, .memory = m};
  return hipSuccess;
}

hipError_t work_release(struct runtime *r, struct work *work, void *at)
{
  struct graph_memory *m = graph_memory_at(r, at);
  if (!m)
    return hip_fail(r, hipErrorInvalidValue,
                    "%p is not memory that a graph allocated", at);
  m->users++;
  *work = (struct work){.kind = WORK_FREE, .memory = m};
  return hipSuccess;
}

/* What a launch allocated and nobody freed is the program's from now on. */
static void memory_drop(struct runtime *r, struct graph_memory *m)
{
  struct graph_memory **p = &r->graph_memory;
  if (--m->users)
    return;
  while (*p != m)
    p = &(*p)->next;
  *p = m->next;
  if (!m->live)
    hip_arena_free(r, m->at);
  free(m);
}

/* --- any ------------------------------------------------------------------ */

void work_free(struct runtime *r, struct work *work)
{
  if (work->kind == WORK_KERNEL)
    kernel_free(work->kernel);
  else if (work->kind == WORK_CHILD)
    graph_free(r, work->child);
  else if (work->kind == WORK_ALLOC || work->kind == WORK_FREE)
    memory_drop(r, work->memory);
  *work = (struct work){.kind = WORK_EMPTY};
}

struct work work_copy_of(const struct work *work)
{
  struct work copy = *work;
  if (work->kind == WORK_KERNEL)
    copy.kernel = kernel_copy(work->kernel);
  else if (work->kind == WORK_ALLOC || work->kind == WORK_FREE)
    work->memory->users++;
  return copy;
}

hipError_t work_perform(struct runtime *r, struct work *work)
{
  switch (work->kind) {
  case WORK_KERNEL:
    return perform_kernel(r, work->kernel);
  case WORK_COPY:
    return hip_copy_3d(r, &work->copy, NULL);
  case WORK_FILL:
    return perform_fill(r, &work->fill);
  case WORK_RECORD:
    return hip_record(r, work->event, NULL);
  case WORK_ALLOC:
  case WORK_FREE:
    work->memory->live = work->kind == WORK_ALLOC;
    return hipSuccess;
  default: /* done is what it would wait for */
    return hipSuccess;
  }
}
