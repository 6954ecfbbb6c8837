/* flat.c - FLAT, GLOBAL and SCRATCH. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/atomic.h"
#include "runtimes/sim/dispatch.h"
#include "runtimes/sim/memory.h"

/* A 64-bit address in a VGPR pair, or an SGPR pair plus a 32-bit VGPR. */
static void global_addresses(struct wave *w, const struct inst *i)
{
  unsigned v = vgpr(i->src[0]), s = i->src[2] & 127;
  int saddr = i->flags & INST_SADDR;
  uint64_t base = (uint64_t)(int64_t)i->imm, *to = w->access.addr[0];
  const uint32_t *low = w->v[v];
  if (saddr) {
    base += w->s[s] | (uint64_t)w->s[(s + 1) & 127] << 32;
    for (unsigned l = 0; l < LANES; l++)
      to[l] = base + low[l];
  } else {
    const uint32_t *high = w->v[v + 1];
    for (unsigned l = 0; l < LANES; l++)
      to[l] = base + (low[l] | (uint64_t)high[l] << 32);
  }
}

static void global(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->op);
  memory_begin(w, op, 1, 0);
  global_addresses(w, i);
  if (memory_check(w, op->bytes))
    memory_move(w, i, op, 0, 4);
}

exec_fn *flat_handler(const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->op);
  if (i->op > 127 || op->kind == MEMORY_NONE || i->flags & INST_LDS)
    return NULL;
  return i->format == GLOBAL ? global : NULL;
}
