/* hip_pointer.c - what is known of a pointer. */
// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <string.h>

#include "runtimes/sim/api/hip.h"

/* Of memory that HIP knows nothing of, versions from 6 on say just that. */
static const hipPointerAttribute_t unregistered = {
    .POINTER_TYPE = 0, .device = hipInvalidDeviceId};

static hipError_t attributes(struct runtime *r, hipPointerAttribute_t *out,
                             const void *p)
{
  hipError_t result = hip_pointer(r, out, p);
  if (!result) {
    out->POINTER_TYPE = (hipMemoryType)hip_memory_number(r, out->POINTER_TYPE,
                                                       out->isManaged);
  } else if (out && p && hip_major(r) > 5) {
    *out = unregistered;
    return hipSuccess;
  }
  return result;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *out, const void *p)
{
  CALL(attributes(r, out, p));
}

static hipError_t range(struct runtime *r, hipDeviceptr_t *base, size_t *n,
                        hipDeviceptr_t p)
{
  uint64_t begin, end;
  size_t hint = 0;
  if (!arena_block(r->arena, (uint64_t)(uintptr_t)p, &begin, &end, &hint))
    return hipErrorNotFound;
  if (base)
    *base = (hipDeviceptr_t)(uintptr_t)begin;
  if (n)
    *n = end - begin;
  return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *n,
                                 hipDeviceptr_t p)
{
  CALL(range(r, base, n, p));
}

hipError_t hipMemPtrGetInfo(void *p, size_t *n)
{
  CALL(range(r, NULL, n, p));
}

/* --- one by one ----------------------------------------------------------- */

struct known {
  hipPointerAttribute_t all;
  hipDeviceptr_t begin;
  size_t n;
};

/* Bytes are those that HIP 5.2 writes, so sizes are modulo 2^32. `none` is
 * written where the pointer is unknown, which is an error but for the rows
 * that are `always` so. */
static hipError_t one(struct runtime *r, void *data, hipPointer_attribute id,
                      const struct known *k)
{
  const struct {
    hipPointer_attribute id;
    uint8_t bytes, always;
    int none;
    uint64_t value;
  } rows[] = {
#define ROW(name, type, always, none, value) \
    {HIP_POINTER_ATTRIBUTE_##name, sizeof(type), always, none, \
     k ? (uint64_t)(value) : 0}
      ROW(MEMORY_TYPE, uint32_t, 0, 0,
          hip_memory_number(r, k->all.POINTER_TYPE, k->all.isManaged)),
      ROW(DEVICE_POINTER, void *, 0, 0, (uintptr_t)k->all.devicePointer),
      ROW(HOST_POINTER, void *, 0, 0, (uintptr_t)k->all.hostPointer),
      ROW(SYNC_MEMOPS, bool, 1, 1, 1),
      /* unlike any other that is allocated now, each 256 bytes or more apart */
      ROW(BUFFER_ID, uint32_t, 0, 0, (uintptr_t)k->begin >> 8),
      ROW(IS_MANAGED, bool, 0, 0, k->all.isManaged),
      ROW(DEVICE_ORDINAL, int, 0, -2, k->all.device),
      ROW(RANGE_START_ADDR, void *, 0, 0, (uintptr_t)k->begin),
      ROW(RANGE_SIZE, uint32_t, 0, 0, k->n),
      ROW(MAPPED, bool, 0, 0, 1),
      ROW(ACCESS_FLAGS, uint32_t, 1, 0, 0),
#undef ROW
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    if (rows[n].id != id)
      continue;
    uint64_t value = k ? rows[n].value : (uint64_t)rows[n].none;
    memcpy(data, &value, rows[n].bytes); /* little-endian */
    if (id == HIP_POINTER_ATTRIBUTE_HOST_POINTER && !value)
      return hipErrorInvalidValue;
    return k || rows[n].always ? hipSuccess : hipErrorInvalidValue;
  }
  return hip_fail(r, id >= HIP_POINTER_ATTRIBUTE_CONTEXT &&
                             id <= HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
                         ? hipErrorNotSupported : hipErrorInvalidValue,
                  "hipPointerGetAttribute: attribute %d is not known", id);
}

/* NULL where the device does not know the pointer. */
static const struct known *look(struct runtime *r, struct known *k,
                                hipDeviceptr_t p)
{
  return hip_pointer(r, &k->all, p) || range(r, &k->begin, &k->n, p) ? NULL
                                                                     : k;
}

static hipError_t attribute(struct runtime *r, void *data,
                            hipPointer_attribute id, hipDeviceptr_t p)
{
  struct known k;
  if (!p || !data)
    return hipErrorInvalidValue;
  return one(r, data, id, look(r, &k, p));
}

hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute id,
                                  hipDeviceptr_t p)
{
  CALL(attribute(r, data, id, p));
}

/* Succeeds whatever the pointer is: its data tell. */
static hipError_t some(struct runtime *r, unsigned n,
                       const hipPointer_attribute *ids, void **data,
                       hipDeviceptr_t p)
{
  struct known k;
  if (!n || !ids || !data || !p)
    return hipErrorInvalidValue;
  const struct known *found = look(r, &k, p);
  for (unsigned i = 0; i < n; i++)
    if (!data[i])
      return hipErrorInvalidValue;
  for (unsigned i = 0; i < n; i++)
    (void)one(r, data[i], ids[i], found);
  return hipSuccess;
}

hipError_t hipDrvPointerGetAttributes(unsigned int n,
                                      hipPointer_attribute *ids, void **data,
                                      hipDeviceptr_t p)
{
  CALL(some(r, n, ids, data, p));
}
