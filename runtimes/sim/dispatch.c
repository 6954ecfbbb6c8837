/* dispatch.c - running a launch's workgroups functionally. */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "runtimes/sim/dispatch.h"

static int run_one(const struct dispatch *d, uint64_t index,
                   struct fault *fault)
{
  uint64_t row = index / d->grid[0];
  struct group *g = group_new(d, (uint32_t)(index % d->grid[0]),
                              (uint32_t)(row % d->grid[1]),
                              (uint32_t)(row / d->grid[1]));
  if (!g) {
    fault->code = FAULT_LAUNCH;
    snprintf(fault->text, sizeof fault->text,
             "kernel %.200s: no memory for a workgroup's registers, LDS and "
             "private memory", d->kernel->name);
    return fault->code;
  }
  int code = group_run(g, fault);
  group_free(g);
  return code;
}

int dispatch_run(const struct dispatch *d, uint64_t first, uint64_t last,
                 struct fault *fault)
{
  for (uint64_t n = first; n < last; n++)
    if (run_one(d, n, fault))
      return fault->code;
  return 0;
}
