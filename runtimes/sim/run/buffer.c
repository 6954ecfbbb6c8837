/* buffer.c - MUBUF: addresses through a resource descriptor.
 *
 * What lies outside the resource's range is part of the architecture: loads
 * give 0 and stores are dropped, dword by dword. What is in its range but not
 * in memory, or in another wave's private memory, is a fault.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/buffer.h"

static uint64_t base_of(const struct wave *w, unsigned srsrc)
{
  return w->s[srsrc & 127] |
         (uint64_t)(w->s[(srsrc + 1) & 127] & 0xffff) << 32;
}

static void unpack(const struct wave *w, const struct inst *i,
                   struct buffer *b)
{
  uint32_t r[4];
  for (unsigned k = 0; k < 4; k++)
    r[k] = w->s[(i->srsrc + k) & 127];
  b->base = base_of(w, i->srsrc);
  b->stride = r[1] >> 16 & 0x3fff;
  b->swizzle = r[1] >> 31;
  b->records = r[2];
  for (unsigned k = 0; k < 4; k++)
    b->select[k] = r[3] >> 3 * k & 7;
  b->number = r[3] >> 12 & 7;
  b->data = r[3] >> 15 & 15;
  b->group = 8u << (r[3] >> 21 & 3);
  b->add_lane = r[3] >> 23 & 1;
  if (b->add_lane) /* the data format then holds the stride's upper bits */
    b->stride |= (uint32_t)b->data << 14;
  b->step = b->swizzle ? 4 * b->group : 4;
}

int buffer_is_private(const struct wave *w, unsigned srsrc)
{
  return base_of(w, srsrc) - w->group->waves->scratch <
         group_private_bytes(w->group);
}

/* Swizzled, dwords of `group` neighbouring records stand side by side. */
static uint64_t in_buffer(const struct buffer *b, uint64_t index,
                          uint32_t offset)
{
  if (!b->swizzle)
    return index * b->stride + offset;
  uint64_t row = index / b->group * b->stride + offset / 4 * 4;
  return row * b->group + index % b->group * 4 + offset % 4;
}

/* By records where an index is given, else by bytes: unverified. */
static uint64_t room(const struct buffer *b, int indexed, uint64_t index,
                     uint32_t offset, uint64_t at, uint32_t soffset)
{
  if (b->stride && indexed)
    return index >= b->records || (b->swizzle && offset >= b->stride)
               ? 0
               : ~(uint64_t)0;
  return at + soffset < b->records ? b->records - at - soffset : 0;
}

/* Bytes alone count: no index, nothing swizzled. The same as below. */
static void begin_linear(struct wave *w, const struct inst *i,
                         struct buffer *b, uint32_t soffset)
{
  static const uint32_t none[LANES];
  int given = i->flags & INST_OFFEN;
  const uint32_t *offsets = given ? w->v[vgpr(i->src[0])] : none;
  uint64_t base = b->base + soffset;
  int64_t records = (int64_t)b->records - soffset;
  for (unsigned l = 0; l < LANES; l++) {
    uint32_t at = offsets[l] + (uint32_t)i->imm;
    int64_t left = records - at;
    w->access.addr[0][l] = base + at;
    b->room[l] = left > 0 ? (uint64_t)left : 0;
  }
}

void buffer_begin(struct wave *w, const struct inst *i,
                  const struct memory_op *op, struct buffer *b)
{
  int indexed = (i->flags & INST_IDXEN) != 0;
  const uint32_t *v = w->v[vgpr(i->src[0])];
  const uint32_t *offsets = indexed ? v + LANES : v; /* the VGPR after it */
  uint32_t soffset = scalar_read(w, i, i->src[2]);
  memory_begin(w, op, 1, 0);
  unpack(w, i, b);
  if (!indexed && !b->swizzle && !b->add_lane) {
    begin_linear(w, i, b, soffset);
    return;
  }
  for (unsigned l = 0; l < LANES; l++) {
    uint64_t index = (indexed ? v[l] : 0) + (uint64_t)(b->add_lane ? l : 0);
    uint32_t offset = (uint32_t)i->imm;
    if (i->flags & INST_OFFEN)
      offset += offsets[l];
    uint64_t at = in_buffer(b, index, offset);
    w->access.addr[0][l] = b->base + soffset + at;
    b->room[l] = room(b, indexed, index, offset, at, soffset);
  }
}

uint64_t buffer_room(const struct wave *w, const struct buffer *b,
                     uint64_t bytes)
{
  uint64_t lanes = 0;
  for (unsigned l = 0; l < LANES; l++)
    lanes |= (uint64_t)(b->room[l] >= bytes) << l;
  return lanes & w->access.lanes;
}

/* Zero what a load, or an atomic's old value, leaves in these lanes. */
static void clear(struct wave *w, const struct memory_op *op, unsigned v,
                  uint64_t lanes)
{
  unsigned l;
  FOR_LANES(l, lanes)
    for (unsigned d = 0; d < (op->bytes + 3) / 4u; d++)
      w->v[v + d][l] = 0;
}

static void shift_addresses(struct wave *w, uint64_t by)
{
  for (unsigned l = 0; l < LANES; l++)
    w->access.addr[0][l] += by;
}

/* Dword by dword, each for the lanes that are in range. Atomics and narrow
 * accesses are one part. */
static void by_parts(struct wave *w, const struct inst *i,
                     const struct memory_op *op, const struct buffer *b)
{
  struct memory_op part = *op;
  struct inst piece = *i;
  if (op->kind != MEMORY_ATOMIC && op->bytes > 4)
    part.bytes = 4;
  unsigned n = op->bytes / part.bytes;
  uint64_t all = w->access.lanes, lanes[4], any = 0;
  for (unsigned d = 0; d < n; d++, shift_addresses(w, b->step)) {
    w->access.lanes = all;
    w->access.lanes = lanes[d] = buffer_room(w, b, d * b->step + part.bytes);
    if (!memory_check(w, part.bytes))
      return;
  }
  shift_addresses(w, -(uint64_t)n * b->step);
  for (unsigned d = 0; d < n; d++, piece.dst++, piece.src[1]++) {
    w->access.lanes = lanes[d];
    if (op->kind == MEMORY_LOAD || i->flags & INST_GLC)
      clear(w, &part, piece.dst, all & ~lanes[d]);
    memory_move(w, &piece, &part, (uintptr_t)d * b->step, 4);
    any |= lanes[d];
  }
  w->access.lanes = any;
}

static void plain(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->as);
  struct buffer b;
  buffer_begin(w, i, op, &b);
  if (wave_owns(w, b.base)) {
    if (memory_private_check(w, b.step))
      memory_move_swizzled(w, i, op, b.step);
  } else if (b.swizzle || buffer_room(w, &b, op->bytes) != w->access.lanes) {
    by_parts(w, i, op, &b);
  } else if (memory_check(w, op->bytes)) {
    memory_move(w, i, op, 0, 4);
  }
}

/* Caches are the timing model's: nothing to write back or to drop. */
static void cache(struct wave *w, const struct inst *i)
{
  static const struct memory_op nothing = {0};
  (void)i;
  memory_begin(w, &nothing, 0, 0);
}

enum {OP_WBL2 = 0x28, OP_INV, OP_WBINVL1 = 0x3e, OP_WBINVL1_VOL};

exec_fn *buffer_handler(const struct inst *i)
{
  if (i->flags & INST_TFE)
    return NULL;
  if (i->flags & INST_LDS)
    return buffer_lds_handler(i);
  if (i->format == MUBUF &&
      (i->as == OP_WBINVL1 || i->as == OP_WBINVL1_VOL || i->as == OP_WBL2 ||
       i->as == OP_INV))
    return cache;
  if (i->format == MUBUF && i->as < 128 &&
      memory_op_find(i->as)->kind != MEMORY_NONE)
    return plain;
  return format_handler(i);
}
