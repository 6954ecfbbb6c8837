/* hip_stream_value.c - numbers in memory that streams write and wait for.
 *
 * Work is done in the order of the calls, so a number that is waited for is
 * there already, or nobody can write it any more: what comes later waits for
 * this call. A card would wait for a later write of the host or of another
 * stream; here that is an error, and no hang.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/api/hip.h"

static int greater_equal(uint64_t at, uint64_t value, uint64_t mask)
{
  return (at & mask) >= value;
}

static int equal(uint64_t at, uint64_t value, uint64_t mask)
{
  return (at & mask) == value;
}

static int some_set(uint64_t at, uint64_t value, uint64_t mask)
{
  return (at & mask & value) != 0;
}

/* HIP's header masks both, and then takes the complement, so that a bit
 * outside of the mask would end every wait; its runtime masks that, too. */
static int some_clear(uint64_t at, uint64_t value, uint64_t mask)
{
  return (~(at | value) & mask) != 0;
}

static const struct {
  int (*met)(uint64_t at, uint64_t value, uint64_t mask);
  const char *text;
} conditions[] = {
    [hipStreamWaitValueGte] = {greater_equal, "*at & mask >= value"},
    [hipStreamWaitValueEq] = {equal, "*at & mask == value"},
    [hipStreamWaitValueAnd] = {some_set, "(*at & mask & value) != 0"},
    [hipStreamWaitValueNor] = {some_clear, "(~(*at | value) & mask) != 0"},
};

static hipError_t check(struct runtime *r, hipStream_t s, const void *at,
                        size_t bytes, const char *name)
{
  hipError_t pending = hip_wait(r);
  if (pending)
    return pending;
  if (!hip_stream_valid(r, s))
    return hipErrorInvalidHandle;
  return hip_on_device(r, at, bytes)
             ? hipSuccess
             : hip_fail(r, hipErrorInvalidValue,
                        "%s: the %zu bytes at %p are not inside a device "
                        "allocation; hipHostMalloc and hipHostRegister make "
                        "memory of the host one", name, bytes, at);
}

static hipError_t write_value(struct runtime *r, hipStream_t s, void *at,
                              uint64_t value, size_t bytes, const char *name)
{
  hipError_t result = check(r, s, at, bytes, name);
  if (!result) {
    memcpy(at, &value, bytes); /* little-endian */
    check_written(r->check, at, bytes);
  }
  return result;
}

static hipError_t wait_value(struct runtime *r, hipStream_t s, const void *at,
                             uint64_t value, uint64_t mask, unsigned how,
                             size_t bytes, const char *name)
{
  uint64_t now = 0;
  hipError_t result = check(r, s, at, bytes, name);
  if (result)
    return result;
  if (how >= sizeof conditions / sizeof *conditions)
    return hip_fail(r, hipErrorInvalidValue,
                    "%s: %u is no condition; hipStreamWaitValueGte is 0, Eq "
                    "1, And 2, Nor 3", name, how);
  memcpy(&now, at, bytes);
  if (conditions[how].met(now, value, mask))
    return hipSuccess;
  return hip_fail(r, hipErrorNotSupported,
                  "%s: it would never end: %s is not so with %#llx at %p, "
                  "value %#llx and mask %#llx, and the simulated device works "
                  "in the order of the calls; make the call that writes it "
                  "before this one", name, conditions[how].text,
                  (unsigned long long)now, at, (unsigned long long)value,
                  (unsigned long long)mask);
}

hipError_t hipStreamWriteValue32(hipStream_t s, void *at, uint32_t value,
                                 unsigned int flags)
{
  (void)flags;
  CALL(write_value(r, s, at, value, 4, "hipStreamWriteValue32"));
}

hipError_t hipStreamWriteValue64(hipStream_t s, void *at, uint64_t value,
                                 unsigned int flags)
{
  (void)flags;
  CALL(write_value(r, s, at, value, 8, "hipStreamWriteValue64"));
}

hipError_t hipStreamWaitValue32(hipStream_t s, void *at, uint32_t value,
                                unsigned int how, uint32_t mask)
{
  CALL(wait_value(r, s, at, value, mask, how, 4, "hipStreamWaitValue32"));
}

hipError_t hipStreamWaitValue64(hipStream_t s, void *at, uint64_t value,
                                unsigned int how, uint64_t mask)
{
  CALL(wait_value(r, s, at, value, mask, how, 8, "hipStreamWaitValue64"));
}
