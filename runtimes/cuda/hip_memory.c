/* hip_memory.c - memory of the device. */
// SPDX-License-Identifier: MIT
#include "runtimes/cuda/hip.h"

#include <stdint.h>
#include <string.h>

static CUdeviceptr at(const void *pointer)
{
  return (CUdeviceptr)(uintptr_t)pointer;
}

EXPORT hipError_t hipMalloc(void **out, size_t bytes)
{
  CUdeviceptr p = 0;
  CUresult why;
  const struct driver *d = hip_enter(&why);
  *out = NULL;
  if (!bytes) /* which HIP allows and CUDA refuses */
    return hip_result(d ? CU_SUCCESS : why);
  if (d && (why = d->cuMemAlloc_v2(&p, bytes)) == CU_SUCCESS)
    *out = (void *)(uintptr_t)p;
  return hip_result(why);
}

EXPORT hipError_t hipFree(void *p)
{
  if (!p)
    return hipSuccess;
  CALL(cuMemFree_v2(at(p)));
}

EXPORT hipError_t hipMemset(void *to, int value, size_t bytes)
{
  CALL(cuMemsetD8_v2(at(to), (unsigned char)value, bytes));
}

EXPORT hipError_t hipMemcpy(void *to, const void *from, size_t bytes,
                            hipMemcpyKind kind)
{
  switch (kind) {
  case hipMemcpyHostToDevice:
    CALL(cuMemcpyHtoD_v2(at(to), from, bytes));
  case hipMemcpyDeviceToHost:
    CALL(cuMemcpyDtoH_v2(to, at(from), bytes));
  case hipMemcpyDeviceToDevice:
    CALL(cuMemcpyDtoD_v2(at(to), at(from), bytes));
  case hipMemcpyHostToHost:
    memmove(to, from, bytes);
    return hipSuccess;
  default:
    return hip_result(CU_INVALID_VALUE);
  }
}
