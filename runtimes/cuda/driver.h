/* driver.h - the entry points of CUDA's driver and of NVRTC that we use.
 *
 * Declared here, so that building needs no CUDA. Names with _v2 are those of
 * the libraries: CUDA's headers hide them behind macros. Numbers are part of
 * the ABI and the same in CUDA 12 and 13.
 */
// SPDX-License-Identifier: MIT
#ifndef cuda_driver_h
#define cuda_driver_h

#include <stddef.h>

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;

/* X(name, parameters...); all return a CUresult. */
#define DRIVER_CALLS(X) \
  X(cuInit, unsigned flags) \
  X(cuDriverGetVersion, int *version) \
  X(cuGetErrorString, CUresult code, const char **text) \
  X(cuDeviceGetCount, int *count) \
  X(cuDeviceGet, CUdevice *device, int ordinal) \
  X(cuDeviceGetName, char *name, int room, CUdevice device) \
  X(cuDeviceGetAttribute, int *value, int which, CUdevice device) \
  X(cuDeviceTotalMem_v2, size_t *bytes, CUdevice device) \
  X(cuDeviceGetPCIBusId, char *out, int room, CUdevice device) \
  X(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device) \
  X(cuCtxSetCurrent, CUcontext context) \
  X(cuCtxGetCurrent, CUcontext *context) \
  X(cuCtxGetDevice, CUdevice *device) \
  X(cuCtxSynchronize, void) \
  X(cuMemAlloc_v2, CUdeviceptr *at, size_t bytes) \
  X(cuMemFree_v2, CUdeviceptr at) \
  X(cuMemcpyHtoD_v2, CUdeviceptr to, const void *from, size_t bytes) \
  X(cuMemcpyDtoH_v2, void *to, CUdeviceptr from, size_t bytes) \
  X(cuMemcpyDtoD_v2, CUdeviceptr to, CUdeviceptr from, size_t bytes) \
  X(cuMemsetD8_v2, CUdeviceptr to, unsigned char value, size_t bytes) \
  X(cuModuleLoadData, CUmodule *module, const void *image) \
  X(cuModuleUnload, CUmodule module) \
  X(cuModuleGetFunction, CUfunction *f, CUmodule module, const char *name) \
  X(cuFuncGetAttribute, int *value, int which, CUfunction f) \
  X(cuFuncSetAttribute, CUfunction f, int which, int value) \
  X(cuLaunchKernel, CUfunction f, unsigned grid_x, unsigned grid_y, \
    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, \
    unsigned shared, CUstream stream, void **args, void **extra) \
  X(cuEventCreate, CUevent *event, unsigned flags) \
  X(cuEventDestroy_v2, CUevent event) \
  X(cuEventRecord, CUevent event, CUstream stream) \
  X(cuEventQuery, CUevent event) \
  X(cuEventSynchronize, CUevent event) \
  X(cuEventElapsedTime, float *ms, CUevent from, CUevent to)

/* Results that are told apart. */
enum {
  CU_SUCCESS = 0,
  CU_INVALID_VALUE = 1,
  CU_SHARED_OBJECT_INIT_FAILED = 303,
  CU_HARDWARE_STACK_ERROR = 714,
  CU_ILLEGAL_INSTRUCTION = 715,
  CU_MISALIGNED_ADDRESS = 716,
  CU_INVALID_ADDRESS_SPACE = 717,
  CU_INVALID_PC = 718,
  CU_UNSUPPORTED_PTX_VERSION = 222,
};

/* Attributes of devices and functions that we use ourselves. */
enum {
  CU_MAX_THREADS_PER_BLOCK = 1,
  CU_SHARED_PER_BLOCK = 8,
  CU_SHARED_PER_BLOCK_OPTIN = 97,
  CU_FUNC_SHARED_SIZE = 1,
  CU_FUNC_MAX_DYNAMIC_SHARED = 8,
};

typedef struct _nvrtcProgram *nvrtcProgram;

/* Results are those of hiprtc, number by number. */
#define NVRTC_CALLS(X) \
  X(nvrtcVersion, int *major, int *minor) \
  X(nvrtcGetNumSupportedArchs, int *count) \
  X(nvrtcGetSupportedArchs, int *numbers) \
  X(nvrtcCreateProgram, nvrtcProgram *program, const char *text, \
    const char *name, int headers, const char *const *texts, \
    const char *const *names) \
  X(nvrtcDestroyProgram, nvrtcProgram *program) \
  X(nvrtcCompileProgram, nvrtcProgram program, int n, \
    const char *const *options) \
  X(nvrtcGetProgramLogSize, nvrtcProgram program, size_t *bytes) \
  X(nvrtcGetProgramLog, nvrtcProgram program, char *log) \
  X(nvrtcGetCUBINSize, nvrtcProgram program, size_t *bytes) \
  X(nvrtcGetCUBIN, nvrtcProgram program, char *code)

struct driver {
#define X(name, ...) CUresult (*name)(__VA_ARGS__);
  DRIVER_CALLS(X)
#undef X
};

struct nvrtc {
#define X(name, ...) int (*name)(__VA_ARGS__);
  NVRTC_CALLS(X)
#undef X
};

/* The library, initialised, or NULL where there is none that works; why
 * (may be NULL) gets the driver's reason. Loaded once a process. */
const struct driver *driver_open(CUresult *why);
/* path gets the file's name, valid as long as the process; may be NULL. */
const struct nvrtc *nvrtc_open(const char **path);

#endif
