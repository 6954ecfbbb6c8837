/* shapes.c - libFuzzer entry for files of shapes; not built by default:
 *
 *     clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       tests/fuzz/shapes.c tuner/sweep/shapes.c base/[a-z]*.c -lm -o fuzz_shapes
 *     ./fuzz_shapes -max_total_time=600
 */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/shapes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  check_shapes(bytes, n);
  return 0;
}
