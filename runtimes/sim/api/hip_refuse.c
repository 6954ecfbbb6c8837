/* hip_refuse.c - what a card has and the simulated device has not.
 *
 * Each of these would else be the real library's, which finds no device and
 * says no more than that.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#define TEXTURES(X) \
  X(hipArray3DCreate) X(hipArrayCreate) X(hipArrayDestroy) \
  X(hipBindTexture) X(hipBindTexture2D) X(hipBindTextureToArray) \
  X(hipBindTextureToMipmappedArray) X(hipCreateTextureObject) \
  X(hipDestroyTextureObject) X(hipFreeArray) X(hipFreeMipmappedArray) \
  X(hipGetChannelDesc) X(hipGetMipmappedArrayLevel) \
  X(hipGetTextureAlignmentOffset) X(hipGetTextureObjectResourceDesc) \
  X(hipGetTextureObjectResourceViewDesc) \
  X(hipGetTextureObjectTextureDesc) X(hipGetTextureReference) \
  X(hipMalloc3DArray) X(hipMallocArray) X(hipMallocMipmappedArray) \
  X(hipMemcpy2DFromArray) X(hipMemcpy2DFromArrayAsync) \
  X(hipMemcpy2DFromArray_spt) X(hipMemcpy2DToArray) \
  X(hipMemcpy2DToArrayAsync) X(hipMemcpy2DToArray_spt) X(hipMemcpyAtoH) \
  X(hipMemcpyFromArray) X(hipMemcpyHtoA) X(hipMemcpyToArray) \
  X(hipMipmappedArrayCreate) X(hipMipmappedArrayDestroy) \
  X(hipMipmappedArrayGetLevel) X(hipModuleGetTexRef) \
  X(hipTexObjectCreate) X(hipTexObjectDestroy) \
  X(hipTexObjectGetResourceDesc) X(hipTexObjectGetResourceViewDesc) \
  X(hipTexObjectGetTextureDesc) X(hipTexRefGetAddress) \
  X(hipTexRefGetAddressMode) X(hipTexRefGetFilterMode) \
  X(hipTexRefGetFlags) X(hipTexRefGetFormat) \
  X(hipTexRefGetMaxAnisotropy) X(hipTexRefGetMipmapFilterMode) \
  X(hipTexRefGetMipmapLevelBias) X(hipTexRefGetMipmapLevelClamp) \
  X(hipTexRefSetAddress) X(hipTexRefSetAddress2D) \
  X(hipTexRefSetAddressMode) X(hipTexRefSetArray) \
  X(hipTexRefSetBorderColor) X(hipTexRefSetFilterMode) \
  X(hipTexRefSetFlags) X(hipTexRefSetFormat) \
  X(hipTexRefSetMaxAnisotropy) X(hipTexRefSetMipmapFilterMode) \
  X(hipTexRefSetMipmapLevelBias) X(hipTexRefSetMipmapLevelClamp) \
  X(hipTexRefSetMipmappedArray) X(hipUnbindTexture) \
  X(_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc) \
  X(_Z23hipDestroySurfaceObjectP13__hip_surface)

#define GRIDS(X) \
  X(hipLaunchCooperativeKernel) X(hipLaunchCooperativeKernelMultiDevice) \
  X(hipLaunchCooperativeKernel_spt) \
  X(hipExtLaunchMultiKernelMultiDevice)

#define PROCESSES(X) \
  X(hipIpcCloseMemHandle) X(hipIpcGetEventHandle) X(hipIpcGetMemHandle) \
  X(hipIpcOpenEventHandle) X(hipIpcOpenMemHandle) X(hipImportExternalMemory) \
  X(hipImportExternalSemaphore) X(hipExternalMemoryGetMappedBuffer) \
  X(hipDestroyExternalMemory) X(hipDestroyExternalSemaphore) \
  X(hipSignalExternalSemaphoresAsync) X(hipWaitExternalSemaphoresAsync)

#define POOLS(X) \
  X(hipDeviceGetDefaultMemPool) X(hipDeviceGetMemPool) X(hipDeviceSetMemPool) \
  X(hipMallocFromPoolAsync) X(hipMemPoolCreate) X(hipMemPoolDestroy) \
  X(hipMemPoolGetAttribute) X(hipMemPoolSetAttribute) X(hipMemPoolTrimTo) \
  X(hipMemAddressReserve) X(hipMemAddressFree) X(hipMemCreate) X(hipMemMap) \
  X(hipMemUnmap) X(hipMemRelease) X(hipMemSetAccess) \
  X(hipMemGetAllocationGranularity) X(hipMemPoolExportPointer) \
  X(hipMemPoolExportToShareableHandle) X(hipMemPoolGetAccess) \
  X(hipMemPoolImportFromShareableHandle) X(hipMemPoolImportPointer) \
  X(hipMemPoolSetAccess) X(hipMemExportToShareableHandle) X(hipMemGetAccess) \
  X(hipMemGetAllocationPropertiesFromHandle) \
  X(hipMemImportFromShareableHandle) X(hipMemMapArrayAsync) \
  X(hipMemRetainAllocationHandle)

#define GRAPHICS(X) \
  X(hipGLGetDevices) X(hipGraphicsGLRegisterBuffer) \
  X(hipGraphicsGLRegisterImage) X(hipGraphicsMapResources) \
  X(hipGraphicsResourceGetMappedPointer) X(hipGraphicsUnmapResources) \
  X(hipGraphicsUnregisterResource) X(hipGraphicsSubResourceGetMappedArray)

/* Whatever a function takes, it returns an hipError_t: its C name here says
 * no more than that. */
#define REFUSE(name, what) \
  __attribute__((visibility("default"))) hipError_t refuse_##name(void) \
      __asm__(#name); \
  hipError_t refuse_##name(void) \
  { \
    CALL(hip_fail(r, hipErrorNotSupported, \
                  #name ": the simulated device has no " what)); \
  }

#define X(name) REFUSE(name, "textures, surfaces and arrays")
TEXTURES(X)
#undef X
#define X(name) REFUSE(name, "barrier of a whole grid")
GRIDS(X)
#undef X
#define X(name) REFUSE(name, "memory shared with other processes")
PROCESSES(X)
#undef X
#define X(name) REFUSE(name, "memory pools or mappings of a program's own")
POOLS(X)
#undef X
#define X(name) REFUSE(name, "graphics")
GRAPHICS(X)
#undef X
