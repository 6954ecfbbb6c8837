/* hip_device.c - devices: which are here, and what they are. */
// SPDX-License-Identifier: MIT
#include "runtimes/cuda/hip.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A device's context is the primary one, as CUDA's own runtime has it; it is
 * kept until the process ends. */
static CUresult make_current(const struct driver *d, int ordinal)
{
  CUdevice device;
  CUcontext context;
  CUresult rc = d->cuDeviceGet(&device, ordinal);
  if (rc == CU_SUCCESS)
    rc = d->cuDevicePrimaryCtxRetain(&context, device);
  return rc == CU_SUCCESS ? d->cuCtxSetCurrent(context) : rc;
}

const struct driver *hip_enter(CUresult *why)
{
  const struct driver *d = driver_open(why);
  CUcontext context = NULL;
  if (!d)
    return NULL;
  *why = d->cuCtxGetCurrent(&context);
  if (*why == CU_SUCCESS && !context)
    *why = make_current(d, 0);
  return *why == CU_SUCCESS ? d : NULL;
}

EXPORT hipError_t hipInit(unsigned flags)
{
  CALL_ANY(cuInit(flags));
}

EXPORT hipError_t hipSetDevice(int ordinal)
{
  CUresult why;
  const struct driver *d = driver_open(&why);
  return hip_result(d ? make_current(d, ordinal) : why);
}

EXPORT hipError_t hipGetDeviceCount(int *count)
{
  CALL_ANY(cuDeviceGetCount(count));
}

EXPORT hipError_t hipDeviceGet(hipDevice_t *device, int ordinal)
{
  CALL_ANY(cuDeviceGet(device, ordinal));
}

EXPORT hipError_t hipDeviceGetName(char *name, int room, hipDevice_t device)
{
  CALL_ANY(cuDeviceGetName(name, room, device));
}

EXPORT hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
  CALL_ANY(cuDeviceTotalMem_v2(bytes, device));
}

EXPORT hipError_t hipDeviceGetPCIBusId(char *out, int room, int ordinal)
{
  CALL_ANY(cuDeviceGetPCIBusId(out, room, ordinal));
}

EXPORT hipError_t hipDeviceSynchronize(void)
{
  CALL(cuCtxSynchronize());
}

/* --- attributes: HIP's numbers are not CUDA's ----------------------------- */

static const struct {
  hipDeviceAttribute_t hip;
  int cuda;
} attributes[] = {
    {hipDeviceAttributeMaxThreadsPerBlock, CU_MAX_THREADS_PER_BLOCK},
    {hipDeviceAttributeMaxBlockDimX, 2},
    {hipDeviceAttributeMaxBlockDimY, 3},
    {hipDeviceAttributeMaxBlockDimZ, 4},
    {hipDeviceAttributeMaxGridDimX, 5},
    {hipDeviceAttributeMaxGridDimY, 6},
    {hipDeviceAttributeMaxGridDimZ, 7},
    {hipDeviceAttributeMaxSharedMemoryPerBlock, CU_SHARED_PER_BLOCK},
    {hipDeviceAttributeTotalConstantMemory, 9},
    {hipDeviceAttributeWarpSize, 10},
    {hipDeviceAttributeMaxPitch, 11},
    {hipDeviceAttributeMaxRegistersPerBlock, 12},
    {hipDeviceAttributeClockRate, 13},
    {hipDeviceAttributeMultiprocessorCount, 16},
    {hipDeviceAttributeKernelExecTimeout, 17},
    {hipDeviceAttributeIntegrated, 18},
    {hipDeviceAttributeCanMapHostMemory, 19},
    {hipDeviceAttributeComputeMode, 20},
    {hipDeviceAttributeConcurrentKernels, 31},
    {hipDeviceAttributeEccEnabled, 32},
    {hipDeviceAttributePciBusId, 33},
    {hipDeviceAttributePciDeviceId, 34},
    {hipDeviceAttributeMemoryClockRate, 36},
    {hipDeviceAttributeMemoryBusWidth, 37},
    {hipDeviceAttributeL2CacheSize, 38},
    {hipDeviceAttributeMaxThreadsPerMultiProcessor, 39},
    {hipDeviceAttributeUnifiedAddressing, 41},
    {hipDeviceAttributePciDomainID, 50},
    {hipDeviceAttributeComputeCapabilityMajor, 75},
    {hipDeviceAttributeComputeCapabilityMinor, 76},
    {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, 81},
    {hipDeviceAttributeSharedMemPerMultiprocessor, 81},
    {hipDeviceAttributeMaxRegistersPerMultiprocessor, 82},
    {hipDeviceAttributeManagedMemory, 83},
    {hipDeviceAttributeIsMultiGpuBoard, 84},
    {hipDeviceAttributeCooperativeLaunch, 95},
    {hipDeviceAttributeSharedMemPerBlockOptin, CU_SHARED_PER_BLOCK_OPTIN},
};

EXPORT hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t id,
                                        int device)
{
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (attributes[i].hip == id)
      CALL_ANY(cuDeviceGetAttribute(value, attributes[i].cuda, device));
  return hip_result(CU_INVALID_VALUE);
}

/* --- versions ------------------------------------------------------------- */

/* CUDA 13.0 is 13000; HIP writes major * 10^7 + minor * 10^5. */
static int hip_version(int cuda)
{
  return cuda / 1000 * 10000000 + cuda % 1000 / 10 * 100000;
}

EXPORT hipError_t hipDriverGetVersion(int *version)
{
  CUresult why;
  const struct driver *d = driver_open(&why);
  if (d && (why = d->cuDriverGetVersion(version)) == CU_SUCCESS)
    *version = hip_version(*version);
  return hip_result(why);
}

EXPORT hipError_t hipRuntimeGetVersion(int *version)
{
  return hipDriverGetVersion(version);
}

/* The kernel module's version, "580.159.04", or "". */
static void module_version(char *out, size_t room)
{
  FILE *f = fopen("/sys/module/nvidia/version", "r");
  if (!f || !fgets(out, (int)room, f))
    out[0] = 0;
  if (f)
    fclose(f);
  out[strcspn(out, "\n")] = 0;
}

EXPORT void hipcudaRuntime(char *out, size_t room)
{
  const struct driver *d = driver_open(NULL);
  char module[48];
  int v = 0;
  if (d)
    d->cuDriverGetVersion(&v);
  module_version(module, sizeof module);
  snprintf(out, room, "cuda-%d.%d%s%s", v / 1000, v % 1000 / 10,
           module[0] ? "-driver-" : "", module);
}
