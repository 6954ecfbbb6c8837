/* buffer_lds.c - MUBUF loads whose lds bit sends what they load to LDS
 * (lds_dma.h). A lane whose buffer address is out of range writes 0.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/buffer.h"
#include "runtimes/sim/run/lds_dma.h"

enum {OP_UBYTE = 0x10, OP_DWORD = 0x14, OP_DWORDX3 = 0x16, OP_DWORDX4};

static void load_to_lds(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->as);
  struct buffer b;
  uint32_t start;
  buffer_begin(w, i, op, &b);
  uint64_t active = w->access.lanes;
  if (!lds_dma_start(w, i, op, &start))
    return;
  w->access.lanes = buffer_room(w, &b, op->bytes);
  if (!memory_check(w, op->bytes))
    return;
  unsigned l;
  FOR_LANES(l, active)
    lds_dma_put(w, op, start, l,
                w->access.lanes >> l & 1 ? (void *)w->access.addr[0][l] : NULL);
}

exec_fn *buffer_lds_handler(const struct inst *i)
{
  int wide = i->as == OP_DWORDX3 || i->as == OP_DWORDX4;
  int known = (i->as >= OP_UBYTE && i->as <= OP_DWORD) ||
              (wide && isa_at(i->isa)->wide_dma);
  return i->format == MUBUF && known ? load_to_lds : NULL;
}
