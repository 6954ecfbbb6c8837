/* index.c - libFuzzer entry for the index of a journal; `./check fuzz` builds and
 * runs it. */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  static char dir[] = "/tmp/wavetune-fuzz.XXXXXX";
  static int made;
  if (!made)
    MUST(mkdtemp(dir) && (made = 1));
  index_bytes((const char *)bytes, n);
  index_entries(dir, (const char *)bytes, n);
  return 0;
}
