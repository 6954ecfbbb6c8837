/* fault.c - what the message has to say */
// SPDX-License-Identifier: MIT
#include "tests/corpus/corpus.h"

HOST(alive, u32, u32)
{
  for (int i = 0; i < n; i++)
    out[i] = in[i];
}

#define FAULT(id, words, ...)                                                \
  { .name = #id, .n = 64, .outs = 64, .shape.grid[0] = 1,                    \
    .shape.block[0] = 64, .fault = words, __VA_ARGS__ },

TOPIC(fault,
  FAULT(asserts, "s_trap")
  FAULT(stray_load, "lane 9")
  FAULT(stray_store, "lane 33", .or_fault = "wave 1: ")
  FAULT(null_pointer, "lane 0")
  FAULT(stray_atomic, "lane 17")
  FAULT(misaligned_atomic, "lane 21")
  FAULT(lost_barrier, "barrier that it never reaches",
        .or_fault = "waits for memory to change", .start = ZEROS,
        .shape.block[1] = 2)
  FAULT(endless, "endless loop",
        .or_fault = "waits for memory to change", .start = ZEROS)
  FAULT(deadlock, "waits for memory to change", .start = ZEROS,
        .shape.grid[1] = 30)
  CASE(alive, 64, 64, 1, 64))
