/* shapes.c - libFuzzer entry for files of shapes; `./check fuzz` builds and runs
 * it. */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/shapes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  check_shapes(bytes, n);
  return 0;
}
