/* lds_dma.c - see lds_dma.h: what such loads share, and those of GLOBAL and SCRATCH.
 *
 * LDS address: M0 + instruction offset + 4 * lane, or 16 * lane for more than a
 * dword, where 12 bytes leave 4 free ("AMD Instinct MI300" and CDNA4 ISA,
 * 9.1.9).
 * The instruction's offset counts on both sides.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/lds_dma.h"

#include <string.h>

#include "runtimes/sim/load/object.h"

static unsigned step(const struct memory_op *op)
{
  return op->bytes > 4 ? 16 : 4;
}

static uint32_t m0_mask(const struct wave *w)
{
  return w->code->isa->lds_most > 1 << 16 ? 0x3ffff : 0xffff;
}

int lds_dma_start(struct wave *w, const struct inst *i,
                  const struct memory_op *op, uint32_t *start)
{
  unsigned l, size = w->group->lds_bytes;
  unsigned bytes = op->bytes < 4 ? 4 : op->bytes;
  *start = (w->s[CODE_M0] & m0_mask(w)) + (uint32_t)i->imm;
  FOR_LANES(l, w->access.lanes)
    if (*start + step(op) * l + bytes > size) {
      wave_fault(w, FAULT_ADDRESS,
                 "lane %u: LDS address 0x%x (from M0) is outside the "
                 "workgroup's %u bytes", l, *start + step(op) * l, size);
      return 0;
    }
  return 1;
}

static uint32_t narrow(const struct memory_op *op, const void *from)
{
  uint32_t value = 0, unused = 32 - 8 * (uint32_t)op->bytes;
  memcpy(&value, from, op->bytes); /* little-endian */
  return op->sign ? (uint32_t)((int32_t)(value << unused) >> unused) : value;
}

void lds_dma_put(struct wave *w, const struct memory_op *op, uint32_t start,
                 unsigned lane, const void *from)
{
  uint8_t *to = w->group->lds + start + step(op) * lane;
  uint32_t value;
  if (!from) {
    memset(to, 0, op->bytes < 4 ? 4 : op->bytes);
  } else if (op->bytes > 4) {
    memcpy(to, from, op->bytes);
  } else {
    value = narrow(op, from);
    memcpy(to, &value, sizeof value);
  }
}

/* --- GLOBAL and SCRATCH --------------------------------------------------- */

static const struct memory_op ops[128] = {
  [0x26] = {MEMORY_LOAD, 1, 0, WHOLE, 0}, /* ubyte */
  [0x27] = {MEMORY_LOAD, 1, 1, WHOLE, 0}, /* sbyte */
  [0x28] = {MEMORY_LOAD, 2, 0, WHOLE, 0}, /* ushort */
  [0x29] = {MEMORY_LOAD, 2, 1, WHOLE, 0}, /* sshort */
  [0x2a] = {MEMORY_LOAD, 4, 0, WHOLE, 0}, /* dword */
  [0x7d] = {MEMORY_LOAD, 16, 0, WHOLE, 0}, /* dwordx4 */
  [0x7e] = {MEMORY_LOAD, 12, 0, WHOLE, 0}, /* dwordx3 */
};

static void global(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ops[i->as & 127];
  uint32_t start;
  unsigned l;
  memory_begin(w, op, 1, 0);
  global_addresses(w, i);
  if (!lds_dma_start(w, i, op, &start) || !memory_check(w, op->bytes))
    return;
  FOR_LANES(l, w->access.lanes)
    lds_dma_put(w, op, start, l, (const void *)w->access.addr[0][l]);
}

static void scratch(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ops[i->as & 127];
  uint32_t start, value;
  unsigned l;
  memory_begin(w, op, 1, 0);
  scratch_offsets(w, i);
  if (!lds_dma_start(w, i, op, &start) || !memory_private(w))
    return;
  FOR_LANES(l, w->access.lanes) {
    memory_private_read(w->access.addr[0][l], op->bytes, &value);
    lds_dma_put(w, op, start, l, &value);
  }
}

exec_fn *lds_dma_handler(const struct inst *i)
{
  int known = i->as < 128 && ops[i->as].kind != MEMORY_NONE;
  if (!known || i->format == FLAT)
    return NULL;
  return i->format == GLOBAL ? global : scratch;
}
