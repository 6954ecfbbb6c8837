/* hip_device.c - the device: what it is called, has and can. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Kernels are what the HIP 5.2 compiler of Debian 12 makes. */
enum {VERSION = 50223000, VERSION_6 = 60400000, VERSION_7 = 70200000};

enum {THREADS = 1024, MEMORY_MHZ = 1000, MEMORY_BITS = 4096};

/* Another clock is another device: its times are not the card's own. */
static void write_name(const struct runtime *r, char *out, size_t room)
{
  const struct card *c = &r->card;
  char clock[24] = "";
  if (r->other_clock)
    snprintf(clock, sizeof clock, ", %.0f MHz", c->clock_mhz);
  snprintf(out, room, "simulated %s (%s, %.0f CUs%s)", r->board->title,
           r->isa->name, c->cus, clock);
}

/* --- attributes ----------------------------------------------------------- */

/* What there is of each: a constant, or one of the card times `value`. */
enum source {
  FIXED, CHIP, MINOR, CUS, CLOCK, DOUBLES, LDS, L2,
  WAVES, WAVE_LANES, THREADS_CU, MEMORY
};

/* Attributes of HIP 6 and 7, by their numbers. */
enum { VIRTUAL_MEMORY = 89, HOST_REGISTER = 90, POOL_HANDLES = 91,
       WALL_CLOCK = 10017, XCCS = 10018 };

static const struct {
  int id;
  enum source from;
  int value;
} attributes[] = {
    {hipDeviceAttributeCanMapHostMemory, FIXED, 1},
    {hipDeviceAttributeClockRate, CLOCK, 1000},
    {hipDeviceAttributeComputeMode, FIXED, 0},
    {hipDeviceAttributeConcurrentKernels, FIXED, 1},
    {hipDeviceAttributeCooperativeLaunch, FIXED, 0},
    {hipDeviceAttributeCooperativeMultiDeviceLaunch, FIXED, 0},
    {hipDeviceAttributeEccEnabled, FIXED, 1},
    {hipDeviceAttributeIntegrated, FIXED, 0},
    {hipDeviceAttributeIsMultiGpuBoard, FIXED, 0},
    {hipDeviceAttributeKernelExecTimeout, FIXED, 0},
    {hipDeviceAttributeL2CacheSize, L2, 1},
    {hipDeviceAttributeComputeCapabilityMajor, FIXED, 9},
    {hipDeviceAttributeComputeCapabilityMinor, MINOR, 1},
    {hipDeviceAttributeManagedMemory, FIXED, 1},
    {hipDeviceAttributeConcurrentManagedAccess, FIXED, 0},
    {hipDeviceAttributeDirectManagedMemAccessFromHost, FIXED, 0},
    {hipDeviceAttributePageableMemoryAccess, FIXED, 0},
    {hipDeviceAttributePageableMemoryAccessUsesHostPageTables, FIXED, 0},
    {hipDeviceAttributeAsyncEngineCount, FIXED, 0},
    {hipDeviceAttributeDeviceOverlap, FIXED, 0},
    {hipDeviceAttributeStreamPrioritiesSupported, FIXED, 1},
    {hipDeviceAttributeMemoryPoolsSupported, FIXED, 1},
    {VIRTUAL_MEMORY, FIXED, 0},
    {HOST_REGISTER, FIXED, 1},
    {POOL_HANDLES, FIXED, 0},
    {WALL_CLOCK, FIXED, 25000},
    {XCCS, FIXED, 1},
    {hipDeviceAttributeHostNativeAtomicSupported, FIXED, 0},
    {hipDeviceAttributeCanUseHostPointerForRegisteredMem, FIXED, 1},
    {hipDeviceAttributeCanUseStreamWaitValue, FIXED, 0},
    {hipDeviceAttributeComputePreemptionSupported, FIXED, 0},
    {hipDeviceAttributeGlobalL1CacheSupported, FIXED, 1},
    {hipDeviceAttributeLocalL1CacheSupported, FIXED, 1},
    {hipDeviceAttributeMultiGpuBoardGroupID, FIXED, 0},
    {hipDeviceAttributeTccDriver, FIXED, 0},
    {hipDeviceAttributeFineGrainSupport, FIXED, 1},
    {hipDeviceAttributeAsicRevision, FIXED, 1},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc, FIXED, 0},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim, FIXED, 0},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim, FIXED, 0},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem, FIXED, 0},
    {hipDeviceAttributeMaxRegistersPerMultiprocessor, FIXED, 65536},
    {hipDeviceAttributeMaxBlocksPerMultiProcessor, WAVES, 1},
    {hipDeviceAttributeSharedMemPerBlockOptin, LDS, 1},
    {hipDeviceAttributeSharedMemPerMultiprocessor, LDS, 1},
    {hipDeviceAttributeReservedSharedMemPerBlock, FIXED, 0},
    {hipDeviceAttributeSingleToDoublePrecisionPerfRatio, DOUBLES, 2},
    {hipDeviceAttributeMaxSurface1D, FIXED, 0},
    {hipDeviceAttributeMaxSurface2D, FIXED, 0},
    {hipDeviceAttributeMaxSurface3D, FIXED, 0},
    {hipDeviceAttributeMaxTexture1DWidth, FIXED, 0},
    {hipDeviceAttributeMaxTexture1DLinear, FIXED, 0},
    {hipDeviceAttributeMaxTexture2DWidth, FIXED, 0},
    {hipDeviceAttributeMaxTexture2DHeight, FIXED, 0},
    {hipDeviceAttributeMaxTexture3DWidth, FIXED, 0},
    {hipDeviceAttributeMaxTexture3DHeight, FIXED, 0},
    {hipDeviceAttributeMaxTexture3DDepth, FIXED, 0},
    {hipDeviceAttributeTextureAlignment, FIXED, 256},
    {hipDeviceAttributeTexturePitchAlignment, FIXED, 256},
    {hipDeviceAttributeMaxBlockDimX, FIXED, THREADS},
    {hipDeviceAttributeMaxBlockDimY, FIXED, THREADS},
    {hipDeviceAttributeMaxBlockDimZ, FIXED, THREADS},
    {hipDeviceAttributeMaxGridDimX, FIXED, INT_MAX},
    {hipDeviceAttributeMaxGridDimY, FIXED, INT_MAX},
    {hipDeviceAttributeMaxGridDimZ, FIXED, INT_MAX},
    {hipDeviceAttributeMaxThreadsPerBlock, FIXED, THREADS},
    {hipDeviceAttributeMaxThreadsPerMultiProcessor, THREADS_CU, 1},
    {hipDeviceAttributeMemoryBusWidth, FIXED, MEMORY_BITS},
    {hipDeviceAttributeMemoryClockRate, FIXED, MEMORY_MHZ * 1000},
    {hipDeviceAttributeMultiprocessorCount, CUS, 1},
    {hipDeviceAttributePhysicalMultiProcessorCount, CUS, 1},
    {hipDeviceAttributePciBusId, FIXED, 0},
    {hipDeviceAttributePciDeviceId, FIXED, 0},
    {hipDeviceAttributePciDomainID, FIXED, 0},
    {hipDeviceAttributeMaxRegistersPerBlock, FIXED, 65536},
    {hipDeviceAttributeMaxSharedMemoryPerBlock, LDS, 1},
    {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, LDS, 1},
    {hipDeviceAttributeTotalConstantMemory, FIXED, INT_MAX},
    {hipDeviceAttributeTotalGlobalMem, MEMORY, 1},
    {hipDeviceAttributeUnifiedAddressing, FIXED, 1},
    {hipDeviceAttributeWarpSize, WAVE_LANES, 1},
    {hipDeviceAttributeClockInstructionRate, FIXED, 25000},
    {hipDeviceAttributeGcnArch, CHIP, 1},
    {hipDeviceAttributeImageSupport, FIXED, 0},
    {hipDeviceAttributeIsLargeBar, FIXED, 0},
    {hipDeviceAttributeMaxPitch, FIXED, INT_MAX},
};

static double of_card(const struct runtime *r, enum source from)
{
  const struct card *c = &r->card;
  switch (from) {
  case CHIP: return r->isa->number;
  case MINOR: return r->isa->number / 10 % 10;
  case CUS: return c->cus;
  case CLOCK: return c->clock_mhz;
  case DOUBLES: return c->f64;
  case LDS: return c->lds;
  case L2: return c->l2;
  case WAVES: return c->waves * c->simds;
  case WAVE_LANES: return r->isa->lanes;
  case THREADS_CU: return c->waves * c->simds * r->isa->lanes;
  case MEMORY: return (double)r->board->memory;
  default: return 1;
  }
}

double hip_attribute(const struct runtime *r, hipDeviceAttribute_t id)
{
  for (size_t n = 0; n < sizeof attributes / sizeof *attributes; n++)
    if (attributes[n].id == (int)id)
      return of_card(r, attributes[n].from) * attributes[n].value;
  return -1;
}

static int known(const struct runtime *r, hipDeviceAttribute_t id)
{
  double value = hip_attribute(r, id);
  return value < INT_MAX ? (int)value : INT_MAX;
}

static hipError_t device_attribute(struct runtime *r, int *value,
                                   hipDeviceAttribute_t id, int device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!value)
    return hipErrorInvalidValue;
  if (hip_attribute(r, id) < 0)
    return hip_fail(r, hipErrorInvalidValue,
                    "hipDeviceGetAttribute: attribute %d is not known", id);
  *value = known(r, id);
  return hipSuccess;
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t id,
                                 int device)
{
  CALL(device_attribute(r, value, id, device));
}

/* --- properties: the struct of ROCm 5 -------------------------------------- */

hipError_t hip_properties(struct runtime *r, hip5_properties *p, int device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!p)
    return hipErrorInvalidValue;
  memset(p, 0, sizeof *p);
  write_name(r, p->name, sizeof p->name);
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s:sramecc+:xnack-",
           r->isa->name);
  p->totalGlobalMem = r->board->memory;
  p->sharedMemPerBlock = p->maxSharedMemoryPerMultiProcessor =
      (size_t)r->card.lds;
  p->textureAlignment = p->texturePitchAlignment = 256;
  p->arch = (hipDeviceArch_t){
      .hasGlobalInt32Atomics = 1, .hasGlobalFloatAtomicExch = 1,
      .hasSharedInt32Atomics = 1, .hasSharedFloatAtomicExch = 1,
      .hasFloatAtomicAdd = 1, .hasGlobalInt64Atomics = 1,
      .hasSharedInt64Atomics = 1, .hasDoubles = 1, .hasWarpVote = 1,
      .hasWarpBallot = 1, .hasWarpShuffle = 1, .hasThreadFenceSystem = 1,
      .has3dGrid = 1};
  p->totalConstMem = p->memPitch = INT_MAX;
  for (int axis = 0; axis < 3; axis++) {
    p->maxThreadsDim[axis] = THREADS;
    p->maxGridSize[axis] = INT_MAX;
  }
  const struct {
    int *field;
    hipDeviceAttribute_t id;
  } fields[] = {
      {&p->regsPerBlock, hipDeviceAttributeMaxRegistersPerBlock},
      {&p->warpSize, hipDeviceAttributeWarpSize},
      {&p->maxThreadsPerBlock, hipDeviceAttributeMaxThreadsPerBlock},
      {&p->clockRate, hipDeviceAttributeClockRate},
      {&p->memoryClockRate, hipDeviceAttributeMemoryClockRate},
      {&p->memoryBusWidth, hipDeviceAttributeMemoryBusWidth},
      {&p->major, hipDeviceAttributeComputeCapabilityMajor},
      {&p->minor, hipDeviceAttributeComputeCapabilityMinor},
      {&p->multiProcessorCount, hipDeviceAttributeMultiprocessorCount},
      {&p->l2CacheSize, hipDeviceAttributeL2CacheSize},
      {&p->maxThreadsPerMultiProcessor,
       hipDeviceAttributeMaxThreadsPerMultiProcessor},
      {&p->clockInstructionRate, hipDeviceAttributeClockInstructionRate},
      {&p->concurrentKernels, hipDeviceAttributeConcurrentKernels},
      {&p->canMapHostMemory, hipDeviceAttributeCanMapHostMemory},
      {&p->gcnArch, hipDeviceAttributeGcnArch},
      {&p->asicRevision, hipDeviceAttributeAsicRevision},
      {&p->managedMemory, hipDeviceAttributeManagedMemory},
      {&p->ECCEnabled, hipDeviceAttributeEccEnabled},
  };
  for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
    *fields[n].field = known(r, fields[n].id);
  return hipSuccess;
}

hipError_t properties_of_5(hip5_properties *p, int device)
    NAMED(hipGetDeviceProperties);
hipError_t properties_of_5(hip5_properties *p, int device)
{
  CALL(hip_properties(r, p, device));
}

/* --- which device --------------------------------------------------------- */

static hipError_t set(int *out, int value)
{
  if (!out)
    return hipErrorInvalidValue;
  *out = value;
  return hipSuccess;
}

hipError_t hipInit(unsigned int flags)
{
  CALL(flags ? hipErrorInvalidValue : hipSuccess);
}

/* The newest of the program's major version whose functions are here. */
static int version_of(int major)
{
  return major == 5 ? VERSION : major == 6 ? VERSION_6 : VERSION_7;
}

hipError_t hipRuntimeGetVersion(int *version)
{
  CALL(set(version, version_of(hip_major(r))));
}

hipError_t hipDriverGetVersion(int *version)
{
  CALL(set(version, version_of(hip_major(r))));
}

hipError_t hipGetDeviceCount(int *count)
{
  CALL(set(count, 1));
}

hipError_t hipSetDevice(int device)
{
  CALL(device ? hipErrorInvalidDevice : hipSuccess);
}

hipError_t hipGetDevice(int *device)
{
  CALL(set(device, 0));
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal)
{
  CALL(ordinal ? hipErrorInvalidDevice : set(device, 0));
}

static hipError_t device_name(struct runtime *r, char *name, int room,
                              hipDevice_t device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!name || room <= 0)
    return hipErrorInvalidValue;
  write_name(r, name, (size_t)room);
  return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int room, hipDevice_t device)
{
  CALL(device_name(r, name, room, device));
}

static hipError_t capability(const struct runtime *r, int *major,
                             int *minor)
{
  *major = known(r, hipDeviceAttributeComputeCapabilityMajor);
  *minor = known(r, hipDeviceAttributeComputeCapabilityMinor);
  return hipSuccess;
}

hipError_t hipDeviceComputeCapability(int *major, int *minor,
                                      hipDevice_t device)
{
  CALL(device                           ? hipErrorInvalidDevice
       : !major || !minor ? hipErrorInvalidValue
                          : capability(r, major, minor));
}

static hipError_t total(struct runtime *r, size_t *bytes, hipDevice_t device)
{
  if (device)
    return hipErrorInvalidDevice;
  if (!bytes)
    return hipErrorInvalidValue;
  *bytes = r->board->memory;
  return hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
  CALL(total(r, bytes, device));
}

hipError_t hipDeviceSynchronize(void)
{
  CALL_UNLESS(hip_capture_bars_device(r), hip_wait(r));
}
