/* flat.c - FLAT, GLOBAL and SCRATCH.
 *
 * A FLAT address may mean LDS or private memory, lane by lane, by the 4 GB
 * window that it lies in.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/run/ds.h"
#include "runtimes/sim/run/lds_dma.h"
#include "runtimes/sim/run/memory.h"

static uint32_t scale_of(const struct wave *w, const struct inst *i)
{
  return i->flags & INST_SCALED ? w->access.bytes : 1;
}

static void signed_offsets(struct wave *w, const struct inst *i,
                           const uint32_t *low, uint64_t base)
{
  int64_t scale = scale_of(w, i);
  for (unsigned l = 0; l < LANES; l++)
    w->access.addr[0][l] = base + (uint64_t)((int32_t)low[l] * scale);
}

/* A 64-bit address in a VGPR pair, or an SGPR pair plus a 32-bit VGPR. */
void global_addresses(struct wave *w, const struct inst *i)
{
  unsigned v = vgpr(i->src[0]), s = i->src[2] & 127;
  int is_signed = isa_at(i->isa)->signed_offset;
  uint64_t base = (uint64_t)(int64_t)i->imm, *to = w->access.addr[0];
  const uint32_t *low = w->v[v];
  if (i->flags & INST_SADDR) {
    base += w->s[s] | (uint64_t)w->s[(s + 1) & 127] << 32;
    if (is_signed)
      signed_offsets(w, i, low, base);
    else
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
  const struct memory_op *op = memory_op_find(i->as);
  memory_begin(w, op, 1, 0);
  global_addresses(w, i);
  if (memory_check(w, op->bytes))
    memory_move(w, i, op, 0, 4);
}

/* Where multicast could save requests, it is told what there are. */
static void global_counted(struct wave *w, const struct inst *i)
{
  global(w, i);
  if (w->access.load)
    cluster_count(w);
}

void scratch_offsets(struct wave *w, const struct inst *i)
{
  const uint32_t *from = w->v[vgpr(i->src[0])];
  uint32_t base = i->flags & INST_SADDR ? w->s[i->src[2] & 127] : 0;
  for (unsigned l = 0; l < LANES; l++) {
    uint32_t vector = i->flags & INST_VADDR ? from[l] * scale_of(w, i) : 0;
    w->access.addr[0][l] = (uint32_t)(base + vector + (uint32_t)i->imm);
  }
}

static void scratch(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->as);
  memory_begin(w, op, 1, 0);
  scratch_offsets(w, i);
  if (memory_private(w))
    memory_move_swizzled(w, i, op, PRIVATE_STEP);
}

/* The same where the address also names the lane: its own, or a fault. */
static uint64_t window_of_lane(struct wave *w)
{
  uint64_t lanes = 0;
  unsigned l;
  FOR_LANES(l, w->access.lanes) {
    uint64_t at = w->access.addr[0][l] - APERTURE_LANES;
    if (at >> 58)
      continue;
    if (at >> APERTURE_LANE != l)
      wave_fault(w, FAULT_ADDRESS, "lane %u: an address in the private memory "
                 "of lane %u; only its own is simulated", l,
                 (unsigned)(at >> APERTURE_LANE));
    w->access.addr[0][l] = at & (((uint64_t)1 << APERTURE_LANE) - 1);
    lanes |= (uint64_t)1 << l;
  }
  return lanes;
}

/* Active lanes whose address lies in a window; it becomes an offset there. */
static uint64_t window(struct wave *w, uint64_t base)
{
  uint64_t lanes = 0;
  unsigned l;
  FOR_LANES(l, w->access.lanes)
    if (w->access.addr[0][l] - base < APERTURE_SIZE) {
      w->access.addr[0][l] -= base;
      lanes |= (uint64_t)1 << l;
    }
  return lanes;
}

/* Are the lanes inside LDS? Those that the check turns off are none of them any
 * more. */
static int check_shared(struct wave *w, uint64_t *lanes, unsigned bytes)
{
  w->access.lanes = *lanes;
  int inside = lds_check(w, 0, bytes);
  *lanes = w->access.lanes;
  return inside;
}

/* All of them are checked before any moves data. */
static void split(struct wave *w, const struct inst *i,
                  const struct memory_op *op)
{
  struct access *a = &w->access;
  uint64_t all = a->lanes, shared = window(w, APERTURE_SHARED);
  a->lanes = all & ~shared;
  uint64_t private = isa_at(i->isa)->lane_addresses ? window_of_lane(w)
                                                  : window(w, APERTURE_PRIVATE);
  uint64_t memory = all & ~shared & ~private;
  int only_shared = shared == all;
  if (w->state == WAVE_FAULT || !check_shared(w, &shared, op->bytes) ||
      (a->lanes = private, !memory_private(w)) ||
      (a->lanes = memory, !memory_check(w, op->bytes)))
    return;
  if (memory)
    memory_move(w, i, op, 0, 4);
  if ((a->lanes = private))
    memory_move_swizzled(w, i, op, PRIVATE_STEP);
  if ((a->lanes = shared))
    memory_move(w, i, op, (uintptr_t)w->group->lds, 4);
  /* A mixed access is reported as what its lanes outside LDS did. */
  a->lds = (uint8_t)only_shared;
  a->lanes = a->lds ? shared : memory | private;
}

static void flat(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->as);
  uint64_t high = 0;
  unsigned l;
  memory_begin(w, op, 1, 0);
  global_addresses(w, i);
  FOR_LANES(l, w->access.lanes)
    high |= w->access.addr[0][l];
  if (high & (APERTURE_SHARED | APERTURE_PRIVATE | APERTURE_LANES))
    split(w, i, op);
  else if (memory_check(w, op->bytes))
    memory_move(w, i, op, 0, 4);
}

exec_fn *flat_handler(const struct inst *i)
{
  const struct memory_op *op = memory_op_find(i->as);
  exec_fn *to_lds = lds_dma_handler(i);
  if (to_lds)
    return to_lds;
  if (i->as > 127 || op->kind == MEMORY_NONE || i->flags & INST_LDS)
    return NULL;
  if (i->format == SCRATCH)
    return op->kind == MEMORY_ATOMIC ? NULL : scratch;
  if (i->format == FLAT)
    return flat;
  return isa_at(i->isa)->clusters ? global_counted : global;
}
