/* lines.c - libFuzzer entry for line numbers of a code object, as a finding of
 * HIPSIM_CHECK asks for them; `./check fuzz` builds and runs it.
 *
 * The input is .debug_line, and the two sections of its strings as well: whatever
 * offset it names is in them or behind them.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/lines.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  uint8_t *own = malloc(n ? n : 1); /* no byte behind it may be read */
  if (!own)
    return 0;
  memcpy(own, bytes, n);
  const struct bytes all = {own, n};
  const struct line_table table = {all, all, all};
  for (uint64_t address = 0; address < 64; address += 4) {
    struct source_line line = {.line = 0};
    if (lines_find(&table, address, &line))
      MUST(memchr(line.file, 0, sizeof line.file) != NULL);
  }
  free(own);
  return 0;
}
