/* hip_memory.c - device memory: allocate, copy, fill.
 *
 * Device addresses are host addresses, so a copy is a memmove; what makes it a
 * device's is that both ends are checked to lie inside one allocation where
 * they begin in the device's memory.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/api/hip_graph.h"

int hip_on_device(const struct runtime *r, const void *p, size_t n)
{
  size_t hint = 0;
  return arena_valid(r->arena, (uint64_t)(uintptr_t)p, n, &hint);
}

hipError_t hip_allocate(struct runtime *r, void **out, size_t n)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = n ? arena_alloc(r->arena, n) : NULL;
  if (*out)
    check_allocated(r->check, *out, n);
  if (*out || !n)
    return hipSuccess;
  uint64_t available, total;
  arena_space(r->arena, &available, &total);
  return hip_fail(r, hipErrorOutOfMemory,
                  "%zu bytes asked for, %llu of the card's %llu are free", n,
                  (unsigned long long)available, (unsigned long long)total);
}

int hip_arena_free(struct runtime *r, void *p)
{
  uint64_t begin, end;
  size_t hint = 0;
  if (arena_block(r->arena, (uint64_t)(uintptr_t)p, &begin, &end, &hint))
    check_freed(r->check, p, end - begin);
  return arena_free(r->arena, p);
}

hipError_t hip_release(struct runtime *r, void *p)
{
  if (!p)
    return hipSuccess;
  struct graph_memory *of_graph = graph_memory_at(r, p);
  if (of_graph) { /* which allocates it again when it is launched again */
    of_graph->live = 0;
    return hipSuccess;
  }
  hipError_t pending = hip_wait(r); /* hipFree waits for the device */
  if (hip_arena_free(r, p))
    return hip_fail(r, hipErrorInvalidValue,
                    "%p is not the start of a device allocation", p);
  hip_host_forget(r, p);
  hip_pool_forget(r, p);
  return pending;
}

hipError_t hipMalloc(void **out, size_t n)
{
  CALL_MEMORY(hip_allocate(r, out, n));
}

hipError_t hipFree(void *p)
{
  CALL_MEMORY(hip_release(r, p));
}

hipError_t hipExtMallocWithFlags(void **out, size_t n, unsigned int flags)
{
  (void)flags; /* all memory is fine-grained: work is done on return */
  CALL(hip_allocate(r, out, n));
}

static hipError_t space(struct runtime *r, size_t *available, size_t *total)
{
  uint64_t a, t;
  if (!available || !total)
    return hipErrorInvalidValue;
  arena_space(r->arena, &a, &t);
  *available = a;
  *total = t;
  return hipSuccess;
}

hipError_t hipMemGetInfo(size_t *available, size_t *total)
{
  CALL(space(r, available, total));
}

/* --- copies --------------------------------------------------------------- */

/* A card's runtime looks at the pointers, and copies whatever the kind that
 * the call names, if only it is one. HIP 6 has one more. */
enum {DEVICE_TO_DEVICE_NO_CU = 1024};

static int is_kind(unsigned kind)
{
  return kind <= hipMemcpyDefault || kind == DEVICE_TO_DEVICE_NO_CU;
}

/* What is wrong with an end of a copy, or NULL. Of memory that is neither the
 * device's nor registered nobody knows where it ends. */
static const char *wrong(const struct runtime *r, struct span s)
{
  uint64_t at = (uint64_t)(uintptr_t)s.at, begin, end;
  size_t hint = 0;
  if (!at)
    return "a null pointer; look whether its allocation failed";
  if (arena_block(r->arena, at, &begin, &end, &hint))
    return s.n <= end - at ? NULL : "the allocation ends before they do; copy "
                                    "fewer, or allocate more";
  return arena_own(r->arena, at)
             ? "no allocation is there; look whether it was freed, or the "
               "pointer moved out of it" : NULL;
}

static hipError_t check_end(struct runtime *r, const char *word,
                            struct span s)
{
  const char *text = wrong(r, s);
  return text ? hip_fail(r, hipErrorInvalidValue,
                         "copy %s the %zu bytes at %p: %s", word, s.n, s.at,
                         text)
              : hipSuccess;
}

hipError_t hip_copy_check(struct runtime *r, struct span to, struct span from,
                          hipMemcpyKind kind, hipStream_t stream)
{
  hipError_t pending = hip_wait(r);
  if (pending)
    return pending;
  if (!is_kind(kind))
    return hipErrorInvalidMemcpyDirection;
  if (!hip_stream_valid(r, stream))
    return hipErrorInvalidHandle;
  if (!to.n)
    return hipSuccess;
  hipError_t result = check_end(r, "to", to);
  return result ? result : check_end(r, "from", from);
}

hipError_t hip_copy(struct runtime *r, void *to, const void *from, size_t n,
                    hipMemcpyKind kind, hipStream_t stream)
{
  if (hip_captures(r, stream))
    return hip_capture(r, stream, work_copy(to, from, n, kind));
  hipError_t result = hip_copy_check(r, (struct span){to, n},
                                     (struct span){from, n}, kind, stream);
  if (!result && n) {
    memmove(to, from, n);
    check_written(r->check, to, n);
  }
  return result;
}

hipError_t hipMemcpy(void *to, const void *from, size_t n, hipMemcpyKind kind)
{
  CALL_NOW(hip_copy(r, to, from, n, kind, NULL));
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t n,
                          hipMemcpyKind kind, hipStream_t stream)
{
  CALL(hip_copy(r, to, from, n, kind, stream));
}

hipError_t to_device(hipDeviceptr_t to, const void *from, size_t n)
    NAMED(hipMemcpyHtoD);
hipError_t to_device(hipDeviceptr_t to, const void *from, size_t n)
{
  CALL_NOW(hip_copy(r, to, from, n, hipMemcpyHostToDevice, NULL));
}

hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t n)
{
  CALL_NOW(hip_copy(r, to, from, n, hipMemcpyDeviceToHost, NULL));
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t n)
{
  CALL_NOW(hip_copy(r, to, from, n, hipMemcpyDeviceToDevice, NULL));
}

hipError_t to_device_async(hipDeviceptr_t to, const void *from, size_t n,
                           hipStream_t stream) NAMED(hipMemcpyHtoDAsync);
hipError_t to_device_async(hipDeviceptr_t to, const void *from, size_t n,
                           hipStream_t stream)
{
  CALL(hip_copy(r, to, from, n, hipMemcpyHostToDevice, stream));
}

hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t n,
                              hipStream_t stream)
{
  CALL(hip_copy(r, to, from, n, hipMemcpyDeviceToHost, stream));
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t n,
                              hipStream_t stream)
{
  CALL(hip_copy(r, to, from, n, hipMemcpyDeviceToDevice, stream));
}

hipError_t hipMemcpyWithStream(void *to, const void *from, size_t n,
                               hipMemcpyKind kind, hipStream_t stream)
{
  CALL(hip_copy(r, to, from, n, kind, stream));
}

static hipError_t copy_peer(struct runtime *r, void *to, int to_device,
                            const void *from, int from_device, size_t n,
                            hipStream_t stream)
{
  if (to_device || from_device)
    return hipErrorInvalidDevice;
  return hip_copy(r, to, from, n, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeer(void *to, int to_device, const void *from,
                         int from_device, size_t n)
{
  CALL_NOW(copy_peer(r, to, to_device, from, from_device, n, NULL));
}

hipError_t hipMemcpyPeerAsync(void *to, int to_device, const void *from,
                              int from_device, size_t n, hipStream_t stream)
{
  CALL(copy_peer(r, to, to_device, from, from_device, n, stream));
}

/* --- fills: count elements of 1, 2 or 4 bytes ----------------------------- */

hipError_t hip_fill(struct runtime *r, void *to, uint32_t value, size_t width,
                    size_t count, hipStream_t stream)
{
  if (hip_captures(r, stream))
    return hip_capture(r, stream, work_fill(to, value, width, count));
  hipError_t pending = hip_wait(r);
  if (pending)
    return pending;
  if (!hip_stream_valid(r, stream))
    return hipErrorInvalidHandle;
  if (!count)
    return hipSuccess;
  if (count > SIZE_MAX / width || !hip_on_device(r, to, count * width))
    return hip_fail(r, hipErrorInvalidValue,
                    "fill of %zu elements of %zu bytes at %p: not inside a "
                    "device allocation", count, width, to);
  if ((uintptr_t)to % width)
    return hip_fail(r, hipErrorInvalidValue,
                    "fill of %zu elements of %zu bytes at %p: the address is "
                    "not a multiple of %zu; hipMemsetD8 takes any", count,
                    width, to, width);
  if (width == 1)
    memset(to, (int)value, count);
  else
    for (size_t n = 0; n < count; n++)
      memcpy((char *)to + n * width, &value, width);
  check_written(r->check, to, count * width);
  return hipSuccess;
}

hipError_t hipMemset(void *to, int value, size_t n)
{
  CALL_NOW(hip_fill(r, to, (uint32_t)value, 1, n, NULL));
}

hipError_t hipMemsetAsync(void *to, int value, size_t n, hipStream_t stream)
{
  CALL(hip_fill(r, to, (uint32_t)value, 1, n, stream));
}

hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t n)
{
  CALL_NOW(hip_fill(r, to, value, 1, n, NULL));
}

hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t n,
                            hipStream_t stream)
{
  CALL(hip_fill(r, to, value, 1, n, stream));
}

hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t n)
{
  CALL_NOW(hip_fill(r, to, value, 2, n, NULL));
}

hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t n,
                             hipStream_t stream)
{
  CALL(hip_fill(r, to, value, 2, n, stream));
}

hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t n)
{
  CALL_NOW(hip_fill(r, to, (uint32_t)value, 4, n, NULL));
}

hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t n,
                             hipStream_t stream)
{
  CALL(hip_fill(r, to, (uint32_t)value, 4, n, stream));
}
