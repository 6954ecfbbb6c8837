/* memory_swizzle.c - private memory, whose dwords are dealt out by lanes.
 *
 * Dword d of lane l stands at d * 64 + l, so that lanes which use the same
 * variable touch neighbouring dwords. Two dwords of one lane are then `step`
 * bytes apart, and so are two bytes of an unaligned one.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/run/memory.h"

enum {WIDEST = 16};

static uint64_t byte_at(uint64_t start, unsigned b, unsigned step)
{
  uint64_t in = (start & 3) + b;
  return (start & ~(uint64_t)3) + in / 4 * step + in % 4;
}

void memory_private_read(uint64_t at, unsigned bytes, void *to)
{
  for (unsigned b = 0; b < bytes; b++)
    ((uint8_t *)to)[b] = *(const uint8_t *)byte_at(at, b, PRIVATE_STEP);
}

static int unaligned(const struct access *a)
{
  unsigned l;
  FOR_LANES(l, a->lanes)
    if ((a->addr[0][l] & 3) + (a->bytes < 4 ? a->bytes : 4u) > 4)
      return 1;
  return 0;
}

/* Through a copy in which the bytes of each lane stand together. */
static void by_bytes(struct wave *w, const struct inst *i,
                     const struct memory_op *op, unsigned step)
{
  uint8_t together[LANES][WIDEST];
  uint64_t start[LANES];
  unsigned l;
  memcpy(start, w->access.addr[0], sizeof start);
  FOR_LANES(l, w->access.lanes) {
    w->access.addr[0][l] = (uintptr_t)together[l];
    for (unsigned b = 0; b < op->bytes && op->kind == MEMORY_LOAD; b++)
      together[l][b] = *(const uint8_t *)byte_at(start[l], b, step);
  }
  memory_move(w, i, op, 0, 4);
  FOR_LANES(l, w->access.lanes)
    for (unsigned b = 0; b < op->bytes && op->kind == MEMORY_STORE; b++)
      *(uint8_t *)byte_at(start[l], b, step) = together[l][b];
  memcpy(w->access.addr[0], start, sizeof start);
}

void memory_move_swizzled(struct wave *w, const struct inst *i,
                          const struct memory_op *op, unsigned step)
{
  if (i->flags & INST_ADDRESS)
    return;
  if (op->kind == MEMORY_ATOMIC)
    wave_fault(w, FAULT_ADDRESS,
               "atomics on private memory are not possible");
  else if (unaligned(&w->access))
    by_bytes(w, i, op, step);
  else
    memory_move(w, i, op, 0, step);
}

static int refuse(struct wave *w, unsigned l, uint64_t offset)
{
  wave_fault(w, FAULT_ADDRESS,
             "lane %u: private address 0x%llx (%u bytes) is outside its %u "
             "bytes; an index beyond a local array?",
             l, (unsigned long long)offset, w->access.bytes, w->scratch_lane);
  return 0;
}

int memory_private(struct wave *w)
{
  unsigned l;
  FOR_LANES(l, w->access.lanes) {
    uint64_t offset = w->access.addr[0][l];
    if (offset + w->access.bytes > w->scratch_lane || offset >> 32)
      return refuse(w, l, offset);
    w->access.addr[0][l] =
        w->scratch + offset / 4 * PRIVATE_STEP + l * 4 + offset % 4;
  }
  return 1;
}

/* The dword of the last byte decides; a lane meets its own dwords only. */
int memory_private_check(struct wave *w, unsigned step)
{
  uint64_t size = wave_private_bytes(w);
  unsigned l;
  FOR_LANES(l, w->access.lanes) {
    uint64_t at = w->access.addr[0][l] - w->scratch;
    uint64_t last = byte_at(at, w->access.bytes - 1u, step);
    if (at >= size || last >= size)
      return refuse(w, l, at / PRIVATE_STEP * 4 + at % 4);
  }
  return 1;
}
