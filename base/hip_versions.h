/* hip_versions.h - HIP's header, of any version from ROCm 5.2 on.
 *
 * What ROCm 6 took away or renamed has one name here for all. A function whose
 * type is not the same in all headers, or that some lack, is defined under a
 * name of ours, with the real one for the linker:
 *
 *     hipError_t copy_to_device(hipDeviceptr_t to, ...) NAMED(hipMemcpyHtoD);
 */
// SPDX-License-Identifier: MIT
#ifndef base_hip_versions_h
#define base_hip_versions_h

#include <hip/hip_runtime_api.h>
#include <hip/hip_version.h>

#define NAMED(name) __asm__(#name) __attribute__((visibility("default")))

#if HIP_VERSION_MAJOR < 6
#define POINTER_TYPE memoryType /* of hipPointerAttribute_t */
typedef hipDeviceProp_t hip5_properties;
#else
#include <hip/hip_deprecated.h>
#define POINTER_TYPE type
typedef hipDeviceProp_tR0000 hip5_properties;
/* The number is kept free, and answered by libhipsim whoever asks. */
#define hipDeviceAttributeGcnArch ((hipDeviceAttribute_t)10003)
#endif

#endif
