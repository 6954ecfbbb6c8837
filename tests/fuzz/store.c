/* store.c - libFuzzer entry for the store's parsers; `./check fuzz` builds and
 * runs it. */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  static char dir[] = "/tmp/wavetune-fuzz.XXXXXX";
  static int made;
  if (!made)
    MUST(mkdtemp(dir) && (made = 1));
  store_line((const char *)bytes, n);
  store_summed((const char *)bytes, n);
  store_file(dir, (const char *)bytes, n);
  return 0;
}
