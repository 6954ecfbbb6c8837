/* hip_later.c - functions of HIP 5.3 to 7.2 that ask for little. */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtimes/sim/api/hip_graph.h"

/* A function that other libraries find. Some of the later headers declare it,
 * with types that are not the same in all: here it has a name of ours. */
#define PUBLIC(name, ...) \
  hipError_t later_##name(__VA_ARGS__) NAMED(name); \
  hipError_t later_##name(__VA_ARGS__)

/* --- errors --------------------------------------------------------------- */

PUBLIC(hipExtGetLastError, void)
{
  return hipGetLastError();
}

static hipError_t say(const char **out, const char *text)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = text;
  return hipSuccess;
}

PUBLIC(hipDrvGetErrorName, hipError_t error, const char **out)
{
  return say(out, hipGetErrorName(error));
}

PUBLIC(hipDrvGetErrorString, hipError_t error, const char **out)
{
  return say(out, hipGetErrorString(error));
}

/* --- the device ----------------------------------------------------------- */

static hipError_t valid_devices(const int *devices, int n)
{
  if (n < 0 || (n && !devices))
    return hipErrorInvalidValue;
  for (int k = 0; k < n; k++)
    if (devices[k])
      return hipErrorInvalidDevice;
  return hipSuccess;
}

PUBLIC(hipSetValidDevices, int *devices, int n)
{
  CALL(valid_devices(devices, n));
}

/* Kernels cannot malloc, and print without a buffer: any size will do. */
PUBLIC(hipDeviceSetLimit, enum hipLimit_t limit, size_t value)
{
  (void)value;
  CALL(limit <= hipLimitMallocHeapSize ? hipSuccess
                                       : hipErrorUnsupportedLimit);
}

static hipError_t stream_device(struct runtime *r, hipStream_t s,
                                hipDevice_t *out)
{
  if (!out)
    return hipErrorInvalidValue;
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  *out = 0;
  return hipSuccess;
}

PUBLIC(hipStreamGetDevice, hipStream_t s, hipDevice_t *out)
{
  CALL(stream_device(r, s, out));
}

static hipError_t stream_id(struct runtime *r, hipStream_t s,
                            unsigned long long *out)
{
  if (!out)
    return hipErrorInvalidValue;
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  *out = (uintptr_t)s; /* of all that there are, none has the same */
  return hipSuccess;
}

PUBLIC(hipStreamGetId, hipStream_t s, unsigned long long *out)
{
  CALL(stream_id(r, s, out));
}

/* --- memory --------------------------------------------------------------- */

PUBLIC(hipExtHostAlloc, void **out, size_t n, unsigned int flags)
{
  return hipHostMalloc(out, n, flags);
}

static hipError_t set_attribute(struct runtime *r, const void *value,
                                hipPointer_attribute id, hipDeviceptr_t p)
{
  unsigned on;
  if (!value || id != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS)
    return hipErrorInvalidValue;
  memcpy(&on, value, sizeof on); /* all work is done when its call returns */
  if (on > 1)
    return hipErrorInvalidValue;
  return hip_on_device(r, p, 1) ? hipSuccess : hipErrorInvalidDevicePointer;
}

PUBLIC(hipPointerSetAttribute, const void *value, hipPointer_attribute id,
       hipDeviceptr_t p)
{
  CALL(set_attribute(r, value, id, p));
}

enum {USED, USED_HIGH, RESERVED, RESERVED_HIGH, GRAPH_ATTRIBUTES};

static hipError_t graph_memory(struct runtime *r, int device, int id,
                               uint64_t *out)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!out || id < 0 || id >= GRAPH_ATTRIBUTES)
    return hipErrorInvalidValue;
  *out = 0;
  for (const struct graph_memory *m = r->graph_memory; m; m = m->next)
    *out += id >= RESERVED || m->live ? m->n : 0;
  return hipSuccess;
}

/* What a graph has ever had it still has: the highest is what is. */
PUBLIC(hipDeviceGetGraphMemAttribute, int device, int id, uint64_t *out)
{
  CALL(graph_memory(r, device, id, out));
}

static hipError_t reset_high(int device, int id, const uint64_t *value)
{
  if (device)
    return hipErrorInvalidDevice;
  return value && !*value && (id == USED_HIGH || id == RESERVED_HIGH)
             ? hipSuccess : hipErrorInvalidValue;
}

PUBLIC(hipDeviceSetGraphMemAttribute, int device, int id, const uint64_t *value)
{
  CALL(reset_high(device, id, value));
}

PUBLIC(hipDeviceGraphMemTrim, int device)
{
  CALL(device ? hipErrorInvalidDevice : hipSuccess);
}

/* --- kernels -------------------------------------------------------------- */

static hipError_t by_symbol(struct runtime *r, hipFunction_t *out,
                            const void *stub)
{
  return out && stub ? hip_host_function(r, out, stub) : hipErrorInvalidValue;
}

PUBLIC(hipGetFuncBySymbol, hipFunction_t *out, const void *stub)
{
  CALL(by_symbol(r, out, stub));
}

PUBLIC(hipModuleLoadFatBinary, hipModule_t *out, const void *image)
{
  return hipModuleLoadData(out, image);
}

struct launch_attribute {
  int id, unused;
  uint64_t value[8];
};

struct driver_launch { /* HIP_LAUNCH_CONFIG */
  unsigned grid[3], block[3], dynamic;
  hipStream_t stream;
  const struct launch_attribute *attributes;
  unsigned n;
};

struct host_launch { /* hipLaunchConfig_t */
  dim3 grid, block;
  size_t dynamic;
  hipStream_t stream;
  const struct launch_attribute *attributes;
  unsigned n;
};

/* Workgroups of a cluster are asked for as three unsigned ints. */
enum {COOPERATIVE = 2, CLUSTER_DIMENSION = 4};

static hipError_t take_attributes(struct runtime *r,
                                  const struct launch_attribute *a, unsigned n,
                                  struct dispatch *d)
{
  for (unsigned k = 0; k < n; k++) {
    if (a[k].id == COOPERATIVE && (int)a[k].value[0])
      return hip_fail(r, hipErrorNotSupported, "a cooperative launch: the "
                      "simulated device has no barrier of a whole grid");
    if (a[k].id == CLUSTER_DIMENSION)
      memcpy(d->cluster, a[k].value, sizeof d->cluster);
  }
  return hipSuccess;
}

static hipError_t launch(struct runtime *r, const struct driver_launch *l,
                         hipFunction_t f, void **params, void **extra)
{
  if (!l || (l->n && !l->attributes))
    return hipErrorInvalidValue;
  struct dispatch d = {.grid = {l->grid[0], l->grid[1], l->grid[2]},
                       .block = {l->block[0], l->block[1], l->block[2]}};
  hipError_t result = take_attributes(r, l->attributes, l->n, &d);
  return result ? result
                : hip_launch(r, f, &d, l->dynamic, l->stream, params, extra);
}

PUBLIC(hipDrvLaunchKernelEx, const struct driver_launch *l, hipFunction_t f,
       void **params, void **extra)
{
  CALL(launch(r, l, f, params, extra));
}

static hipError_t launch_host(struct runtime *r, const struct host_launch *h,
                              const void *stub, void **params)
{
  hipFunction_t f;
  if (!h)
    return hipErrorInvalidValue;
  const struct driver_launch l = {
      {h->grid.x, h->grid.y, h->grid.z}, {h->block.x, h->block.y, h->block.z},
      (unsigned)h->dynamic, h->stream, h->attributes, h->n};
  hipError_t result = hip_host_function(r, &f, stub);
  return result ? result : launch(r, &l, f, params, NULL);
}

PUBLIC(hipLaunchKernelExC, const struct host_launch *h, const void *stub,
       void **params)
{
  CALL(launch_host(r, h, stub, params));
}

static hipError_t count_functions(struct runtime *r, unsigned *out,
                                  hipModule_t m)
{
  if (!out)
    return hipErrorInvalidValue;
  for (struct ihipModule_t *p = r->modules; p; p = p->next)
    if (p == m) {
      *out = (unsigned)m->object->nkernels;
      return hipSuccess;
    }
  return hipErrorInvalidHandle;
}

PUBLIC(hipModuleGetFunctionCount, unsigned int *out, hipModule_t m)
{
  CALL(count_functions(r, out, m));
}

static hipError_t lds_left(struct runtime *r, size_t *out, const void *stub,
                           int groups, int threads)
{
  hipFunction_t f;
  if (!out || groups <= 0 || threads <= 0)
    return hipErrorInvalidValue;
  hipError_t result = hip_host_function(r, &f, stub);
  if (result)
    return result;
  size_t each = (size_t)r->card.lds / (size_t)groups;
  *out = each > f->kernel->lds ? each - f->kernel->lds : 0;
  return hipSuccess;
}

PUBLIC(hipOccupancyAvailableDynamicSMemPerBlock, size_t *out, const void *stub,
       int groups, int threads)
{
  CALL(lds_left(r, out, stub, groups, threads));
}

/* --- attributes of nodes: but for clusters, priorities and windows of a cache,
 * which change nothing here, so that every node has the same ---------------- */

static hipError_t kernel_node(struct runtime *r, hipGraphNode_t node,
                              const void *value)
{
  return value && graph_node_valid(r, node) && node->work.kind == WORK_KERNEL
             ? hipSuccess : hipErrorInvalidValue;
}

static hipError_t set_node_attribute(struct runtime *r, hipGraphNode_t node, int id,
                                     const hipKernelNodeAttrValue *value)
{
  hipError_t result = kernel_node(r, node, value);
  if (!result && id == CLUSTER_DIMENSION)
    memcpy(node->work.kernel->cluster, value, sizeof node->work.kernel->cluster);
  return result;
}

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node,
                                          hipKernelNodeAttrID id,
                                          const hipKernelNodeAttrValue *value)
{
  CALL(set_node_attribute(r, node, (int)id, value));
}

static hipError_t node_attribute(struct runtime *r, hipGraphNode_t node, int id,
                                 hipKernelNodeAttrValue *out)
{
  hipError_t result = kernel_node(r, node, out);
  if (result)
    return result;
  memset(out, 0, sizeof *out);
  if (id == CLUSTER_DIMENSION)
    memcpy(out, node->work.kernel->cluster, sizeof node->work.kernel->cluster);
  return hipSuccess;
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node,
                                          hipKernelNodeAttrID id,
                                          hipKernelNodeAttrValue *out)
{
  CALL(node_attribute(r, node, (int)id, out));
}

static hipError_t copy_attributes(struct runtime *r, hipGraphNode_t from,
                                  hipGraphNode_t to)
{
  if (kernel_node(r, from, from) || kernel_node(r, to, to))
    return hipErrorInvalidValue;
  memcpy(to->work.kernel->cluster, from->work.kernel->cluster,
         sizeof to->work.kernel->cluster);
  return hipSuccess;
}

PUBLIC(hipGraphKernelNodeCopyAttributes, hipGraphNode_t from, hipGraphNode_t to)
{
  CALL(copy_attributes(r, from, to));
}

/* --- functions by name ---------------------------------------------------- */

enum {PROC_FOUND, PROC_MISSING};

/* glibc's handle of a library is what its list of libraries holds. */
static void *find(const char *name)
{
  Dl_info info;
  struct link_map *library = NULL;
  return dladdr1((void *)hipInit, &info, (void **)&library, RTLD_DL_LINKMAP)
             ? dlsym(library, name) : NULL;
}

static hipError_t proc_address(struct runtime *r, const char *name, void **out,
                               int *status)
{
  if (!name || !out)
    return hipErrorInvalidValue;
  *out = find(name);
  if (status)
    *status = *out ? PROC_FOUND : PROC_MISSING;
  return *out ? hipSuccess
              : hip_answer(r, hipErrorNotFound, "no function '%.200s'", name);
}

PUBLIC(hipGetProcAddress, const char *name, void **out, int version,
       uint64_t flags, int *status)
{
  (void)version, (void)flags;
  CALL(proc_address(r, name, out, status));
}

PUBLIC(hipGetDriverEntryPoint, const char *name, void **out,
       unsigned long long flags, int *status)
{
  (void)flags;
  CALL(proc_address(r, name, out, status));
}

PUBLIC(hipGetDriverEntryPoint_spt, const char *name, void **out,
       unsigned long long flags, int *status)
{
  return later_hipGetDriverEntryPoint(name, out, flags, status);
}
