/* hip_versioned.c - functions whose struct ROCm 6 changed.
 *
 * Its headers turn hipGetDeviceProperties and hipChooseDevice into the names
 * below. Fields are known here by where they stand: by C's rules for x86-64,
 * from the order of hipDeviceProp_tR0600 in ROCm 6's hip/hip_runtime_api.h.
 * What no line names is 0.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/api/hip.h"

enum {BYTES = 1472};
enum { NAME = 0, UUID = 256, BLOCK = 324, GRID = 336, GCN_NAME = 1160,
       ARCH = 1428 };

static const struct {
  uint16_t at, bytes;
  hipDeviceAttribute_t id;
} fields[] = {
    {288, 8, hipDeviceAttributeTotalGlobalMem},
    {296, 8, hipDeviceAttributeMaxSharedMemoryPerBlock},
    {304, 4, hipDeviceAttributeMaxRegistersPerBlock},
    {308, 4, hipDeviceAttributeWarpSize},
    {312, 8, hipDeviceAttributeMaxPitch},
    {320, 4, hipDeviceAttributeMaxThreadsPerBlock},
    {348, 4, hipDeviceAttributeClockRate},
    {352, 8, hipDeviceAttributeTotalConstantMemory},
    {360, 4, hipDeviceAttributeComputeCapabilityMajor},
    {364, 4, hipDeviceAttributeComputeCapabilityMinor},
    {368, 8, hipDeviceAttributeTextureAlignment},
    {376, 8, hipDeviceAttributeTexturePitchAlignment},
    {388, 4, hipDeviceAttributeMultiprocessorCount},
    {400, 4, hipDeviceAttributeCanMapHostMemory},
    {576, 4, hipDeviceAttributeConcurrentKernels},
    {580, 4, hipDeviceAttributeEccEnabled},
    {604, 4, hipDeviceAttributeUnifiedAddressing},
    {608, 4, hipDeviceAttributeMemoryClockRate},
    {612, 4, hipDeviceAttributeMemoryBusWidth},
    {616, 4, hipDeviceAttributeL2CacheSize},
    {624, 4, hipDeviceAttributeMaxThreadsPerMultiProcessor},
    {628, 4, hipDeviceAttributeStreamPrioritiesSupported},
    {632, 4, hipDeviceAttributeGlobalL1CacheSupported},
    {636, 4, hipDeviceAttributeLocalL1CacheSupported},
    {640, 8, hipDeviceAttributeSharedMemPerMultiprocessor},
    {648, 4, hipDeviceAttributeMaxRegistersPerMultiprocessor},
    {652, 4, hipDeviceAttributeManagedMemory},
    {668, 4, hipDeviceAttributeSingleToDoublePrecisionPerfRatio},
    {684, 4, hipDeviceAttributeCanUseHostPointerForRegisteredMem},
    {696, 8, hipDeviceAttributeSharedMemPerBlockOptin},
    {712, 4, hipDeviceAttributeMaxBlocksPerMultiProcessor},
    {728, 4, hipDeviceAttributeCanMapHostMemory}, /* hipHostRegister does */
    {1416, 8, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor},
    {1424, 4, hipDeviceAttributeClockInstructionRate},
    {1468, 4, hipDeviceAttributeAsicRevision},
};

static hipError_t properties(struct runtime *r, uint8_t *to, int device)
{
  hip5_properties p;
  hipError_t result =
      to ? hip_properties(r, &p, device) : hipErrorInvalidValue;
  if (result)
    return result;
  memset(to, 0, BYTES);
  for (size_t n = 0; n < sizeof fields / sizeof *fields; n++) {
    uint64_t value = (uint64_t)hip_attribute(r, fields[n].id);
    memcpy(to + fields[n].at, &value, fields[n].bytes); /* little-endian */
  }
  memcpy(to + NAME, p.name, sizeof p.name);
  memcpy(to + UUID, HIP_UUID, sizeof(hipUUID));
  memcpy(to + BLOCK, p.maxThreadsDim, sizeof p.maxThreadsDim);
  memcpy(to + GRID, p.maxGridSize, sizeof p.maxGridSize);
  memcpy(to + GCN_NAME, p.gcnArchName, sizeof p.gcnArchName);
  memcpy(to + ARCH, &p.arch, sizeof p.arch);
  return hipSuccess;
}

hipError_t properties_of_6(void *out, int device)
    NAMED(hipGetDevicePropertiesR0600);
hipError_t properties_of_6(void *out, int device)
{
  CALL(properties(r, out, device));
}

/* One device is all there is to choose, whatever the wish. */
hipError_t choose_of_6(int *device, const void *wish)
    NAMED(hipChooseDeviceR0600);
hipError_t choose_of_6(int *device, const void *wish)
{
  return hip_choose_device(device, wish);
}

/* What HIP 6 calls those of 5. */
hipError_t properties_of_5_in_6(hip5_properties *out, int device)
    NAMED(hipGetDevicePropertiesR0000);
hipError_t properties_of_5_in_6(hip5_properties *out, int device)
{
  CALL(hip_properties(r, out, device));
}

hipError_t choose_of_5_in_6(int *device, const void *wish)
    NAMED(hipChooseDeviceR0000);
hipError_t choose_of_5_in_6(int *device, const void *wish)
{
  return hip_choose_device(device, wish);
}
