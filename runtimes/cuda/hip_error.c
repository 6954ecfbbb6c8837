/* hip_error.c - results of the driver as HIP's, and what they mean. */
// SPDX-License-Identifier: MIT
#include "runtimes/cuda/hip.h"

/* HIP took CUDA's numbers; these have no name of their own there. */
static const struct {
  CUresult cuda;
  hipError_t hip;
} renamed[] = {
    {CU_UNSUPPORTED_PTX_VERSION, hipErrorNoBinaryForGpu},
    {CU_SHARED_OBJECT_INIT_FAILED, hipErrorNoDevice},
    {CU_HARDWARE_STACK_ERROR, hipErrorLaunchFailure},
    {CU_ILLEGAL_INSTRUCTION, hipErrorLaunchFailure},
    {CU_MISALIGNED_ADDRESS, hipErrorLaunchFailure},
    {CU_INVALID_ADDRESS_SPACE, hipErrorLaunchFailure},
    {CU_INVALID_PC, hipErrorLaunchFailure},
};

static hipError_t rename_result(CUresult result)
{
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    if (renamed[i].cuda == result)
      return renamed[i].hip;
  return (hipError_t)result;
}

/* Of the calling thread, as hipGetLastError() has it. */
static _Thread_local CUresult last;

hipError_t hip_result(CUresult result)
{
  if (result != CU_SUCCESS)
    last = result;
  return rename_result(result);
}

EXPORT hipError_t hipGetLastError(void)
{
  hipError_t error = rename_result(last);
  last = CU_SUCCESS;
  return error;
}

/* The driver's own number says more than the one it was renamed to. */
EXPORT const char *hipGetErrorString(hipError_t error)
{
  const char *text = NULL;
  CUresult code = last && rename_result(last) == error ? last
                                                       : (CUresult)error;
  const struct driver *d = driver_open(NULL);
  if (code == CU_SHARED_OBJECT_INIT_FAILED)
    return "no libcuda.so.1 of CUDA 12 or newer is here";
  if (d && d->cuGetErrorString(code, &text) == CU_SUCCESS && text)
    return text;
  return error == hipErrorNoDevice ? "no NVIDIA device is here"
                                   : "an error without a name";
}
