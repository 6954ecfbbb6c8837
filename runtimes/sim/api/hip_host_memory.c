/* hip_host_memory.c - memory of host and device: pinned, managed, registered.
 *
 * All of it lies in the device's address range but for what the program
 * registers, which joins the arena where it is.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/mem.h"
#include "runtimes/sim/api/hip.h"

enum host_kind {PINNED, MANAGED, REGISTERED};

struct host_memory {
  struct host_memory *next;
  char *at;
  size_t n;
  enum host_kind kind;
  unsigned flags;
  struct advice advice;
};

static struct host_memory *find(const struct runtime *r, const void *p)
{
  struct host_memory *h = r->hosts;
  while (h && (uintptr_t)p - (uintptr_t)h->at >= h->n)
    h = h->next;
  return h;
}

static void keep(struct runtime *r, void *at, size_t n, enum host_kind kind,
                 unsigned flags)
{
  struct host_memory *h = mem_alloc(sizeof *h);
  *h = (struct host_memory){r->hosts, at, n, kind, flags, NO_ADVICE};
  r->hosts = h;
}

void hip_host_forget(struct runtime *r, const void *p)
{
  for (struct host_memory **h = &r->hosts; *h; h = &(*h)->next)
    if ((*h)->at == p) {
      struct host_memory *old = *h;
      *h = old->next;
      free(old);
      return;
    }
}

/* --- allocating ----------------------------------------------------------- */

static hipError_t allocate(struct runtime *r, void **out, size_t n,
                           enum host_kind kind, unsigned flags)
{
  hipError_t result = hip_allocate(r, out, n);
  if (!result && *out) {
    keep(r, *out, n, kind, flags);
    check_written(r->check, *out, n); /* the host writes when it likes */
  }
  return result;
}

hipError_t hip_managed(struct runtime *r, void **out, size_t n)
{
  return n ? allocate(r, out, n, MANAGED, hipMemAttachGlobal)
           : hipErrorInvalidValue;
}

hipError_t hipHostMalloc(void **out, size_t n, unsigned int flags)
{
  CALL_MEMORY(allocate(r, out, n, PINNED, flags));
}

hipError_t hipHostAlloc(void **out, size_t n, unsigned int flags)
{
  CALL_MEMORY(allocate(r, out, n, PINNED, flags));
}

hipError_t hipMallocHost(void **out, size_t n)
{
  CALL_MEMORY(allocate(r, out, n, PINNED, 0));
}

hipError_t hipMemAllocHost(void **out, size_t n)
{
  CALL_MEMORY(allocate(r, out, n, PINNED, 0));
}

hipError_t hipMallocManaged(void **out, size_t n, unsigned int flags)
{
  (void)flags;
  CALL_MEMORY(hip_managed(r, out, n));
}

hipError_t hipHostFree(void *p)
{
  CALL_MEMORY(hip_release(r, p));
}

hipError_t hipFreeHost(void *p)
{
  CALL_MEMORY(hip_release(r, p));
}

/* --- the program's own memory --------------------------------------------- */

static hipError_t adopt(struct runtime *r, void *p, size_t n, unsigned flags)
{
  if (!p || !n)
    return hipErrorInvalidValue;
  if (arena_adopt(r->arena, p, n))
    return hipErrorHostMemoryAlreadyRegistered;
  keep(r, p, n, REGISTERED, flags);
  return hipSuccess;
}

static hipError_t disown(struct runtime *r, void *p)
{
  const struct host_memory *h = find(r, p);
  if (!h || h->at != p || h->kind != REGISTERED)
    return hipErrorHostMemoryNotRegistered;
  arena_disown(r->arena, p);
  hip_host_forget(r, p);
  return hipSuccess;
}

hipError_t hipHostRegister(void *p, size_t n, unsigned int flags)
{
  CALL_MEMORY(adopt(r, p, n, flags));
}

hipError_t hipHostUnregister(void *p)
{
  CALL_MEMORY(disown(r, p));
}

/* --- what a pointer is ---------------------------------------------------- */

static hipError_t device_pointer(struct runtime *r, void **out, void *p)
{
  if (!out || !find(r, p))
    return hipErrorInvalidValue;
  *out = p;
  return hipSuccess;
}

hipError_t hipHostGetDevicePointer(void **out, void *p, unsigned int flags)
{
  (void)flags;
  CALL(device_pointer(r, out, p));
}

static hipError_t host_flags(struct runtime *r, unsigned *out, void *p)
{
  const struct host_memory *h = find(r, p);
  if (!out || !h)
    return hipErrorInvalidValue;
  *out = h->flags;
  return hipSuccess;
}

hipError_t hipHostGetFlags(unsigned int *flags, void *p)
{
  CALL(host_flags(r, flags, p));
}

hipError_t hip_pointer(struct runtime *r, hipPointerAttribute_t *out,
                       const void *p)
{
  const struct host_memory *h = find(r, p);
  if (!out || (!h && !hip_on_device(r, p, 1)))
    return hipErrorInvalidValue;
  *out = (hipPointerAttribute_t){
      .POINTER_TYPE = h && h->kind != MANAGED ? hipMemoryTypeHost
                                            : hipMemoryTypeDevice,
      .devicePointer = (void *)(uintptr_t)p,
      .hostPointer = h ? (void *)(uintptr_t)p : NULL,
      .isManaged = h && h->kind == MANAGED,
      .allocationFlags = h ? h->flags : 0};
  return hipSuccess;
}

struct advice *hip_advice(const struct runtime *r, const void *p, size_t n,
                          int whole)
{
  struct host_memory *h = find(r, p);
  if (!h || h->kind != MANAGED || (whole && (h->at != p || n < h->n)))
    return NULL;
  return &h->advice;
}
