/* hip.h - the one device boundary: HIP, through tables of function pointers.
 *
 * Nothing here links a GPU library. hip_open() and rtc_open() dlopen one, in
 * a worker process only; the coordinator never calls them. Function types are
 * those of the real HIP headers. Structs whose layout changed between ROCm 5
 * and 6 (hipDeviceProp_t) are not used.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_hip_h
#define tuner_hip_h

#include <hip/hiprtc.h>

#include <limits.h>

#include "base/err.h"
#include "base/hip_versions.h"
#include "base/rocm.h"
#include "runtimes/cuda/hipcuda.h"
#include "runtimes/sim/hipsim.h"

/* The runtime calls that we use: X(name). */
#define HIP_CALLS(X) \
  X(hipInit) \
  X(hipRuntimeGetVersion) \
  X(hipGetDeviceCount) \
  X(hipSetDevice) \
  X(hipDeviceGet) \
  X(hipDeviceGetName) \
  X(hipDeviceGetAttribute) \
  X(hipDeviceTotalMem) \
  X(hipDeviceGetPCIBusId) \
  X(hipDeviceSynchronize) \
  X(hipGetErrorString) \
  X(hipMalloc) \
  X(hipFree) \
  X(hipMemcpy) \
  X(hipMemset) \
  X(hipModuleLoadData) \
  X(hipModuleUnload) \
  X(hipModuleGetFunction) \
  X(hipModuleLaunchKernel) \
  X(hipFuncGetAttribute) \
  X(hipEventCreate) \
  X(hipEventDestroy) \
  X(hipEventRecord) \
  X(hipEventQuery) \
  X(hipEventSynchronize) \
  X(hipEventElapsedTime)

/* What only the simulated device has: NULL pointers elsewhere. */
#define HIPSIM_CALLS(X) \
  X(hipsimSetMode) \
  X(hipsimArch) \
  X(hipsimDevice) \
  X(hipsimReport) \
  X(hipsimInspect) \
  X(hipsimArgument) \
  X(hipsimInstruction) \
  X(hipsimSetTrace) \
  X(hipsimEvent) \
  X(hipsimVersion) \
  X(hipsimError)

/* And what only libhipcuda has, as runtime and as compiler. */
#define HIPCUDA_CALLS(X) X(hipcudaRuntime)
#define HIPCUDA_RTC_CALLS(X) X(hipcudaCompiler) X(hipcudaTargets)

struct hip {
  void *library;
#define X(name) __typeof__(&name) name;
  HIP_CALLS(X)
  HIPSIM_CALLS(X)
  HIPCUDA_CALLS(X)
#undef X
};

#define RTC_CALLS(X) \
  X(hiprtcVersion) \
  X(hiprtcCreateProgram) \
  X(hiprtcDestroyProgram) \
  X(hiprtcCompileProgram) \
  X(hiprtcGetProgramLogSize) \
  X(hiprtcGetProgramLog) \
  X(hiprtcGetCodeSize) \
  X(hiprtcGetCode) \
  X(hiprtcGetErrorString)

struct rtc {
  void *library;
#define X(name) __typeof__(&name) name;
  RTC_CALLS(X)
  HIPCUDA_RTC_CALLS(X)
#undef X
};

/* The path of a library of ours, which lies beside the program, or where
 * `cmake --install` puts it; the environment variable (may be NULL) comes
 * first. */
void hip_beside(const char *variable, const char *name, char out[PATH_MAX]);

/* path: a library, or NULL for the first that loads of hip_paths()
 * or rtc_paths(). */
int hip_open(struct hip *h, const char *path, struct err *e);
int rtc_open(struct rtc *r, const char *path, struct err *e);

/* "5.2.21153": HIP packs its version as major * 10^7 + minor * 10^5 + patch. A
 * modelled time depends on the model, so that its version belongs to it. */
void hip_version(const struct hip *h, char *out, size_t room);

/* The file of an open library, by a function that it has. */
void hip_file(void *library, const char *function, char out[PATH_MAX]);

/* The places of every version of ROCm. */
void hip_paths(struct rocm_paths *out);
void rtc_paths(struct rocm_paths *out);

#endif
