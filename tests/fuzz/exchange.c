/* exchange.c - libFuzzer entry for the readers of other formats; `./check fuzz`
 * builds and runs it. */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  exchange_bytes((const char *)bytes, n);
  return 0;
}
