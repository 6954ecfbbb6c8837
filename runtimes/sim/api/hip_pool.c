/* hip_pool.c - memory pools, and memory in a stream's order.
 *
 * A pool counts what was allocated from it. What is freed goes back to the
 * device at once, whatever the threshold says that a pool may keep: nobody
 * would notice the time that keeping it saves.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip_graph.h"

struct ihipMemPoolHandle_t {
  struct ihipMemPoolHandle_t *next;
  int reuse[3]; /* by attribute, less 1: kept, and nothing more */
  uint64_t threshold, used, most;
};

/* An allocation from a pool. */
struct pool_memory {
  struct pool_memory *next;
  const void *at;
  size_t n;
  hipMemPool_t pool; /* NULL: it was destroyed */
};

/* --- pools ---------------------------------------------------------------- */

static hipMemPool_t pool_new(struct runtime *r)
{
  hipMemPool_t p = mem_alloc(sizeof *p);
  *p = (struct ihipMemPoolHandle_t){.next = r->pools, .reuse = {1, 1, 1}};
  return r->pools = p;
}

static hipMemPool_t default_pool(struct runtime *r)
{
  if (!r->default_pool)
    r->default_pool = pool_new(r);
  return r->default_pool;
}

static hipMemPool_t current_pool(struct runtime *r)
{
  return r->current_pool ? r->current_pool : default_pool(r);
}

static int valid(const struct runtime *r, hipMemPool_t pool)
{
  hipMemPool_t p = r->pools;
  while (p && p != pool)
    p = p->next;
  return p != NULL;
}

static hipError_t give(hipMemPool_t *out, hipMemPool_t pool, int device)
{
  if (!out)
    return hipErrorInvalidValue;
  if (device)
    return hipErrorInvalidDevice;
  *out = pool;
  return hipSuccess;
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *out, int device)
{
  CALL(give(out, default_pool(r), device));
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *out, int device)
{
  CALL(give(out, current_pool(r), device));
}

static hipError_t set_current(struct runtime *r, int device, hipMemPool_t pool)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!valid(r, pool))
    return hipErrorInvalidValue;
  r->current_pool = pool;
  return hipSuccess;
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool)
{
  CALL(set_current(r, device, pool));
}

static hipError_t create(struct runtime *r, hipMemPool_t *out,
                         const hipMemPoolProps *p)
{
  if (!out || !p || p->allocType != hipMemAllocationTypePinned ||
      p->location.type != hipMemLocationTypeDevice || p->location.id)
    return hipErrorInvalidValue;
  if (p->handleTypes)
    return hip_fail(r, hipErrorNotSupported, "hipMemPoolCreate: the simulated "
                    "device has no memory shared with other processes");
  *out = pool_new(r);
  return hipSuccess;
}

hipError_t hipMemPoolCreate(hipMemPool_t *out, const hipMemPoolProps *p)
{
  CALL(create(r, out, p));
}

static hipError_t destroy(struct runtime *r, hipMemPool_t pool)
{
  if (!valid(r, pool) || pool == r->default_pool)
    return hipErrorInvalidValue;
  struct ihipMemPoolHandle_t **p = &r->pools;
  while (*p != pool)
    p = &(*p)->next;
  *p = pool->next;
  if (r->current_pool == pool)
    r->current_pool = NULL;
  for (struct pool_memory *m = r->pool_memory; m; m = m->next)
    if (m->pool == pool)
      m->pool = NULL;
  free(pool);
  return hipSuccess;
}

hipError_t hipMemPoolDestroy(hipMemPool_t pool)
{
  CALL(destroy(r, pool));
}

/* --- what a pool is asked and told ---------------------------------------- */

static uint64_t *number_of(hipMemPool_t p, hipMemPoolAttr id)
{
  switch (id) {
  case hipMemPoolAttrReleaseThreshold:
    return &p->threshold;
  case hipMemPoolAttrReservedMemCurrent: /* nothing is kept that is not used */
  case hipMemPoolAttrUsedMemCurrent:
    return &p->used;
  case hipMemPoolAttrReservedMemHigh:
  case hipMemPoolAttrUsedMemHigh:
    return &p->most;
  default:
    return NULL;
  }
}

static int is_reuse(hipMemPoolAttr id)
{
  return id >= hipMemPoolReuseFollowEventDependencies &&
         id <= hipMemPoolReuseAllowInternalDependencies;
}

static hipError_t get(struct runtime *r, hipMemPool_t p, hipMemPoolAttr id,
                      void *value)
{
  if (!value || !valid(r, p))
    return hipErrorInvalidValue;
  if (is_reuse(id)) {
    memcpy(value, &p->reuse[id - 1], sizeof *p->reuse);
    return hipSuccess;
  }
  const uint64_t *number = number_of(p, id);
  if (!number)
    return hipErrorInvalidValue;
  memcpy(value, number, sizeof *number);
  return hipSuccess;
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t p, hipMemPoolAttr id,
                                  void *value)
{
  CALL(get(r, p, id, value));
}

/* Of the counts only how high they were can be set, to 0: from now on. */
static hipError_t set(struct runtime *r, hipMemPool_t p, hipMemPoolAttr id,
                      const void *value)
{
  uint64_t number;
  if (!value || !valid(r, p))
    return hipErrorInvalidValue;
  if (is_reuse(id)) {
    memcpy(&p->reuse[id - 1], value, sizeof *p->reuse);
    return hipSuccess;
  }
  memcpy(&number, value, sizeof number);
  if (id == hipMemPoolAttrReleaseThreshold)
    p->threshold = number;
  else if (number_of(p, id) == &p->most && !number)
    p->most = p->used;
  else
    return hipErrorInvalidValue;
  return hipSuccess;
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t p, hipMemPoolAttr id,
                                  void *value)
{
  CALL(set(r, p, id, value));
}

hipError_t hipMemPoolTrimTo(hipMemPool_t p, size_t keep)
{
  (void)keep;
  CALL(valid(r, p) ? hipSuccess : hipErrorInvalidValue);
}

static hipError_t set_access(struct runtime *r, hipMemPool_t p,
                             const hipMemAccessDesc *list, size_t count)
{
  if (!valid(r, p) || (count && !list))
    return hipErrorInvalidValue;
  for (size_t n = 0; n < count; n++)
    if (list[n].location.type != hipMemLocationTypeDevice ||
        list[n].location.id || list[n].flags != hipMemAccessFlagsProtReadWrite)
      return hipErrorInvalidValue;
  return hipSuccess;
}

hipError_t hipMemPoolSetAccess(hipMemPool_t p, const hipMemAccessDesc *list,
                               size_t count)
{
  CALL(set_access(r, p, list, count));
}

static hipError_t get_access(struct runtime *r, hipMemAccessFlags *out,
                             hipMemPool_t p, const hipMemLocation *at)
{
  if (!out || !at || !valid(r, p) || at->type != hipMemLocationTypeDevice ||
      at->id)
    return hipErrorInvalidValue;
  *out = hipMemAccessFlagsProtReadWrite;
  return hipSuccess;
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *out, hipMemPool_t p,
                               hipMemLocation *at)
{
  CALL(get_access(r, out, p, at));
}

/* --- memory --------------------------------------------------------------- */

void hip_pool_forget(struct runtime *r, const void *at)
{
  for (struct pool_memory **p = &r->pool_memory; *p; p = &(*p)->next)
    if ((*p)->at == at) {
      struct pool_memory *m = *p;
      *p = m->next;
      if (m->pool)
        m->pool->used -= m->n;
      free(m);
      return;
    }
}

static void keep(struct runtime *r, hipMemPool_t pool, const void *at,
                 size_t n)
{
  struct pool_memory *m = mem_alloc(sizeof *m);
  *m = (struct pool_memory){r->pool_memory, at, n, pool};
  r->pool_memory = m;
  pool->used += n;
  pool->most = pool->used > pool->most ? pool->used : pool->most;
}

static hipError_t allocate_captured(struct runtime *r, void **out, size_t n,
                                    hipStream_t stream)
{
  struct work work;
  hipError_t result = work_allocate(r, &work, n);
  if (result)
    return result;
  *out = work.memory->at;
  return hip_capture(r, stream, work);
}

static hipError_t allocate(struct runtime *r, void **out, size_t n,
                           hipMemPool_t pool, hipStream_t stream)
{
  if (!out || !valid(r, pool))
    return hipErrorInvalidValue;
  if (!hip_stream_valid(r, stream))
    return hipErrorInvalidHandle;
  if (hip_captures(r, stream))
    return allocate_captured(r, out, n, stream);
  hipError_t result = hip_allocate(r, out, n);
  if (!result && *out)
    keep(r, pool, *out, n);
  return result;
}

static hipError_t release(struct runtime *r, void *p, hipStream_t stream)
{
  struct work work;
  if (!hip_stream_valid(r, stream))
    return hipErrorInvalidHandle;
  if (!hip_captures(r, stream))
    return hip_release(r, p);
  hipError_t result = work_release(r, &work, p);
  return result ? result : hip_capture(r, stream, work);
}

hipError_t hipMallocAsync(void **out, size_t n, hipStream_t stream)
{
  CALL(allocate(r, out, n, current_pool(r), stream));
}

hipError_t hipMallocFromPoolAsync(void **out, size_t n, hipMemPool_t pool,
                                  hipStream_t stream)
{
  CALL(allocate(r, out, n, pool, stream));
}

hipError_t hipFreeAsync(void *p, hipStream_t stream)
{
  CALL(release(r, p, stream));
}
