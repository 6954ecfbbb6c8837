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
  X(hipDeviceGetTexture1DLinearMaxWidth) X(hipTexRefGetArray) \
  X(hipTexRefGetBorderColor) X(hipTexRefGetMipMappedArray) \
  X(hipArray3DGetDescriptor) X(hipArrayGetDescriptor) X(hipArrayGetInfo) \
  X(hipMemcpy2DArrayToArray) X(hipMemcpy2DFromArrayAsync_spt) \
  X(hipMemcpy2DToArrayAsync_spt) X(hipMemcpyAtoA) X(hipMemcpyAtoD) \
  X(hipMemcpyAtoHAsync) X(hipMemcpyDtoA) X(hipMemcpyFromArray_spt) \
  X(hipMemcpyHtoAAsync) X(hipCreateSurfaceObject) \
  X(hipDestroySurfaceObject) \
  X(_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc) \
  X(_Z23hipDestroySurfaceObjectP13__hip_surface)

#define GRIDS(X) \
  X(hipLaunchCooperativeKernel) X(hipLaunchCooperativeKernelMultiDevice) \
  X(hipLaunchCooperativeKernel_spt) X(hipModuleLaunchCooperativeKernel) \
  X(hipModuleLaunchCooperativeKernelMultiDevice) \
  X(hipExtLaunchMultiKernelMultiDevice)

#define PROCESSES(X) \
  X(hipIpcCloseMemHandle) X(hipIpcGetEventHandle) X(hipIpcGetMemHandle) \
  X(hipIpcOpenEventHandle) X(hipIpcOpenMemHandle) X(hipImportExternalMemory) \
  X(hipImportExternalSemaphore) X(hipExternalMemoryGetMappedBuffer) \
  X(hipDestroyExternalMemory) X(hipDestroyExternalSemaphore) \
  X(hipSignalExternalSemaphoresAsync) X(hipWaitExternalSemaphoresAsync)

/* What of pools and mappings other processes would see. */
#define MAPPINGS(X) \
  X(hipMemAddressReserve) X(hipMemAddressFree) X(hipMemCreate) X(hipMemMap) \
  X(hipMemUnmap) X(hipMemRelease) X(hipMemSetAccess) \
  X(hipMemGetAllocationGranularity) X(hipMemPoolExportPointer) \
  X(hipMemPoolExportToShareableHandle) \
  X(hipMemPoolImportFromShareableHandle) X(hipMemPoolImportPointer) \
  X(hipMemExportToShareableHandle) X(hipMemGetAccess) \
  X(hipMemGetAllocationPropertiesFromHandle) \
  X(hipMemImportFromShareableHandle) X(hipMemMapArrayAsync) \
  X(hipMemRetainAllocationHandle) X(hipMemGetHandleForAddressRange)

/* Of releases after 5.2. */
#define LATER(X) \
  X(hipGraphAddExternalSemaphoresSignalNode) \
  X(hipGraphAddExternalSemaphoresWaitNode) \
  X(hipGraphExternalSemaphoresSignalNodeSetParams) \
  X(hipGraphExternalSemaphoresSignalNodeGetParams) \
  X(hipGraphExternalSemaphoresWaitNodeSetParams) \
  X(hipGraphExternalSemaphoresWaitNodeGetParams) \
  X(hipGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(hipGraphExecExternalSemaphoresWaitNodeSetParams) \
  X(hipGraphAddMemAllocNode) X(hipGraphMemAllocNodeGetParams) \
  X(hipGraphAddMemFreeNode) X(hipGraphMemFreeNodeGetParams) \
  X(hipGraphAddNode) X(hipGraphNodeSetParams) X(hipGraphExecNodeSetParams) \
  X(hipDrvGraphAddMemcpyNode) X(hipDrvGraphAddMemsetNode) \
  X(hipDrvGraphMemcpyNodeSetParams) X(hipDrvGraphMemcpyNodeGetParams) \
  X(hipDrvGraphExecMemcpyNodeSetParams) \
  X(hipDrvGraphExecMemsetNodeSetParams) X(hipDrvGraphAddMemFreeNode) \
  X(hipGraphAddBatchMemOpNode) X(hipGraphBatchMemOpNodeGetParams) \
  X(hipGraphBatchMemOpNodeSetParams) X(hipGraphExecBatchMemOpNodeSetParams) \
  X(hipStreamBatchMemOp) X(hipGraphDebugDotPrint) X(hipRegisterTracerCallback) \
  X(hipLinkAddData) X(hipLinkAddFile) X(hipLinkComplete) X(hipLinkCreate) \
  X(hipLinkDestroy) X(hipMemcpyBatchAsync) X(hipMemcpy3DBatchAsync) \
  X(hipMemcpy3DPeer) X(hipMemcpy3DPeerAsync) X(hipMemsetD2D8) \
  X(hipMemsetD2D8Async) X(hipMemsetD2D16) X(hipMemsetD2D16Async) \
  X(hipMemsetD2D32) X(hipMemsetD2D32Async) X(hipStreamGetAttribute) \
  X(hipStreamSetAttribute) X(hipStreamCopyAttributes) \
  X(hipMemPrefetchAsync_v2) X(hipMemAdvise_v2) X(hipLibraryLoadData) \
  X(hipLibraryLoadFromFile) X(hipLibraryUnload) X(hipLibraryGetKernel) \
  X(hipLibraryGetKernelCount) X(hipLibraryEnumerateKernels) \
  X(hipKernelGetLibrary) X(hipKernelGetName)

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
#define X(name) REFUSE(name, "mappings of a program's own")
MAPPINGS(X)
#undef X
#define X(name) REFUSE(name, "such call yet")
LATER(X)
#undef X
#define X(name) REFUSE(name, "graphics")
GRAPHICS(X)
#undef X
