/* hip_host.c - launching a kernel by its stub: what `<<<>>>` becomes. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/str.h"
#include "runtimes/sim/api/hip.h"

#define EXPORT __attribute__((visibility("default")))

/* --- the configuration between <<< and >>> -------------------------------- */

/* The stub of a kernel pops what the call pushed. Arguments are evaluated
 * after the push and may hold launches of their own, hence a stack. */
struct configuration {
  dim3 grid, block;
  size_t dynamic;
  hipStream_t stream;
  struct str args; /* of hipSetupArgument() */
};

/* No kernel has arguments of so many bytes. */
enum {DEPTH = 16, ARGS = 1 << 16};
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
      (struct configuration){grid, block, dynamic, stream, {0}};
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic,
                                     hipStream_t *stream)
{
  if (!pushed.n)
    return hipErrorInvalidConfiguration;
  struct configuration *c = &pushed.of[--pushed.n];
  *grid = c->grid;
  *block = c->block;
  *dynamic = c->dynamic;
  *stream = c->stream;
  str_free(&c->args);
  return hipSuccess;
}

hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t dynamic,
                            hipStream_t stream)
{
  CALL(__hipPushCallConfiguration(grid, block, dynamic, stream));
}

static hipError_t set_argument(const void *arg, size_t n, size_t offset)
{
  static const char zeros[64];
  if (!pushed.n)
    return hipErrorInvalidConfiguration;
  if (!arg || n > ARGS || offset > ARGS - n)
    return hipErrorInvalidValue;
  struct str *args = &pushed.of[pushed.n - 1].args;
  while (args->len < offset + n) {
    size_t more = offset + n - args->len;
    str_add_bytes(args, zeros, more < sizeof zeros ? more : sizeof zeros);
  }
  memcpy(args->at + offset, arg, n);
  return hipSuccess;
}

hipError_t hipSetupArgument(const void *arg, size_t n, size_t offset)
{
  CALL(set_argument(arg, n, offset));
}

/* --- launching ------------------------------------------------------------ */

static hipError_t launch(struct runtime *r, const void *stub,
                         const struct configuration *c, void **args,
                         void **extra)
{
  struct dispatch d = {.grid = {c->grid.x, c->grid.y, c->grid.z},
                       .block = {c->block.x, c->block.y, c->block.z}};
  hipFunction_t f;
  hipError_t result = hip_host_function(r, &f, stub);
  return result ? result
                : hip_launch(r, f, &d, c->dynamic, c->stream, args, extra);
}

hipError_t hipLaunchKernel(const void *stub, dim3 grid, dim3 block,
                           void **args, size_t dynamic, hipStream_t stream)
{
  const struct configuration c = {grid, block, dynamic, stream, {0}};
  CALL(launch(r, stub, &c, args, NULL));
}

static hipError_t launch_pushed(struct runtime *r, const void *stub)
{
  if (!pushed.n)
    return hipErrorInvalidConfiguration;
  struct configuration *c = &pushed.of[--pushed.n];
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, c->args.at,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &c->args.len,
                   HIP_LAUNCH_PARAM_END};
  hipError_t result = launch(r, stub, c, NULL, c->args.len ? extra : NULL);
  str_free(&c->args);
  return result;
}

hipError_t hipLaunchByPtr(const void *stub)
{
  CALL(launch_pushed(r, stub));
}

/* What hipLaunchKernelGGL() calls in hipcc's old mode; C++, and the error is
 * told by hipGetLastError(). */
EXPORT void launch_ggl(uintptr_t stub, const dim3 *grid, const dim3 *block,
                       uint32_t dynamic, hipStream_t stream, void **extra)
    __asm__("_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_t"
            "PPv");

void launch_ggl(uintptr_t stub, const dim3 *grid, const dim3 *block,
                uint32_t dynamic, hipStream_t stream, void **extra)
{
  const struct configuration c = {*grid, *block, dynamic, stream, {0}};
  struct runtime *r = hip_enter();
  (void)hip_leave(r->arena ? launch(r, (const void *)stub, &c, NULL, extra)
                           : hipErrorNoDevice);
}

/* --- with events around it (hip_ext.h, which is C++ only) ----------------- */

static hipError_t begin(struct runtime *r, hipEvent_t e, hipStream_t stream)
{
  return e ? hip_record(r, e, stream) : hipSuccess;
}

static hipError_t launch_timed(struct runtime *r, const void *stub,
                               const struct configuration *c, void **args,
                               hipEvent_t start, hipEvent_t stop)
{
  hipError_t result = begin(r, start, c->stream);
  if (!result)
    result = launch(r, stub, c, args, NULL);
  return result ? result : begin(r, stop, c->stream);
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
  const struct configuration c = {grid, block, dynamic, stream, {0}};
  CALL(launch_timed(r, stub, &c, args, start, stop));
}

/* The grid is given in threads, and its end need not be a workgroup's: the
 * last along an axis has what is left (HSA Platform System Architecture 1.2,
 * kernel dispatch packet). */
static hipError_t launch_module(struct runtime *r, hipFunction_t f,
                                struct dispatch *d, size_t dynamic,
                                hipStream_t stream, void **params,
                                void **extra, hipEvent_t start,
                                hipEvent_t stop)
{
  for (int axis = 0; axis < 3; axis++)
    if (d->block[axis]) { /* else hip_launch() refuses it */
      d->rest[axis] = d->grid[axis] % d->block[axis];
      d->grid[axis] = d->grid[axis] / d->block[axis] + (d->rest[axis] > 0);
    }
  hipError_t result = begin(r, start, stream);
  if (!result)
    result = hip_launch(r, f, d, dynamic, stream, params, extra);
  return result ? result : begin(r, stop, stream);
}

#define MODULE_LAUNCH(name) \
  hipError_t name(hipFunction_t f, uint32_t threads_x, uint32_t threads_y, \
                  uint32_t threads_z, uint32_t block_x, uint32_t block_y, \
                  uint32_t block_z, size_t dynamic, hipStream_t stream, \
                  void **params, void **extra, hipEvent_t start, \
                  hipEvent_t stop, uint32_t flags)

EXPORT MODULE_LAUNCH(hipExtModuleLaunchKernel);
MODULE_LAUNCH(hipExtModuleLaunchKernel)
{
  (void)flags;
  struct dispatch d = {.grid = {threads_x, threads_y, threads_z},
                       .block = {block_x, block_y, block_z}};
  CALL(launch_module(r, f, &d, dynamic, stream, params, extra, start, stop));
}

#define HCC_LAUNCH(name) \
  hipError_t name(hipFunction_t f, uint32_t threads_x, uint32_t threads_y, \
                  uint32_t threads_z, uint32_t block_x, uint32_t block_y, \
                  uint32_t block_z, size_t dynamic, hipStream_t stream, \
                  void **params, void **extra, hipEvent_t start, \
                  hipEvent_t stop)

EXPORT HCC_LAUNCH(hipHccModuleLaunchKernel);
HCC_LAUNCH(hipHccModuleLaunchKernel)
{
  return hipExtModuleLaunchKernel(f, threads_x, threads_y, threads_z, block_x,
                                  block_y, block_z, dynamic, stream, params,
                                  extra, start, stop, 0);
}

/* They were C++ functions before HIP 6 and 7. */
EXPORT MODULE_LAUNCH(ext_module_launch)
    __asm__("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12"
            "ihipStream_tPPvS4_P11ihipEvent_tS6_j");
MODULE_LAUNCH(ext_module_launch)
{
  return hipExtModuleLaunchKernel(f, threads_x, threads_y, threads_z, block_x,
                                  block_y, block_z, dynamic, stream, params,
                                  extra, start, stop, flags);
}

EXPORT HCC_LAUNCH(hcc_module_launch)
    __asm__("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12"
            "ihipStream_tPPvS4_P11ihipEvent_tS6_");
HCC_LAUNCH(hcc_module_launch)
{
  return hipHccModuleLaunchKernel(f, threads_x, threads_y, threads_z, block_x,
                                  block_y, block_z, dynamic, stream, params,
                                  extra, start, stop);
}
