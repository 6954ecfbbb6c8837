/* hip_host.c - launching a kernel by its stub: what `<<<>>>` becomes. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/hip.h"

#define EXPORT __attribute__((visibility("default")))

/* --- the configuration between <<< and >>> -------------------------------- */

/* The stub of a kernel pops what the call pushed. Arguments are evaluated
 * after the push and may hold launches of their own, hence a stack. */
struct configuration {
  dim3 grid, block;
  size_t dynamic;
  hipStream_t stream;
};

enum { DEPTH = 16 };
static _Thread_local struct {
  unsigned n;
  struct configuration of[DEPTH];
} pushed;

EXPORT hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block,
                                             size_t dynamic,
                                             hipStream_t stream);
EXPORT hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block,
                                            size_t *dynamic,
                                            hipStream_t *stream);

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic,
                                      hipStream_t stream)
{
  if (pushed.n == DEPTH)
    return hipErrorInvalidConfiguration;
  pushed.of[pushed.n++] =
      (struct configuration){grid, block, dynamic, stream};
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic,
                                     hipStream_t *stream)
{
  if (!pushed.n)
    return hipErrorInvalidConfiguration;
  const struct configuration *c = &pushed.of[--pushed.n];
  *grid = c->grid;
  *block = c->block;
  *dynamic = c->dynamic;
  *stream = c->stream;
  return hipSuccess;
}

/* --- launching ------------------------------------------------------------ */

static hipError_t launch(struct runtime *r, const void *stub, dim3 grid,
                         dim3 block, void **args, size_t dynamic,
                         hipStream_t stream)
{
  struct dispatch d = {.grid = {grid.x, grid.y, grid.z},
                       .block = {block.x, block.y, block.z}};
  hipFunction_t f;
  hipError_t result = hip_host_function(r, &f, stub);
  return result ? result : hip_launch(r, f, &d, dynamic, stream, args, NULL);
}

hipError_t hipLaunchKernel(const void *stub, dim3 grid, dim3 block,
                           void **args, size_t dynamic, hipStream_t stream)
{
  CALL(launch(r, stub, grid, block, args, dynamic, stream));
}

/* --- with events around it (hip_ext.h, which is C++ only) ----------------- */

static hipError_t begin(struct runtime *r, hipEvent_t e, hipStream_t stream)
{
  return e ? hip_record(r, e, stream) : hipSuccess;
}

static hipError_t launch_timed(struct runtime *r, const void *stub, dim3 grid,
                               dim3 block, void **args, size_t dynamic,
                               hipStream_t stream, hipEvent_t start,
                               hipEvent_t stop)
{
  hipError_t result = begin(r, start, stream);
  if (!result)
    result = launch(r, stub, grid, block, args, dynamic, stream);
  return result ? result : begin(r, stop, stream);
}

EXPORT hipError_t hipExtLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                     void **args, size_t dynamic,
                                     hipStream_t stream, hipEvent_t start,
                                     hipEvent_t stop, int flags);
hipError_t hipExtLaunchKernel(const void *stub, dim3 grid, dim3 block,
                              void **args, size_t dynamic, hipStream_t stream,
                              hipEvent_t start, hipEvent_t stop, int flags)
{
  (void)flags;
  CALL(launch_timed(r, stub, grid, block, args, dynamic, stream, start, stop));
}

static hipError_t launch_module(struct runtime *r, hipFunction_t f,
                                struct dispatch *d, size_t dynamic,
                                hipStream_t stream, void **params,
                                void **extra, hipEvent_t start,
                                hipEvent_t stop)
{
  for (int axis = 0; axis < 3; axis++) { /* given in threads */
    if (!d->block[axis] || d->grid[axis] % d->block[axis])
      return hip_fail(r, hipErrorInvalidConfiguration,
                      "hipExtModuleLaunchKernel: %u threads in blocks of %u: "
                      "not a multiple", d->grid[axis], d->block[axis]);
    d->grid[axis] /= d->block[axis];
  }
  hipError_t result = begin(r, start, stream);
  if (!result)
    result = hip_launch(r, f, d, dynamic, stream, params, extra);
  return result ? result : begin(r, stop, stream);
}

/* A C++ function of the real library's. */
EXPORT hipError_t ext_module_launch(
    hipFunction_t f, uint32_t threads_x, uint32_t threads_y,
    uint32_t threads_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
    size_t dynamic, hipStream_t stream, void **params, void **extra,
    hipEvent_t start, hipEvent_t stop, uint32_t flags)
    __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12"
            "ihipStream_tPPvS4_P11ihipEvent_tS6_j");

hipError_t ext_module_launch(hipFunction_t f, uint32_t threads_x,
                             uint32_t threads_y, uint32_t threads_z,
                             uint32_t block_x, uint32_t block_y,
                             uint32_t block_z, size_t dynamic,
                             hipStream_t stream, void **params, void **extra,
                             hipEvent_t start, hipEvent_t stop, uint32_t flags)
{
  (void)flags;
  struct dispatch d = {.grid = {threads_x, threads_y, threads_z},
                       .block = {block_x, block_y, block_z}};
  CALL(launch_module(r, f, &d, dynamic, stream, params, extra, start, stop));
}
