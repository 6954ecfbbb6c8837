/* backend.c - stands in for a program's backend, which is linked to rocBLAS and
 * HIP and opened with RTLD_LOCAL, as llama.cpp and Python open theirs. */
// SPDX-License-Identifier: MIT
#include "tests/front/fakes.h"

#define X(name, arguments, names) int name arguments;
PRODUCT_CALLS(X)
#undef X
void rocblas_initialize(void);
int hipSetDevice(int device);
int hipGetLastError(void);

const struct backend *backend_get(void)
{
  static const struct backend table = {
#define X(name, arguments, names) .name = name,
      PRODUCT_CALLS(X)
#undef X
      .rocblas_initialize = rocblas_initialize,
      .hipSetDevice = hipSetDevice,
      .hipGetLastError = hipGetLastError,
      .fake_capture = fake_capture,
      .fake_place = fake_place,
      .counts = &fake_counts,
      .last = &fake_last,
      .forwarded = &fake_forwarded,
      .initialized = &fake_initialized,
  };
  return &table;
}
