/* buffer_lds.c - MUBUF loads whose lds bit sends what they load to LDS.
 *
 * LDS address: M0[15:0] + instruction offset + 4 * lane ("Vega" 7 nm ISA,
 * memory buffer load to LDS). Each active lane writes a dword there, bytes
 * and halves extended; 0 where the buffer is out of range.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/run/buffer.h"

enum {OP_UBYTE = 0x10, OP_DWORD = 0x14};

static int has_room(struct wave *w, uint32_t start)
{
  unsigned l, size = w->group->lds_bytes;
  FOR_LANES(l, w->access.lanes)
    if (start + 4 * l + 4 > size) {
      wave_fault(w, FAULT_ADDRESS,
                 "lane %u: LDS address 0x%x (from M0) is outside the "
                 "workgroup's %u bytes", l, start + 4 * l, size);
      return 0;
    }
  return 1;
}

static uint32_t loaded(const struct memory_op *op, uint64_t address)
{
  uint32_t value = 0, unused = 32 - 8 * (uint32_t)op->bytes;
  memcpy(&value, (const void *)address, op->bytes); /* little-endian */
  return op->sign ? (uint32_t)((int32_t)(value << unused) >> unused) : value;
}

static void load_to_lds(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->op);
  struct buffer b;
  buffer_begin(w, i, op, &b);
  uint64_t active = w->access.lanes;
  uint32_t start = (w->s[CODE_M0] & 0xffff) + (uint32_t)i->imm;
  if (!has_room(w, start))
    return;
  w->access.lanes = buffer_room(w, &b, op->bytes);
  if (!memory_check(w, op->bytes))
    return;
  unsigned l;
  FOR_LANES(l, active) {
    uint32_t value = w->access.lanes >> l & 1
                         ? loaded(op, w->access.addr[0][l])
                         : 0;
    memcpy(w->group->lds + start + 4 * l, &value, sizeof value);
  }
}

exec_fn *buffer_lds_handler(const struct inst *i)
{
  return i->format == MUBUF && i->op >= OP_UBYTE && i->op <= OP_DWORD
             ? load_to_lds
             : NULL;
}
