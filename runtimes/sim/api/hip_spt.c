/* hip_spt.c - what calls become with -fgpu-default-stream=per-thread. Work is
 * done in the order of the calls, so all default streams are the same.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#include <hip/amd_detail/amd_hip_runtime_pt_api.h>

hipError_t hipMemcpy_spt(void *to, const void *from, size_t n,
                         hipMemcpyKind kind)
{
  return hipMemcpy(to, from, n, kind);
}

hipError_t hipMemcpyAsync_spt(void *to, const void *from, size_t n,
                              hipMemcpyKind kind, hipStream_t stream)
{
  return hipMemcpyAsync(to, from, n, kind, stream);
}

hipError_t hipMemcpyToSymbol_spt(const void *shadow, const void *from,
                                 size_t n, size_t offset, hipMemcpyKind kind)
{
  return hipMemcpyToSymbol(shadow, from, n, offset, kind);
}

hipError_t hipMemcpyFromSymbol_spt(void *to, const void *shadow, size_t n,
                                   size_t offset, hipMemcpyKind kind)
{
  return hipMemcpyFromSymbol(to, shadow, n, offset, kind);
}

hipError_t hipMemcpy2D_spt(void *to, size_t to_pitch, const void *from,
                           size_t from_pitch, size_t width, size_t height,
                           hipMemcpyKind kind)
{
  return hipMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

hipError_t hipMemcpy3D_spt(const struct hipMemcpy3DParms *p)
{
  return hipMemcpy3D(p);
}

hipError_t hipMemset_spt(void *to, int value, size_t n)
{
  return hipMemset(to, value, n);
}

hipError_t hipMemset2D_spt(void *to, size_t pitch, int value, size_t width,
                           size_t height)
{
  return hipMemset2D(to, pitch, value, width, height);
}

hipError_t hipMemset3D_spt(hipPitchedPtr to, int value, hipExtent extent)
{
  return hipMemset3D(to, value, extent);
}

hipError_t hipStreamQuery_spt(hipStream_t stream)
{
  return hipStreamQuery(stream);
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream)
{
  return hipStreamSynchronize(stream);
}

hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority)
{
  return hipStreamGetPriority(stream, priority);
}

hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags)
{
  return hipStreamGetFlags(stream, flags);
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event,
                                  unsigned int flags)
{
  return hipStreamWaitEvent(stream, event, flags);
}

hipError_t hipLaunchKernel_spt(const void *stub, dim3 grid, dim3 block,
                               void **args, size_t dynamic,
                               hipStream_t stream)
{
  return hipLaunchKernel(stub, grid, block, args, dynamic, stream);
}
