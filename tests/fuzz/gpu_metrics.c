/* gpu_metrics.c - libFuzzer entry for amdgpu's metrics; `./check fuzz` builds and
 * runs it. */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/gpu_metrics.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  gpu_metrics_any(bytes, n);
  return 0;
}
