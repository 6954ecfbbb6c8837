/* hip_advice.c - advice on managed memory: told again, and nothing more.
 *
 * The memory is in one place for all. What is said of a part of an allocation
 * alone is forgotten.
 */
// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <string.h>

#include "runtimes/sim/api/hip.h"

/* --- giving it ------------------------------------------------------------ */

enum {DEVICE = -3}; /* value: the device of the call */

static const struct {
  hipMemoryAdvise advice;
  size_t field;
  int value;
} advices[] = {
#define ADVICE(name, field, value) \
  {hipMemAdvise##name, offsetof(struct advice, field), value}
    ADVICE(SetReadMostly, read_mostly, 1),
    ADVICE(UnsetReadMostly, read_mostly, 0),
    ADVICE(SetPreferredLocation, preferred, DEVICE),
    ADVICE(UnsetPreferredLocation, preferred, hipInvalidDeviceId),
    ADVICE(SetAccessedBy, accessed, DEVICE),
    ADVICE(UnsetAccessedBy, accessed, hipInvalidDeviceId),
    ADVICE(SetCoarseGrain, coarse, hipMemRangeCoherencyModeCoarseGrain),
    ADVICE(UnsetCoarseGrain, coarse, hipMemRangeCoherencyModeFineGrain),
#undef ADVICE
};

static int *field_of(struct advice *a, size_t offset)
{
  return (int *)(void *)((char *)a + offset);
}

static hipError_t check(struct runtime *r, const void *p, size_t n, int device)
{
  if (device && device != hipCpuDeviceId)
    return hipErrorInvalidDevice;
  return n && hip_on_device(r, p, n) ? hipSuccess : hipErrorInvalidValue;
}

static hipError_t advise(struct runtime *r, const void *p, size_t n,
                         hipMemoryAdvise advice, int device)
{
  hipError_t result = check(r, p, n, device);
  if (result)
    return result;
  struct advice *a = hip_advice(r, p, n, 1);
  for (size_t k = 0; k < sizeof advices / sizeof *advices; k++)
    if (advices[k].advice == advice) {
      if (a)
        *field_of(a, advices[k].field) =
            advices[k].value == DEVICE ? device : advices[k].value;
      return hipSuccess;
    }
  return hipErrorInvalidValue;
}

hipError_t hipMemAdvise(const void *p, size_t n, hipMemoryAdvise advice,
                        int device)
{
  CALL(advise(r, p, n, advice, device));
}

static hipError_t prefetch(struct runtime *r, const void *p, size_t n,
                           int device, hipStream_t stream)
{
  hipError_t result = hip_stream_valid(r, stream) ? check(r, p, n, device)
                                                  : hipErrorInvalidHandle;
  struct advice *a = result ? NULL : hip_advice(r, p, n, 1);
  if (a)
    a->prefetched = device;
  return result;
}

hipError_t hipMemPrefetchAsync(const void *p, size_t n, int device,
                               hipStream_t stream)
{
  CALL(prefetch(r, p, n, device, stream));
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *p, size_t n,
                                   unsigned int flags)
{
  (void)stream, (void)n, (void)flags;
  CALL(hip_on_device(r, p, 1) ? hipSuccess : hipErrorInvalidValue);
}

/* --- asking for it -------------------------------------------------------- */

static const struct {
  hipMemRangeAttribute id;
  size_t field;
  int many; /* room for any number of devices; what is over says none */
} attributes[] = {
#define ATTRIBUTE(name, field, many) \
  {hipMemRangeAttribute##name, offsetof(struct advice, field), many}
    ATTRIBUTE(ReadMostly, read_mostly, 0),
    ATTRIBUTE(PreferredLocation, preferred, 0),
    ATTRIBUTE(AccessedBy, accessed, 1),
    ATTRIBUTE(LastPrefetchLocation, prefetched, 0),
    ATTRIBUTE(CoherencyMode, coarse, 0),
#undef ATTRIBUTE
};

static hipError_t one(struct advice *a, void *data, size_t bytes,
                      hipMemRangeAttribute id)
{
  const int none = hipInvalidDeviceId;
  for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++) {
    if (attributes[k].id != id)
      continue;
    if (!data || bytes < sizeof none || bytes % sizeof none ||
        (bytes > sizeof none && !attributes[k].many))
      return hipErrorInvalidValue;
    memcpy(data, field_of(a, attributes[k].field), sizeof none);
    for (size_t at = sizeof none; at < bytes; at += sizeof none)
      memcpy((char *)data + at, &none, sizeof none);
    return hipSuccess;
  }
  return hipErrorInvalidValue;
}

static hipError_t ask(struct runtime *r, void **data, const size_t *bytes,
                      const hipMemRangeAttribute *ids, size_t count,
                      const void *p, size_t n)
{
  struct advice none = NO_ADVICE, *a = hip_advice(r, p, n, 0);
  if (!data || !bytes || !ids || !count)
    return hipErrorInvalidValue;
  hipError_t result = check(r, p, n, 0);
  for (size_t k = 0; k < count && !result; k++)
    result = one(a ? a : &none, data[k], bytes[k], ids[k]);
  return result;
}

hipError_t hipMemRangeGetAttribute(void *data, size_t bytes,
                                   hipMemRangeAttribute id, const void *p,
                                   size_t n)
{
  CALL(ask(r, &data, &bytes, &id, 1, p, n));
}

hipError_t hipMemRangeGetAttributes(void **data, size_t *bytes,
                                    hipMemRangeAttribute *ids, size_t count,
                                    const void *p, size_t n)
{
  CALL(ask(r, data, bytes, ids, count, p, n));
}
