/* ds_lane.c - DS instructions that go by lanes rather than by addresses. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/run/atomic.h"
#include "runtimes/sim/run/ds.h"

static void begin_lanes(struct wave *w)
{
  static const struct memory_op nothing = {0};
  memory_begin(w, &nothing, 0, 1);
}

void ds_nothing(struct wave *w, const struct inst *i)
{
  (void)i;
  begin_lanes(w);
}

static unsigned reverse5(unsigned n)
{
  unsigned out = 0;
  for (unsigned bit = 0; bit < 5; bit++)
    out |= (n >> bit & 1) << (4 - bit);
  return out;
}

/* The lane of a half wave that lane l reads. Modes by the top offset bits:
 * 111 FFT, 110 rotate, 1 quad permutation, 0 and/or/xor masks. */
static unsigned swizzle_source(unsigned offset, unsigned l)
{
  unsigned mask = offset & 31, amount = offset >> 5 & 31;
  if (offset >= 0xe000)
    return reverse5(l) >> __builtin_popcount(mask) | (l & mask);
  if (offset >= 0xc000) {
    unsigned turned = offset & 0x400 ? l - amount : l + amount;
    return (l & mask) | (turned & ~mask & 31);
  }
  if (offset & 0x8000)
    return (l & ~3u) | (offset >> (l & 3) * 2 & 3);
  return ((l & mask) | amount) ^ (offset >> 10 & 31);
}

static uint8_t lane_at(const struct wave *w, const struct inst *i, unsigned l)
{
  uint32_t at = w->v[vgpr(i->src[0])][l] + (i->offset & 0xffff);
  return at / 4 % (w->half ? LANES / 2 : LANES);
}

void ds_swizzle_sources(const struct wave *w, const struct inst *i,
                        uint8_t source[LANES])
{
  (void)w;
  for (unsigned l = 0; l < LANES; l++)
    source[l] =
        (uint8_t)((l & 32) | swizzle_source(i->offset & 0xffff, l & 31));
}

void ds_bpermute_sources(const struct wave *w, const struct inst *i,
                         uint8_t source[LANES])
{
  for (unsigned l = 0; l < LANES; l++)
    source[l] = lane_at(w, i, l);
}

/* Where several lanes send to one, the highest lane is received. */
void ds_permute_sources(const struct wave *w, const struct inst *i,
                        uint8_t source[LANES])
{
  unsigned l;
  memset(source, LANES, LANES);
  FOR_LANES(l, WAVE_EXEC(w))
    source[lane_at(w, i, l)] = (uint8_t)l;
}

/* Active lanes get what from[source] holds, or 0 where that lane is off. */
static void gather(struct wave *w, const struct inst *i, const uint32_t *from,
                   const uint8_t *source)
{
  uint64_t exec = WAVE_EXEC(w);
  uint32_t out[LANES];
  unsigned l;
  for (l = 0; l < LANES; l++)
    out[l] = source[l] < LANES && exec >> source[l] & 1 ? from[source[l]] : 0;
  FOR_LANES(l, exec)
    w->v[i->dst][l] = out[l];
}

void ds_swizzle(struct wave *w, const struct inst *i)
{
  uint8_t source[LANES];
  begin_lanes(w);
  ds_swizzle_sources(w, i, source);
  gather(w, i, w->v[vgpr(i->src[0])], source);
}

void ds_bpermute(struct wave *w, const struct inst *i)
{
  uint8_t source[LANES];
  begin_lanes(w);
  ds_bpermute_sources(w, i, source);
  gather(w, i, w->v[vgpr(i->src[1])], source);
}

void ds_permute(struct wave *w, const struct inst *i)
{
  uint8_t source[LANES];
  begin_lanes(w);
  ds_permute_sources(w, i, source);
  gather(w, i, w->v[vgpr(i->src[1])], source);
}

void ds_addtid(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ds_op_find(i->as)->move;
  uint32_t base = (i->offset & 0xffff) + (w->s[CODE_M0] & 0xffff);
  memory_begin(w, op, 1, 1);
  for (unsigned l = 0; l < LANES; l++)
    w->access.addr[0][l] = base + 4 * l;
  if (lds_check(w, 0, 4))
    memory_move(w, i, op, (uintptr_t)w->group->lds, 4);
}

/* One counter at M0 + offset goes up or down by the active lanes; each of
 * them gets its old value. */
void ds_count(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ds_op_find(i->as)->move;
  uint32_t at = (i->offset & 0xffff) + (w->s[CODE_M0] & 0xffff);
  unsigned l;
  memory_begin(w, op, 1, 1);
  w->access.load = 1;
  for (l = 0; l < LANES; l++)
    w->access.addr[0][l] = at;
  if (!w->access.lanes || !lds_check(w, 0, 4))
    return;
  uint32_t *counter = (uint32_t *)(w->group->lds + at), old = *counter;
  uint64_t lanes = (uint64_t)__builtin_popcountll(w->access.lanes);
  *counter = (uint32_t)atomic_result(op->atomic, 4, old, lanes, 0, w->mode);
  FOR_LANES(l, w->access.lanes)
    w->v[i->dst][l] = old;
}
