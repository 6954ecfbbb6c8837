/* recording.c - libFuzzer entry for recordings; `./check fuzz` builds and
 * runs it. */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  recording_bytes((const char *)bytes, n);
  return 0;
}
