/* hipcuda.h - what libhipcuda.so has beyond HIP.
 *
 * libhipcuda.so is a HIP runtime and a hiprtc for NVIDIA hardware: the calls
 * that a program needs to compile kernels, load and launch modules, move
 * memory and time with events, on CUDA's driver (libcuda) and run-time
 * compiler (libnvrtc) of versions 12 and 13. Both are loaded with dlopen by
 * the first call that needs them: a machine with one of the two can use that.
 *
 * HIPCUDA_DRIVER and HIPCUDA_NVRTC name the libraries where they are not
 * found by themselves.
 *
 * The target is named as for NVRTC (--gpu-architecture=sm_90); code is a
 * cubin. Everything runs in the default stream of the current device, which
 * is device 0 until hipSetDevice().
 */
// SPDX-License-Identifier: MIT
#ifndef cuda_hipcuda_h
#define cuda_hipcuda_h

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "cuda-13.0-driver-580.159.04"; what is not known is left out. */
void hipcudaRuntime(char *out, size_t room);

/* "nvrtc-13.0", or "" where there is no NVRTC. */
void hipcudaCompiler(char *out, size_t room);

/* The targets that NVRTC compiles for, "sm_75 sm_80 ..."; "" as above. */
void hipcudaTargets(char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
