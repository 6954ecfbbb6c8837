/* hip_module.c - code objects (cubins), their kernels, launches. */
// SPDX-License-Identifier: MIT
#include "runtimes/cuda/hip.h"

EXPORT hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
  CALL(cuModuleLoadData((CUmodule *)module, image));
}

EXPORT hipError_t hipModuleUnload(hipModule_t module)
{
  CALL(cuModuleUnload((CUmodule)module));
}

EXPORT hipError_t hipModuleGetFunction(hipFunction_t *f, hipModule_t module,
                                       const char *name)
{
  CALL(cuModuleGetFunction((CUfunction *)f, (CUmodule)module, name));
}

/* The numbers of function attributes are CUDA's. */
EXPORT hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute which,
                                      hipFunction_t f)
{
  CALL(cuFuncGetAttribute(value, (int)which, (CUfunction)f));
}

struct shape {
  unsigned grid[3], block[3], lds;
};

static int limit(const struct driver *d, int which)
{
  CUdevice device;
  int value = 0;
  if (d->cuCtxGetDevice(&device) == CU_SUCCESS)
    d->cuDeviceGetAttribute(&value, which, device);
  return value;
}

/* HIP needs no leave for more than 48 KiB of LDS; CUDA does, by kernel. */
static CUresult allow_lds(const struct driver *d, CUfunction f,
                          const struct shape *s)
{
  int fixed = 0;
  CUresult rc = CU_SUCCESS;
  if (s->lds)
    rc = d->cuFuncGetAttribute(&fixed, CU_FUNC_SHARED_SIZE, f);
  if (rc != CU_SUCCESS ||
      s->lds + (unsigned)fixed <= (unsigned)limit(d, CU_SHARED_PER_BLOCK))
    return rc;
  return d->cuFuncSetAttribute(f, CU_FUNC_MAX_DYNAMIC_SHARED, (int)s->lds);
}

/* CUDA calls whatever exceeds the device an invalid value. */
static int too_large(const struct driver *d, const struct shape *s)
{
  unsigned long long threads = (unsigned long long)s->block[0] * s->block[1]
                               * s->block[2];
  return threads > (unsigned)limit(d, CU_MAX_THREADS_PER_BLOCK) ||
         s->lds > (unsigned)limit(d, CU_SHARED_PER_BLOCK_OPTIN);
}

static hipError_t launch(const struct driver *d, CUfunction f,
                         const struct shape *s, hipStream_t stream,
                         void **args, void **extra)
{
  CUresult rc = allow_lds(d, f, s);
  if (rc == CU_SUCCESS)
    rc = d->cuLaunchKernel(f, s->grid[0], s->grid[1], s->grid[2], s->block[0],
                           s->block[1], s->block[2], s->lds,
                           (CUstream)stream, args, extra);
  hipError_t error = hip_result(rc);
  return rc == CU_INVALID_VALUE && too_large(d, s)
             ? hipErrorInvalidConfiguration
             : error;
}

EXPORT hipError_t hipModuleLaunchKernel(
    hipFunction_t f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned lds,
    hipStream_t stream, void **args, void **extra)
{
  struct shape shape = {{grid_x, grid_y, grid_z},
                        {block_x, block_y, block_z}, lds};
  CUresult why;
  const struct driver *d = hip_enter(&why);
  return d ? launch(d, (CUfunction)f, &shape, stream, args, extra)
           : hip_result(why);
}
