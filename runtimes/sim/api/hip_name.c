/* hip_name.c - functions that return no error: names, numbers, a struct.
 *
 * Programs that trace calls ask some of them on the way; what was the last
 * error stays so.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#include <hip/amd_detail/hip_prof_str.h>

/* Under the lock, r being the runtime, out becomes the expression. */
#define ASK(out, expression) \
  do { \
    struct runtime *r = hip_enter(); \
    hipError_t keep = hipPeekAtLastError(); \
    if (r->arena) \
      out = (expression); \
    (void)hip_leave(keep); \
  } while (0)

static const char *name_of(struct runtime *r, hipFunction_t f)
{
  if (hip_function_valid(r, f))
    return f->kernel->name;
  hip_fail(r, hipErrorInvalidHandle,
           "hipKernelNameRef: the function is not a valid handle");
  return NULL;
}

static const char *name_of_stub(struct runtime *r, const void *stub,
                                hipStream_t stream)
{
  hipFunction_t f;
  if (!stub || !hip_stream_valid(r, stream) || hip_host_function(r, &f, stub))
    return NULL;
  return f->kernel->name;
}

const char *hipKernelNameRef(const hipFunction_t f)
{
  const char *name = NULL;
  ASK(name, name_of(r, f));
  return name;
}

const char *hipKernelNameRefByPtr(const void *stub, hipStream_t stream)
{
  const char *name = NULL;
  ASK(name, name_of_stub(r, stub, stream));
  return name;
}

int hipGetStreamDeviceId(hipStream_t stream)
{
  int device = -1;
  ASK(device, hip_stream_valid(r, stream) ? 0 : -1);
  return device;
}

/* By the numbers of the headers that this was built with. */
const char *hipApiName(uint32_t id)
{
  return hip_api_name(id);
}

/* The headers declare it for C++ alone. */
#define EXPORT __attribute__((visibility("default")))
EXPORT hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                 hipChannelFormatKind kind);

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                          hipChannelFormatKind kind)
{
  return (hipChannelFormatDesc){x, y, z, w, kind};
}
