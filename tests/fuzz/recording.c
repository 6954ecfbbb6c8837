/* recording.c - libFuzzer entry for recordings; not built by default:
 *
 *     clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       -I/usr/include/lua5.4 tests/fuzz/recording.c tuner/replay/recording*.c \
 *       gen/[a-z]*.c base/[a-z]*.c -llua5.4 -ljansson -lm -o fuzz_recording
 *     ./fuzz_recording -max_total_time=600
 */
// SPDX-License-Identifier: MIT
#include "tests/fuzz/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  recording_bytes((const char *)bytes, n);
  return 0;
}
