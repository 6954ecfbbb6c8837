/* store.c - libFuzzer entry for the store's parsers; not built by default:
 *
 *     clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       tests/fuzz/store.c db/[jlmrt]*.c base/[efhms]*.c -lz -lm -o fuzz_store
 *     ./fuzz_store -max_total_time=600
 */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  static char dir[] = "/tmp/wavetune-fuzz.XXXXXX";
  static int made;
  if (!made)
    MUST(mkdtemp(dir) && (made = 1));
  store_line((const char *)bytes, n);
  store_file(dir, (const char *)bytes, n);
  return 0;
}
