/* exec.c - see exec.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/exec.h"

#include <stddef.h>

static exec_fn *handler(const struct inst *i)
{
  if (i->format <= SMEM)
    return scalar_handler(i);
  return i->format < DS ? vector_handler(i) : memory_handler(i);
}

void exec_bind(struct inst *i)
{
  i->exec = i->legal ? handler(i) : NULL;
}
