/* object.c - libFuzzer entry for code objects as the simulated devices load them,
 * each of them; `./check fuzz` builds and runs it. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/object.h"

#include "runtimes/sim/isa/isa.h"
#include "runtimes/sim/run/exec.h"
#include "tests/fuzz/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  static struct arena *arena;
  if (!arena)
    MUST((arena = arena_open((uint64_t)1 << 32)) != NULL);
  for (unsigned i = 0; isa_at(i); i++) {
    struct err e = {0};
    struct object *o;
    if (object_load(&o, arena, isa_at(i), bytes, n, exec_bind, &e))
      MUST(e.code && e.text[0]);
    else
      object_free(o);
  }
  uint64_t available, total;
  arena_space(arena, &available, &total);
  MUST(available == total);
  return 0;
}
