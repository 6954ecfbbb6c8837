/* hip_context.c - contexts, flags and limits: one device has one of each. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "runtimes/sim/api/hip.h"

/* --- contexts: every one is the device's primary --------------------------- */

static const char primary;

static hipError_t give(hipCtx_t *out, hipDevice_t device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!out)
    return hipErrorInvalidValue;
  *out = (hipCtx_t)(uintptr_t)&primary;
  return hipSuccess;
}

static hipError_t known(hipCtx_t c)
{
  return !c || (const void *)c == &primary ? hipSuccess
                                           : hipErrorInvalidContext;
}

static hipError_t number(int *out, int value)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = value;
  return hipSuccess;
}

hipError_t hipCtxCreate(hipCtx_t *out, unsigned int flags, hipDevice_t device)
{
  (void)flags;
  CALL(give(out, device));
}

hipError_t hipCtxDestroy(hipCtx_t c)
{
  CALL(c ? known(c) : hipErrorInvalidValue);
}

hipError_t hipCtxPushCurrent(hipCtx_t c)
{
  CALL(known(c));
}

hipError_t hipCtxPopCurrent(hipCtx_t *out)
{
  CALL(give(out, 0));
}

hipError_t hipCtxSetCurrent(hipCtx_t c)
{
  CALL(known(c));
}

hipError_t hipCtxGetCurrent(hipCtx_t *out)
{
  CALL(give(out, 0));
}

hipError_t hipCtxGetDevice(hipDevice_t *out)
{
  CALL(number(out, 0));
}

hipError_t hipCtxSynchronize(void)
{
  CALL_UNLESS(hip_capture_bars_device(r), hip_wait(r));
}

/* 4, says HIP's header, always. */
hipError_t api_version(hipCtx_t c, int *version) NAMED(hipCtxGetApiVersion);
hipError_t api_version(hipCtx_t c, int *version)
{
  CALL(known(c) ? hipErrorInvalidContext : number(version, 4));
}

/* What there is, all of the device's contexts can reach. */
hipError_t hipCtxEnablePeerAccess(hipCtx_t c, unsigned int flags)
{
  CALL(flags ? hipErrorInvalidValue : known(c));
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t c)
{
  CALL(known(c));
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *out, hipDevice_t device)
{
  CALL(give(out, device));
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device)
{
  CALL(device ? hipErrorInvalidDevice : hipSuccess);
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device)
{
  CALL(device ? hipErrorInvalidDevice : hipSuccess);
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int flags)
{
  (void)flags;
  CALL(device ? hipErrorInvalidDevice : hipSuccess);
}

static hipError_t state(hipDevice_t device, unsigned *flags, int *active)
{
  if (device)
    return hipErrorInvalidDevice;
  if (flags)
    *flags = 0;
  return active ? number(active, 1) : hipSuccess;
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags,
                                       int *active)
{
  CALL(state(device, flags, active));
}

/* --- how the device is to behave: nothing that could be set matters -------- */

hipError_t hipSetDeviceFlags(unsigned flags)
{
  (void)flags;
  CALL(hipSuccess);
}

hipError_t hipGetDeviceFlags(unsigned int *flags)
{
  CALL(number((int *)flags, hipDeviceScheduleAuto));
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config)
{
  (void)config;
  CALL(hipSuccess);
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config)
{
  CALL(number((int *)config, hipFuncCachePreferNone));
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config)
{
  (void)config;
  CALL(hipSuccess);
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config)
{
  CALL(number((int *)config, hipSharedMemBankSizeFourByte));
}

hipError_t hipCtxSetCacheConfig(hipFuncCache_t config)
{
  return hipDeviceSetCacheConfig(config);
}

hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config)
{
  return hipDeviceGetCacheConfig(config);
}

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config)
{
  return hipDeviceSetSharedMemConfig(config);
}

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config)
{
  return hipDeviceGetSharedMemConfig(config);
}

hipError_t hipCtxGetFlags(unsigned int *flags)
{
  return hipGetDeviceFlags(flags);
}

static hipError_t limit(struct runtime *r, size_t *value, enum hipLimit_t id)
{
  if (!value)
    return hipErrorInvalidValue;
  if (id != hipLimitMallocHeapSize)
    return hip_fail(r, hipErrorUnsupportedLimit,
                    "hipDeviceGetLimit: limit %d is not known", (int)id);
  *value = 0; /* no malloc in kernels */
  return hipSuccess;
}

hipError_t hipDeviceGetLimit(size_t *value, enum hipLimit_t id)
{
  CALL(limit(r, value, id));
}

/* --- among other devices --------------------------------------------------- */

static const char bus_id[] = "0000:00:00.0";

static hipError_t write_bus_id(char *out, int room, int device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!out || room < (int)sizeof bus_id)
    return hipErrorInvalidValue;
  snprintf(out, (size_t)room, "%s", bus_id);
  return hipSuccess;
}

hipError_t hipDeviceGetPCIBusId(char *out, int room, int device)
{
  CALL(write_bus_id(out, room, device));
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *name)
{
  CALL(name && !strcmp(name, bus_id) ? number(device, 0)
                                     : hipErrorInvalidValue);
}

static hipError_t uuid(hipUUID *out, hipDevice_t device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!out)
    return hipErrorInvalidValue;
  memcpy(out->bytes, HIP_UUID, sizeof out->bytes);
  return hipSuccess;
}

hipError_t hipDeviceGetUuid(hipUUID *out, hipDevice_t device)
{
  CALL(uuid(out, device));
}

hipError_t hip_choose_device(int *device, const void *wish)
{
  CALL(wish ? number(device, 0) : hipErrorInvalidValue);
}

hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer)
{
  CALL(device || peer ? hipErrorInvalidDevice : number(can, 0));
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags)
{
  (void)peer, (void)flags;
  CALL(hipErrorInvalidDevice);
}

hipError_t hipDeviceDisablePeerAccess(int peer)
{
  (void)peer;
  CALL(hipErrorInvalidDevice);
}

/* A link has two ends, so none is of this device alone. */
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute,
                                    int from, int to)
{
  (void)attribute, (void)from, (void)to;
  CALL(value ? hipErrorInvalidDevice : hipErrorInvalidValue);
}

hipError_t hipExtGetLinkTypeAndHopCount(int from, int to, uint32_t *type,
                                        uint32_t *hops)
{
  CALL(type && hops && from != to && from >= 0 && to >= 0
           ? hipErrorInvalidDevice : hipErrorInvalidValue);
}

/* --- the end ---------------------------------------------------------------- */

/* Memory stays: who resets a device and goes on meets what it freed as
 * invalid, not what it kept. */
hipError_t hipDeviceReset(void)
{
  CALL_UNLESS(hip_capture_bars_device(r), hip_wait(r));
}

hipError_t hipProfilerStart(void)
{
  CALL(hipSuccess);
}

hipError_t hipProfilerStop(void)
{
  CALL(hipSuccess);
}
