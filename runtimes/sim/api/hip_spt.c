/* hip_spt.c - what calls become with -fgpu-default-stream=per-thread. Work is
 * done in the order of the calls, so that the default streams of all threads
 * are the same but for captures.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#include <hip/amd_detail/amd_hip_runtime_pt_api.h>

/* The default stream is the thread's own, which can be captured. */
static hipStream_t own(hipStream_t stream)
{
  return stream ? stream : hipStreamPerThread;
}

hipError_t hipMemcpy_spt(void *to, const void *from, size_t n,
                         hipMemcpyKind kind)
{
  return hipMemcpy(to, from, n, kind);
}

hipError_t hipMemcpyAsync_spt(void *to, const void *from, size_t n,
                              hipMemcpyKind kind, hipStream_t stream)
{
  return hipMemcpyAsync(to, from, n, kind, own(stream));
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
  return hipStreamQuery(own(stream));
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream)
{
  return hipStreamSynchronize(own(stream));
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
  return hipStreamWaitEvent(own(stream), event, flags);
}

hipError_t hipLaunchKernel_spt(const void *stub, dim3 grid, dim3 block,
                               void **args, size_t dynamic,
                               hipStream_t stream)
{
  return hipLaunchKernel(stub, grid, block, args, dynamic, own(stream));
}

/* --- of HIP 5.3, which older headers do not declare ----------------------- */

#define PUBLIC(prototype) \
  __attribute__((visibility("default"))) prototype; \
  prototype

PUBLIC(hipError_t hipEventRecord_spt(hipEvent_t e, hipStream_t stream))
{
  return hipEventRecord(e, own(stream));
}

PUBLIC(hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t f,
                                        void *user))
{
  return hipLaunchHostFunc(own(stream), f, user);
}

PUBLIC(hipError_t hipStreamAddCallback_spt(hipStream_t stream,
                                           hipStreamCallback_t f, void *user,
                                           unsigned int flags))
{
  return hipStreamAddCallback(own(stream), f, user, flags);
}

PUBLIC(hipError_t hipGraphLaunch_spt(hipGraphExec_t e, hipStream_t stream))
{
  return hipGraphLaunch(e, own(stream));
}

PUBLIC(hipError_t hipStreamBeginCapture_spt(hipStream_t stream,
                                            hipStreamCaptureMode mode))
{
  return hipStreamBeginCapture(own(stream), mode);
}

PUBLIC(hipError_t hipStreamEndCapture_spt(hipStream_t stream,
                                          hipGraph_t *out))
{
  return hipStreamEndCapture(own(stream), out);
}

PUBLIC(hipError_t hipStreamIsCapturing_spt(hipStream_t stream,
                                           hipStreamCaptureStatus *out))
{
  return hipStreamIsCapturing(own(stream), out);
}

PUBLIC(hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream,
                                              hipStreamCaptureStatus *status,
                                              unsigned long long *id))
{
  return hipStreamGetCaptureInfo(own(stream), status, id);
}

PUBLIC(hipError_t hipStreamGetCaptureInfo_v2_spt(
    hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
    hipGraph_t *graph, const hipGraphNode_t **last, size_t *nlast))
{
  return hipStreamGetCaptureInfo_v2(own(stream), status, id, graph, last,
                                    nlast);
}

PUBLIC(hipError_t hipMemsetAsync_spt(void *to, int value, size_t n,
                                     hipStream_t stream))
{
  return hipMemsetAsync(to, value, n, own(stream));
}

PUBLIC(hipError_t hipMemset2DAsync_spt(void *to, size_t pitch, int value,
                                       size_t width, size_t height,
                                       hipStream_t stream))
{
  return hipMemset2DAsync(to, pitch, value, width, height, own(stream));
}

PUBLIC(hipError_t hipMemset3DAsync_spt(hipPitchedPtr to, int value,
                                       hipExtent extent, hipStream_t stream))
{
  return hipMemset3DAsync(to, value, extent, own(stream));
}

PUBLIC(hipError_t hipMemcpy2DAsync_spt(void *to, size_t to_pitch,
                                       const void *from, size_t from_pitch,
                                       size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream))
{
  return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind,
                          own(stream));
}

PUBLIC(hipError_t hipMemcpy3DAsync_spt(const struct hipMemcpy3DParms *p,
                                       hipStream_t stream))
{
  return hipMemcpy3DAsync(p, own(stream));
}

PUBLIC(hipError_t hipMemcpyToSymbolAsync_spt(const void *shadow,
                                             const void *from, size_t n,
                                             size_t offset, hipMemcpyKind kind,
                                             hipStream_t stream))
{
  return hipMemcpyToSymbolAsync(shadow, from, n, offset, kind, own(stream));
}

PUBLIC(hipError_t hipMemcpyFromSymbolAsync_spt(void *to, const void *shadow,
                                               size_t n, size_t offset,
                                               hipMemcpyKind kind,
                                               hipStream_t stream))
{
  return hipMemcpyFromSymbolAsync(to, shadow, n, offset, kind, own(stream));
}
