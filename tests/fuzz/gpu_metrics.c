/* gpu_metrics.c - libFuzzer entry for amdgpu's metrics; not built by default:
 *
 *     clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       tests/fuzz/gpu_metrics.c tuner/conditions/{gpu_metrics,card}.c \
 *       tuner/conditions/card_*.c base/[efms]*.c -ldl -lm -o fuzz_gpu_metrics
 *     ./fuzz_gpu_metrics -max_total_time=600
 */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/gpu_metrics.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  gpu_metrics_any(bytes, n);
  return 0;
}
