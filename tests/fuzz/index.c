/* index.c - libFuzzer entry for the index of a journal; not built by default:
 *
 *     clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       tests/fuzz/index.c db/[jlmr]*.c base/[efhms]*.c -lz -lm -o fuzz_index
 *     ./fuzz_index -max_total_time=600
 */
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
