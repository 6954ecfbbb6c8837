/* buffer.c - MUBUF and MTBUF. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/memory.h"

exec_fn *buffer_handler(const struct inst *i)
{
  (void)i;
  return NULL;
}
