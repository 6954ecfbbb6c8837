/* hip_versioned.c - what a program built with ROCm 6's headers calls. */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include "base/hip_versions.h"

/* The order of hipDeviceProp_tR0600 in ROCm 6's hip/hip_runtime_api.h; fields
 * of which the simulated device has nothing to say are runs. */
struct properties {
  char name[256];
  hipUUID uuid;
  char luid[8];
  unsigned luid_mask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled;
  int integrated, canMapHostMemory, computeMode;
  int textures_and_surfaces[40];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID;
  int tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate;
  int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard;
  int multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, arrays_pools_and_rdma[12];
  int reserved[63 + 32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  hipDeviceArch_t arch;
  unsigned *hdp[2];
  int unmatched[4], isLargeBar, asicRevision;
};

/* As other programs measured them with AMD's compiler on ROCm 6.4 and 7.2. */
_Static_assert(sizeof(struct properties) == 1472, "size");
_Static_assert(offsetof(struct properties, totalGlobalMem) == 288, "order");
_Static_assert(offsetof(struct properties, maxGridSize) == 336, "order");
_Static_assert(offsetof(struct properties, multiProcessorCount) == 388,
               "order");
_Static_assert(offsetof(struct properties, gcnArchName) == 1160, "order");

static struct {
  hipError_t (*get)(struct properties *, int);
  hipError_t (*choose)(int *, const struct properties *);
  hipError_t (*get_old)(hip5_properties *p, int device);
  __typeof__(&hipDeviceGetAttribute) attribute;
  __typeof__(&hipDeviceGetUuid) uuid;
} h;

static int setup(void **state)
{
  const struct { const char *name; void *at; } functions[] = {
      {"hipGetDevicePropertiesR0600", &h.get},
      {"hipChooseDeviceR0600", &h.choose},
      {"hipGetDeviceProperties", &h.get_old},
      {"hipDeviceGetAttribute", &h.attribute},
      {"hipDeviceGetUuid", &h.uuid},
  };
  void *library = dlopen(BUILD_DIR "/libhipsim.so", RTLD_NOW | RTLD_LOCAL);
  (void)state;
  for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
    void *f = library ? dlsym(library, functions[n].name) : NULL;
    if (!f) {
      fprintf(stderr, "%s\n", dlerror());
      return -1;
    }
    memcpy(functions[n].at, &f, sizeof f);
  }
  return 0;
}

/* What both structs have has the same value. */
static void test_as_before(void **state)
{
  struct properties p;
  hip5_properties old;
  (void)state;
  memset(&p, 0xff, sizeof p);
  assert_int_equal(h.get(&p, 0), hipSuccess);
  assert_int_equal(h.get_old(&old, 0), hipSuccess);
  assert_string_equal(p.name, old.name);
  assert_string_equal(p.gcnArchName, old.gcnArchName);
  assert_memory_equal(&p.arch, &old.arch, sizeof p.arch);
  assert_memory_equal(p.maxThreadsDim, old.maxThreadsDim,
                      sizeof p.maxThreadsDim);
  assert_memory_equal(p.maxGridSize, old.maxGridSize, sizeof p.maxGridSize);
#define SAME(field) assert_int_equal(p.field, old.field)
  SAME(totalGlobalMem); SAME(sharedMemPerBlock); SAME(regsPerBlock);
  SAME(warpSize); SAME(memPitch); SAME(maxThreadsPerBlock); SAME(clockRate);
  SAME(totalConstMem); SAME(major); SAME(minor); SAME(textureAlignment);
  SAME(texturePitchAlignment); SAME(multiProcessorCount);
  SAME(kernelExecTimeoutEnabled); SAME(integrated); SAME(canMapHostMemory);
  SAME(computeMode); SAME(concurrentKernels); SAME(ECCEnabled);
  SAME(pciBusID); SAME(pciDeviceID); SAME(pciDomainID); SAME(tccDriver);
  SAME(memoryClockRate); SAME(memoryBusWidth); SAME(l2CacheSize);
  SAME(maxThreadsPerMultiProcessor); SAME(managedMemory);
  SAME(isMultiGpuBoard); SAME(pageableMemoryAccess);
  SAME(concurrentManagedAccess); SAME(cooperativeLaunch);
  SAME(cooperativeMultiDeviceLaunch);
  SAME(pageableMemoryAccessUsesHostPageTables);
  SAME(directManagedMemAccessFromHost);
  SAME(maxSharedMemoryPerMultiProcessor); SAME(clockInstructionRate);
  SAME(isLargeBar); SAME(asicRevision);
#undef SAME
  assert_int_equal(p.totalGlobalMem, (size_t)16 << 30);
  assert_int_equal(p.multiProcessorCount, 60);
}

/* Fields that are new in ROCm 6 have the attribute's value. */
static void test_new(void **state)
{
  struct properties p;
  hipUUID uuid;
  int value;
  (void)state;
  assert_int_equal(h.get(&p, 0), hipSuccess);
  assert_int_equal(h.uuid(&uuid, 0), hipSuccess);
  assert_memory_equal(&p.uuid, &uuid, sizeof uuid);
  const struct { hipDeviceAttribute_t id; long long value; } fields[] = {
      {hipDeviceAttributeDeviceOverlap, p.deviceOverlap},
      {hipDeviceAttributeAsyncEngineCount, p.asyncEngineCount},
      {hipDeviceAttributeUnifiedAddressing, p.unifiedAddressing},
      {hipDeviceAttributeStreamPrioritiesSupported,
       p.streamPrioritiesSupported},
      {hipDeviceAttributeGlobalL1CacheSupported, p.globalL1CacheSupported},
      {hipDeviceAttributeLocalL1CacheSupported, p.localL1CacheSupported},
      {hipDeviceAttributeSharedMemPerMultiprocessor,
       (long long)p.sharedMemPerMultiprocessor},
      {hipDeviceAttributeMaxRegistersPerMultiprocessor,
       p.regsPerMultiprocessor},
      {hipDeviceAttributeSingleToDoublePrecisionPerfRatio,
       p.singleToDoublePrecisionPerfRatio},
      {hipDeviceAttributeComputePreemptionSupported,
       p.computePreemptionSupported},
      {hipDeviceAttributeCanUseHostPointerForRegisteredMem,
       p.canUseHostPointerForRegisteredMem},
      {hipDeviceAttributeSharedMemPerBlockOptin,
       (long long)p.sharedMemPerBlockOptin},
      {hipDeviceAttributeMaxBlocksPerMultiProcessor,
       p.maxBlocksPerMultiProcessor},
      {hipDeviceAttributeReservedSharedMemPerBlock,
       (long long)p.reservedSharedMemPerBlock},
  };
  for (size_t n = 0; n < sizeof fields / sizeof *fields; n++) {
    assert_int_equal(h.attribute(&value, fields[n].id, 0), hipSuccess);
    assert_int_equal(fields[n].value, value);
  }
  assert_int_equal(p.hostRegisterSupported, 1); /* hipHostRegister works */
}

static void test_errors(void **state)
{
  char bytes[sizeof(struct properties) + 8];
  struct properties p = {0};
  int device = -1;
  (void)state;
  memset(bytes, 0x5a, sizeof bytes);
  assert_int_equal(h.get((struct properties *)(void *)bytes, 0), hipSuccess);
  for (size_t n = sizeof p; n < sizeof bytes; n++)
    assert_int_equal(bytes[n], 0x5a);
  assert_int_equal(h.get(&p, 1), hipErrorInvalidDevice);
  assert_int_equal(h.get(NULL, 0), hipErrorInvalidValue);
  assert_int_equal(h.choose(&device, &p), hipSuccess);
  assert_int_equal(device, 0);
  assert_int_equal(h.choose(&device, NULL), hipErrorInvalidValue);
  assert_int_equal(h.choose(NULL, &p), hipErrorInvalidValue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_as_before),
      cmocka_unit_test(test_new),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
