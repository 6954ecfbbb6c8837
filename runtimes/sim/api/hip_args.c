/* hip_args.c - see hip_args.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip_args.h"

#include <string.h>

#include "runtimes/sim/run/hidden.h"

static uint8_t *slot_of(const struct dispatch *d, const struct kernel_arg *a)
{
  return (uint8_t *)(uintptr_t)d->kernarg + a->offset;
}

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
    if (hidden_is(&k->args[n]))
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
    if (!hidden_is(&k->args[n]))
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
    count += !hidden_is(&k->args[n]);
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
  hipError_t result = hip_args_given(d, params, extra, e);
  if (!result)
    hidden_fill(d, dynamic);
  return result;
}
