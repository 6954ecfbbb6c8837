/* hip.h - the inside of the HIP runtime on CUDA's driver.
 *
 * An API function is
 *
 *   hipError_t hipFoo(...) { CALL(cuFoo(...)) }
 *
 * where CALL finds the driver, makes a device current, and turns the result
 * into HIP's. Handles are the driver's own.
 */
// SPDX-License-Identifier: MIT
#ifndef cuda_hip_h
#define cuda_hip_h

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include "runtimes/cuda/driver.h"
#include "runtimes/cuda/hipcuda.h"

#define EXPORT __attribute__((visibility("default")))

/* The driver with a current context, or NULL and why not. */
const struct driver *hip_enter(CUresult *why);

/* HIP's word for the driver's, which hipGetErrorString() explains for this
 * thread, and hipGetLastError() keeps. */
hipError_t hip_result(CUresult result);

#define CALL(call) \
  do { \
    CUresult why; \
    const struct driver *d = hip_enter(&why); \
    return hip_result(d ? d->call : why); \
  } while (0)

/* The same where no device need be current. */
#define CALL_ANY(call) \
  do { \
    CUresult why; \
    const struct driver *d = driver_open(&why); \
    return hip_result(d ? d->call : why); \
  } while (0)

#endif
