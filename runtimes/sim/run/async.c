/* async.c - see async.h.
 *
 * The LDS address is in the VGPR of the destination's field, or of a store's data;
 * the instruction's offset counts on both sides (LLVM 22's tests of the gfx1250
 * encodings; CK's test_cluster_load_async_to_lds).
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/async.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/run/memory.h"
#include "runtimes/sim/run/own.h"

enum {MOST = 63, WIDEST = 16};

struct flight {
  uint32_t at;          /* the instruction */
  uint32_t lanes;
  uint32_t lds[LANES / 2];
  uint32_t first, end;  /* of the tensor mover's: the dwords that it may own */
  uint8_t bytes, is_load;
};

struct flights { /* of a wave and counter, first in, first out */
  struct flight ring[MOST];
  unsigned first, n;
};

struct async {
  uint32_t *owner; /* of each dword of LDS: 0, or owner_of() */
  size_t dwords;
  struct flights waves[]; /* by wave and counter */
};

static struct flights *flights_of(struct async *a, unsigned wave, unsigned counter)
{
  return &a->waves[wave * ASYNC_COUNTERS + counter];
}

/* A number from 1 on: wave, counter, slot. */
static uint32_t owner_of(const struct wave *w, unsigned counter, unsigned slot)
{
  return 1 + (w->index * ASYNC_COUNTERS + counter) * MOST + slot;
}

static struct flight *flight_of(struct async *a, uint32_t owner)
{
  return &a->waves[(owner - 1) / MOST].ring[(owner - 1) % MOST];
}

static unsigned counter_of(uint32_t owner)
{
  return (owner - 1) / MOST % ASYNC_COUNTERS;
}

static struct async *open_async(struct group *g)
{
  if (g->async)
    return g->async;
  size_t dwords = g->lds_bytes / 4 + 1;
  struct async *a = mem_alloc(sizeof *a + (size_t)g->nwaves * ASYNC_COUNTERS *
                                              sizeof *a->waves);
  a->owner = mem_array(dwords, sizeof *a->owner);
  a->dwords = dwords;
  return g->async = a;
}

void async_free(struct group *g)
{
  if (g->async)
    free(g->async->owner);
  free(g->async);
  g->async = NULL;
}

void async_reset(struct group *g)
{
  async_free(g);
}

static void mark(struct async *a, const struct flight *f, uint32_t owner)
{
  unsigned l;
  FOR_LANES(l, f->lanes)
    for (uint32_t at = f->lds[l] / 4; at <= (f->lds[l] + f->bytes - 1) / 4; at++)
      a->owner[at] = owner;
}

/* What another began in the same place meanwhile stays. */
static void unmark(struct async *a, const struct flight *f, uint32_t owner)
{
  unsigned l;
  FOR_LANES(l, f->lanes)
    for (uint32_t at = f->lds[l] / 4; at <= (f->lds[l] + f->bytes - 1) / 4; at++)
      if (a->owner[at] == owner)
        a->owner[at] = 0;
  for (uint32_t at = f->first; at < f->end; at++)
    if (a->owner[at] == owner)
      a->owner[at] = 0;
}

void async_wait(struct wave *w, enum async_counter counter, unsigned left)
{
  struct async *a = w->group->async;
  if (!a)
    return;
  struct flights *f = flights_of(a, w->index, counter);
  for (; f->n > left; f->n--) {
    unmark(a, &f->ring[f->first], owner_of(w, counter, f->first));
    f->first = (f->first + 1) % MOST;
  }
}

/* Hardware stops a wave that has as many under way as the counter holds. */
static uint32_t begin(struct wave *w, unsigned counter, const struct flight *made)
{
  struct async *a = open_async(w->group);
  struct flights *f = flights_of(a, w->index, counter);
  async_wait(w, counter, MOST - 1);
  unsigned slot = (f->first + f->n++) % MOST;
  f->ring[slot] = *made;
  mark(a, made, owner_of(w, counter, slot));
  return owner_of(w, counter, slot);
}

uint32_t async_tensor(struct wave *w, int is_load)
{
  struct flight f = {.at = w->at, .is_load = (uint8_t)is_load};
  return begin(w, ASYNC_TENSOR, &f);
}

void async_tensor_bytes(struct wave *w, uint32_t owner, uint32_t at,
                        uint32_t bytes)
{
  struct async *a = w->group->async;
  struct flight *f = flight_of(a, owner);
  uint32_t first = at / 4, end = (at + bytes + 3) / 4;
  f->first = f->end && f->first < first ? f->first : first;
  f->end = f->end > end ? f->end : end;
  for (; first < end; first++)
    a->owner[first] = owner;
}

enum {NO_LANE = -1};

static int refuse(struct wave *w, int lane, uint64_t at, uint32_t owner)
{
  const struct flight *f = flight_of(w->group->async, owner);
  char place[160], who[20] = "";
  wave_place(w, f->at, place, sizeof place);
  place[strcspn(place, ":")] = 0;
  if (lane != NO_LANE)
    snprintf(who, sizeof who, "lane %d: ", lane);
  wave_fault(w, FAULT_LAUNCH,
             "%sLDS address 0x%llx %s by wave %u's %s, which it has not "
             "waited for; s_wait_%s is missing between the two", who,
             (unsigned long long)at,
             f->is_load ? "is being written" : "is still being read",
             (owner - 1) / MOST / ASYNC_COUNTERS, place,
             counter_of(owner) == ASYNC_TENSOR ? "tensorcnt" : "asynccnt");
  return 0;
}

int async_tensor_may(struct wave *w, int is_load, uint32_t at, uint32_t bytes)
{
  struct async *a = w->group->async;
  if (!a)
    return 1;
  for (uint32_t n = at / 4; n < (at + bytes + 3) / 4; n++)
    if (a->owner[n] && (is_load || flight_of(a, a->owner[n])->is_load))
      return refuse(w, NO_LANE, (uint64_t)n * 4, a->owner[n]);
  return 1;
}

int async_check(struct wave *w, unsigned k, unsigned bytes)
{
  const struct access *x = &w->access;
  struct async *a = w->group->async;
  unsigned l;
  FOR_LANES(l, x->lanes)
    for (uint64_t at = x->addr[k][l] / 4;
         at <= (x->addr[k][l] + bytes - 1) / 4 && at < a->dwords; at++) {
      uint32_t owner = a->owner[at];
      if (!owner)
        continue;
      if (flight_of(a, owner)->is_load || x->store || x->atomic)
        return refuse(w, (int)l, x->addr[k][l], owner);
    }
  return 1;
}

/* --- the instructions ----------------------------------------------------- */

/* LDS addresses of the active lanes, from a VGPR; 0, with a fault, where one lies
 * outside. */
static int lds_addresses(struct wave *w, const struct inst *i, unsigned v,
                         struct flight *f)
{
  unsigned l, size = w->group->lds_bytes;
  FOR_LANES(l, f->lanes) {
    f->lds[l] = w->v[v][l] + (uint32_t)i->imm;
    if (f->lds[l] <= size && f->bytes <= size - f->lds[l])
      continue;
    wave_fault(w, FAULT_ADDRESS,
               "lane %u: LDS address 0x%x (%u bytes) is outside the workgroup's "
               "%u bytes", l, f->lds[l], f->bytes, size);
    return 0;
  }
  return 1;
}

static int start(struct wave *w, const struct inst *i, struct flight *f,
                 unsigned bytes, unsigned lds)
{
  const struct memory_op op = {f->is_load ? MEMORY_LOAD : MEMORY_STORE,
                               (uint8_t)bytes, 0, WHOLE, 0};
  memory_begin(w, &op, 1, 0);
  global_addresses(w, i);
  f->at = w->at;
  f->bytes = (uint8_t)bytes;
  f->lanes = (uint32_t)w->access.lanes;
  return lds_addresses(w, i, lds, f) && memory_check(w, bytes);
}

/* Who looks on cannot see it by the wave's access. */
static void tell_watch(struct wave *w, const struct flight *f)
{
  struct watch *watch = w->group->dispatch->watch;
  unsigned l;
  if (watch)
    FOR_LANES(l, f->lanes)
      watch->moved(watch, w, f->lds[l], f->bytes, f->is_load);
}

static void load(struct wave *w, const struct inst *i, unsigned bytes,
                 int multicast)
{
  struct flight f = {.is_load = 1};
  unsigned l;
  if (!start(w, i, &f, bytes, i->dst))
    return;
  if (multicast && !cluster_receives(w))
    f.lanes = 0;
  FOR_LANES(l, f.lanes)
    memcpy(w->group->lds + f.lds[l],
           (const void *)(uintptr_t)w->access.addr[0][l], bytes);
  begin(w, ASYNC_LANES, &f);
  tell_watch(w, &f);
}

/* The LDS may itself be under way. */
static int settled(struct wave *w, const struct flight *f)
{
  uint64_t keep[LANES];
  unsigned l;
  int ok;
  if (!w->group->async)
    return 1;
  memcpy(keep, w->access.addr[0], sizeof keep);
  FOR_LANES(l, f->lanes)
    w->access.addr[0][l] = f->lds[l];
  w->access.store = 0;
  ok = async_check(w, 0, f->bytes);
  w->access.store = 1;
  memcpy(w->access.addr[0], keep, sizeof keep);
  return ok;
}

static void store(struct wave *w, const struct inst *i, unsigned bytes)
{
  struct flight f = {.is_load = 0};
  unsigned l;
  if (!start(w, i, &f, bytes, i->src[1] - CODE_VGPR) || !settled(w, &f))
    return;
  FOR_LANES(l, f.lanes)
    memcpy((void *)(uintptr_t)w->access.addr[0][l], w->group->lds + f.lds[l],
           bytes);
  begin(w, ASYNC_LANES, &f);
  tell_watch(w, &f);
}

#define ASYNC(suffix, bytes) \
  void own_global_load_async_to_lds_##suffix(struct wave *w, \
                                             const struct inst *i) \
  { \
    load(w, i, bytes, 0); \
    cluster_count(w); \
  } \
  void own_cluster_load_async_to_lds_##suffix(struct wave *w, \
                                              const struct inst *i) \
  { \
    load(w, i, bytes, 1); \
  } \
  void own_global_store_async_from_lds_##suffix(struct wave *w, \
                                                const struct inst *i) \
  { \
    store(w, i, bytes); \
  }
ASYNC(b8, 1)
ASYNC(b32, 4)
ASYNC(b64, 8)
ASYNC(b128, WIDEST)
