/* hip_args.c - see hip_args.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip_args.h"

#include <string.h>

int hip_args_hidden(const struct kernel_arg *a)
{
  return !strncmp(a->kind, "hidden_", 7);
}

static uint8_t *slot_of(const struct dispatch *d, const struct kernel_arg *a)
{
  return (uint8_t *)(uintptr_t)d->kernarg + a->offset;
}

/* --- hidden arguments (LLVM: User Guide for AMDGPU Backend, metadata V5).
 * Those that are not here stay zero: offsets of the grid, which HIP has none
 * of, and the buffers of OpenCL's printf and queues. ---------------------- */

static void put(const struct dispatch *d, const struct kernel_arg *a,
                uint64_t value)
{
  memcpy(slot_of(d, a), &value, a->size < 8 ? a->size : 8);
}

static void put_axis(const struct dispatch *d, const struct kernel_arg *a,
                     const char *name, const uint32_t value[3])
{
  size_t n = strlen(name);
  if (!strncmp(a->kind, name, n) && a->kind[n] >= 'x' && a->kind[n] <= 'z')
    put(d, a, value[a->kind[n] - 'x']);
}

static uint32_t dimensions(const struct dispatch *d)
{
  uint32_t n = 3;
  while (n > 1 && d->grid[n - 1] == 1 && d->block[n - 1] == 1)
    n--;
  return n;
}

static void put_hidden(const struct dispatch *d, const struct kernel_arg *a,
                       uint32_t dynamic)
{
  const struct {
    const char *kind;
    uint64_t value;
  } values[] = {
      {"hidden_grid_dims", dimensions(d)},
      {"hidden_private_base", APERTURE_PRIVATE >> 32},
      {"hidden_shared_base", APERTURE_SHARED >> 32},
      {"hidden_queue_ptr", d->queue},
      {"hidden_dynamic_lds_size", dynamic},
      {"hidden_hostcall_buffer",
       d->hostcall ? hostcall_buffer(d->hostcall) : 0},
      {"hidden_heap_v1", NO_HEAP},
  };
  uint32_t whole[3]; /* workgroups */
  for (int axis = 0; axis < 3; axis++)
    whole[axis] = d->grid[axis] - (d->rest[axis] > 0);
  put_axis(d, a, "hidden_block_count_", whole);
  put_axis(d, a, "hidden_group_size_", d->block);
  put_axis(d, a, "hidden_remainder_", d->rest);
  for (size_t n = 0; n < sizeof values / sizeof *values; n++)
    if (!strcmp(a->kind, values[n].kind))
      put(d, a, values[n].value);
}

/* --- explicit arguments --------------------------------------------------- */

static hipError_t from_params(const struct dispatch *d, void **params,
                              struct err *e)
{
  const struct kernel *k = d->kernel;
  if (!params) {
    err_set(e, ERR_FAILED, "it has arguments, but neither kernelParams nor "
            "extra was given");
    return hipErrorInvalidValue;
  }
  for (size_t n = 0, given = 0; n < k->nargs; n++) {
    if (hip_args_hidden(&k->args[n]))
      continue;
    if (!params[given]) {
      err_set(e, ERR_FAILED, "kernelParams[%zu] is NULL", given);
      return hipErrorInvalidValue;
    }
    memcpy(slot_of(d, &k->args[n]), params[given++], k->args[n].size);
  }
  return hipSuccess;
}

static size_t explicit_end(const struct kernel *k)
{
  size_t end = 0;
  for (size_t n = 0; n < k->nargs; n++)
    if (!hip_args_hidden(&k->args[n]))
      end = k->args[n].offset + k->args[n].size;
  return end;
}

static hipError_t from_extra(const struct dispatch *d, void **extra,
                             struct err *e)
{
  const void *buffer = NULL;
  size_t size = 0;
  for (void **p = extra; *p != HIP_LAUNCH_PARAM_END; p += 2) {
    if (*p == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = p[1];
    } else if (*p == HIP_LAUNCH_PARAM_BUFFER_SIZE && p[1]) {
      size = *(const size_t *)p[1];
    } else {
      err_set(e, ERR_FAILED, "extra holds an unknown key");
      return hipErrorInvalidValue;
    }
  }
  size_t need = explicit_end(d->kernel);
  if (!buffer || size < need) {
    err_set(e, ERR_FAILED, "extra gives %zu bytes of arguments, it takes %zu",
            buffer ? size : 0, need);
    return hipErrorInvalidValue;
  }
  if (d->kernel->nargs) /* what follows is the hidden arguments' */
    size = need;
  if (size > d->kernel->kernarg_size)
    size = d->kernel->kernarg_size;
  memcpy((void *)(uintptr_t)d->kernarg, buffer, size);
  return hipSuccess;
}

size_t hip_args_count(const struct kernel *k)
{
  size_t count = 0;
  for (size_t n = 0; n < k->nargs; n++)
    count += !hip_args_hidden(&k->args[n]);
  return count;
}

size_t hip_args_size(const struct kernel *k)
{
  return k->nargs ? explicit_end(k) : k->kernarg_size;
}

hipError_t hip_args_given(const struct dispatch *d, void **params,
                          void **extra, struct err *e)
{
  if (params && extra) {
    err_set(e, ERR_FAILED, "both kernelParams and extra were given");
    return hipErrorInvalidValue;
  }
  if (extra)
    return from_extra(d, extra, e);
  return explicit_end(d->kernel) ? from_params(d, params, e) : hipSuccess;
}

hipError_t hip_args(const struct dispatch *d, uint32_t dynamic, void **params,
                    void **extra, struct err *e)
{
  const struct kernel *k = d->kernel;
  hipError_t result = hip_args_given(d, params, extra, e);
  for (size_t n = 0; n < k->nargs && !result; n++)
    if (hip_args_hidden(&k->args[n]))
      put_hidden(d, &k->args[n], dynamic);
  return result;
}
