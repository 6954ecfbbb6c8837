/* lds_barrier.c - see lds_barrier.h, and the DS instructions that arrive.
 *
 * One of them arrives when all asynchronous loads and stores that its wave began
 * are done: here they are, so that nobody needs to wait for them any more. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/gfx1250/lds_barrier.h"

#include <string.h>

#include "runtimes/sim/run/async.h"
#include "runtimes/sim/run/ds.h"
#include "runtimes/sim/run/own.h"

enum {PHASE = 16, EACH = 32, FIELD = 0xffff, BYTES = 8};

static uint64_t arrived(uint64_t cell, uint64_t count)
{
  uint64_t pending = cell & FIELD, each = cell >> EACH & FIELD;
  uint64_t phase = cell >> PHASE & FIELD;
  if (count <= pending) {
    pending -= count;
  } else { /* the last of a phase begins the next one */
    count -= pending + 1;
    phase -= 1 + count / (each + 1);
    pending = each - count % (each + 1);
  }
  return (cell & ~(uint64_t)0xffffffff) | (phase & FIELD) << PHASE | pending;
}

uint64_t lds_barrier_arrive(struct wave *w, uint32_t at, uint64_t count)
{
  uint64_t cell, next;
  memcpy(&cell, w->group->lds + at, sizeof cell);
  next = arrived(cell, count);
  memcpy(w->group->lds + at, &next, sizeof next);
  w->changes += next != cell;
  return cell;
}

/* Each active lane arrives, `count` of register pair v times, or once. */
static void arrive(struct wave *w, const struct inst *i, int by_count, int returns)
{
  static const struct memory_op op = {MEMORY_ATOMIC, BYTES, 0, WHOLE, 0};
  unsigned data = vgpr(i->src[1]), l;
  memory_begin(w, &op, 1, 1);
  w->access.load = (uint8_t)returns;
  if (!ds_addresses(w, vgpr(i->src[0]), i->offset & 0xffff, BYTES, 0))
    return;
  FOR_LANES(l, w->access.lanes) {
    uint64_t count = by_count ? w->v[data][l] | (uint64_t)w->v[data + 1][l] << 32 : 1;
    uint64_t before = lds_barrier_arrive(w, (uint32_t)w->access.addr[0][l], count);
    if (!returns)
      continue;
    w->v[i->dst][l] = (uint32_t)before;
    w->v[i->dst + 1][l] = (uint32_t)(before >> 32);
  }
}

void own_ds_atomic_barrier_arrive_rtn_b64(struct wave *w, const struct inst *i)
{
  arrive(w, i, 1, 1);
}

void own_ds_atomic_async_barrier_arrive_b64(struct wave *w, const struct inst *i)
{
  async_wait(w, ASYNC_LANES, 0);
  arrive(w, i, 0, 0);
}
