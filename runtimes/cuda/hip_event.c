/* hip_event.c - the device's stopwatch. */
// SPDX-License-Identifier: MIT
#include "runtimes/cuda/hip.h"

EXPORT hipError_t hipEventCreate(hipEvent_t *event)
{
  CALL(cuEventCreate((CUevent *)event, 0));
}

EXPORT hipError_t hipEventDestroy(hipEvent_t event)
{
  CALL(cuEventDestroy_v2((CUevent)event));
}

EXPORT hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
  CALL(cuEventRecord((CUevent)event, (CUstream)stream));
}

EXPORT hipError_t hipEventQuery(hipEvent_t event)
{
  CALL(cuEventQuery((CUevent)event));
}

EXPORT hipError_t hipEventSynchronize(hipEvent_t event)
{
  CALL(cuEventSynchronize((CUevent)event));
}

EXPORT hipError_t hipEventElapsedTime(float *ms, hipEvent_t from,
                                      hipEvent_t to)
{
  CALL(cuEventElapsedTime(ms, (CUevent)from, (CUevent)to));
}
