/* group.c - a workgroup: its waves' first registers, and running it.
 *
 * Initial registers follow the kernel descriptor: LLVM's "User Guide for
 * AMDGPU Backend", tables "SGPR Register Set Up Order" and "VGPR Register Set
 * Up Order". With architected flat scratch (isa.h, own_scratch) no SGPR says
 * where private memory is.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "runtimes/sim/run/async.h"
#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/spin.h"

/* What registers and LDS hold before a kernel writes them. Hardware leaves
 * what was there before; a NaN makes such a read show in the results. */
#define POISON 0x7fedcafeu

/* kernel_code_properties: which user SGPRs there are. */
enum {
  WANT_PRIVATE_BUFFER = 1 << 0,
  WANT_DISPATCH = 1 << 1,
  WANT_QUEUE = 1 << 2,
  WANT_KERNARG = 1 << 3,
  WANT_DISPATCH_ID = 1 << 4,
  WANT_FLAT_SCRATCH = 1 << 5,
  WANT_PRIVATE_SIZE = 1 << 6,
};

static unsigned field(uint32_t word, unsigned first, unsigned n)
{
  return word >> first & ((1u << n) - 1);
}

static void poison(void *at, size_t bytes)
{
  _Static_assert(sizeof(wchar_t) == 4, "for wmemset");
  wmemset(at, (wchar_t)POISON, bytes / 4);
}

static uint32_t *put64(uint32_t *s, uint64_t value)
{
  s[0] = (uint32_t)value;
  s[1] = (uint32_t)(value >> 32);
  return s + 2;
}

/* A resource over the group's private memory, swizzled so that a dword of all
 * 64 lanes is contiguous: swizzle enable (bit 63), index stride 64 (bits
 * 118:117 = 3), add the lane number (bit 119); stride 0. */
static uint32_t *put_private_buffer(uint32_t *s, uint64_t base, uint64_t bytes)
{
  s = put64(s, base | (uint64_t)1 << 63);
  return put64(s, bytes | (uint64_t)(3 << 21 | 1 << 23) << 32);
}

static uint32_t *put_user(const struct group *g, uint64_t base, uint32_t *s)
{
  const struct dispatch *d = g->dispatch;
  unsigned want = d->kernel->properties;
  uint64_t bytes = group_private_bytes(g);
  if (want & WANT_PRIVATE_BUFFER)
    s = put_private_buffer(s, base, bytes);
  if (want & WANT_DISPATCH)
    s = put64(s, d->packet);
  if (want & WANT_QUEUE)
    s = put64(s, d->queue);
  if (want & WANT_KERNARG)
    s = put64(s, d->kernarg);
  if (want & WANT_DISPATCH_ID)
    s = put64(s, 0);
  if (want & WANT_FLAT_SCRATCH) {
    s = put64(s, base);
  }
  if (want & WANT_PRIVATE_SIZE)
    *s++ = g->waves[0].scratch_lane;
  return s;
}

/* base is the group's private memory; each wave finds its own by the offset
 * in its last system SGPR. */
static void fill_sgprs(struct wave *w, uint64_t base)
{
  const struct group *g = w->group;
  uint32_t rsrc2 = g->dispatch->kernel->rsrc2;
  poison(w->s, sizeof w->s);
  uint32_t *user = put_user(g, base, w->s);
  uint32_t *s = w->s + field(rsrc2, 1, 5);
  if (s < user)
    s = user;
  for (int axis = 0; axis < 3; axis++)
    if (field(rsrc2, 7 + axis, 1) && !w->code->isa->clusters)
      *s++ = g->id[axis];
  if (field(rsrc2, 10, 1)) /* workgroup info: first wave, waves */
    *s++ = (w->index == 0) << 31 | g->nwaves;
  if (field(rsrc2, 0, 1) && !w->code->isa->own_scratch)
    *s++ = w->index * LANES * w->scratch_lane;
  w->s[CODE_M0] = 0;
  if (w->code->isa->clusters)
    cluster_place(w);
}

/* Float mode and the enables of rsrc1 where MODE has them. */
static uint32_t initial_mode(const struct isa *isa, uint32_t rsrc1)
{
  if (isa->no_ieee)
    return field(rsrc1, 12, 8) | MODE_DX10_CLAMP |
           (field(rsrc1, 26, 1) ? (uint32_t)MODE_FP16_OVFL : 0);
  return field(rsrc1, 12, 8) | (field(rsrc1, 21, 1) ? MODE_DX10_CLAMP : 0) |
         (field(rsrc1, 23, 1) ? MODE_IEEE : 0) |
         (field(rsrc1, 26, 1) ? (uint32_t)MODE_FP16_OVFL : 0);
}

/* All three in one register, where the architecture has them so. */
static void put_ids(struct wave *w, unsigned lane, const uint32_t id[3],
                    unsigned ids)
{
  if (w->code->isa->packed_ids) {
    w->v[0][lane] = id[0] | id[1] << 10 | id[2] << 20;
    return;
  }
  for (unsigned n = 0; n < ids && n < 3; n++)
    w->v[n][lane] = id[n];
}

static void fill_vgprs(struct wave *w, const uint32_t block[3])
{
  unsigned ids = 1 + field(w->group->dispatch->kernel->rsrc2, 11, 2);
  poison(w->v, (w->nv + w->na) * sizeof *w->v);
  unsigned lanes = w->code->isa->lanes;
  uint32_t thread = w->index * lanes;
  uint32_t id[3] = {thread % block[0], thread / block[0] % block[1],
                    thread / block[0] / block[1]};
  for (unsigned lane = 0; lane < lanes; lane++) {
    put_ids(w, lane, id, ids);
    if (++id[0] < block[0])
      continue;
    id[0] = 0;
    if (++id[1] < block[1])
      continue;
    id[1] = 0;
    id[2]++;
  }
}

static void wave_init(struct group *g, unsigned index, uint64_t base,
                      const uint32_t block[3])
{
  const struct dispatch *d = g->dispatch;
  struct wave *w = &g->waves[index];
  *w = (struct wave){.v = w->v, .nv = w->nv, .na = w->na, .group = g,
                     .scratch_lane = w->scratch_lane};
  w->ns = d->kernel->sgprs;
  w->index = index;
  w->simd = index & 3;
  w->code = d->kernel->object;
  w->pc = w->at = d->kernel->entry;
  w->half = w->code->isa->lanes == LANES / 2;
  w->mode = initial_mode(w->code->isa, d->kernel->rsrc1);
  w->scratch = base ? base + index * wave_private_bytes(w) : 0;
  fill_sgprs(w, base);
  fill_vgprs(w, block);
  uint32_t lanes = w->code->isa->lanes;
  uint32_t left = block[0] * block[1] * block[2] - index * lanes;
  WAVE_EXEC(w) = left >= LANES ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
  WAVE_EXEC(w) &= ~(uint64_t)0 >> (LANES - lanes);
}

static size_t align64(size_t n)
{
  return (n + 63) & ~(size_t)63;
}

/* One block: the group, its waves, their VGPRs, LDS. */
static struct group *group_alloc(uint32_t nwaves, const struct kernel *k,
                                 uint32_t lds)
{
  int unified = k->object->isa->agprs == AGPRS_UNIFIED;
  uint32_t nv = k->vgprs - (unified ? k->agprs : 0);
  size_t waves = align64(sizeof(struct group));
  size_t vgprs = waves + align64(nwaves * sizeof(struct wave));
  size_t file = (size_t)(nv + k->agprs) * LANES * 4;
  size_t shared = vgprs + nwaves * file;
  uint8_t *block = aligned_alloc(64, align64(shared + lds + LDS_NOTHING));
  if (!block)
    return NULL;
  memset(block, 0, vgprs);
  struct group *g = (struct group *)block;
  g->waves = (struct wave *)(block + waves);
  g->nwaves = nwaves;
  for (uint32_t n = 0; n < nwaves; n++) {
    g->waves[n].v = (uint32_t(*)[LANES])(block + vgprs + n * file);
    g->waves[n].nv = nv;
    g->waves[n].na = k->agprs;
    g->waves[n].group = g;
  }
  g->lds = block + shared;
  g->lds_bytes = lds;
  memset(g->lds + lds, 0, LDS_NOTHING);
  return g;
}

static uint32_t waves_of(const struct dispatch *d, const uint32_t block[3])
{
  uint32_t lanes = d->kernel->object->isa->lanes;
  return (block[0] * block[1] * block[2] + lanes - 1) / lanes;
}

/* g has the waves of a whole group; of the last ones of an axis some may have
 * nothing to do. */
static void start(struct group *g, uint64_t private, uint64_t index)
{
  const struct dispatch *d = g->dispatch;
  uint32_t block[3], whole = g->nwaves;
  for (int axis = 0; axis < 3; axis++) {
    g->id[axis] = (uint32_t)(index % d->grid[axis]);
    index /= d->grid[axis];
    block[axis] = dispatch_block(d, axis, g->id[axis]);
  }
  g->nwaves = waves_of(d, block);
  g->barrier = (struct barrier){0};
  async_reset(g);
  g->arrived = g->ended = 0;
  g->waits = 0;
  poison(g->lds, d->lds);
  for (uint32_t n = 0; n < g->nwaves; n++)
    wave_init(g, n, private, block);
  for (uint32_t n = g->nwaves; n < whole; n++)
    g->waves[n].state = WAVE_END;
  if (d->watch)
    d->watch->start(d->watch, g);
}

struct group *group_new(const struct dispatch *d, uint64_t index)
{
  uint32_t nwaves = waves_of(d, d->block);
  struct group *g = group_alloc(nwaves, d->kernel, d->lds);
  if (!g)
    return NULL;
  g->dispatch = d;
  g->lds_open = d->lds_open;
  for (uint32_t n = 0; n < nwaves; n++)
    g->waves[n].scratch_lane = (d->kernel->scratch + 3) & ~3u;
  uint64_t private = 0;
  if (group_private_bytes(g)) {
    private = (uint64_t)(uintptr_t)arena_alloc(d->arena, group_private_bytes(g));
    if (!private) {
      free(g);
      return NULL;
    }
  }
  start(g, private, index);
  return g;
}

void group_renew(struct group *g, uint64_t index)
{
  uint64_t private = g->waves[0].scratch;
  g->nwaves = waves_of(g->dispatch, g->dispatch->block);
  if (private)
    arena_clear((void *)(uintptr_t)private, group_private_bytes(g));
  start(g, private, index);
}

void group_free(struct group *g)
{
  if (!g)
    return;
  if (g->dispatch->watch)
    g->dispatch->watch->end(g->dispatch->watch, g);
  async_free(g);
  if (g->waves[0].scratch)
    arena_free(g->dispatch->arena, (void *)(uintptr_t)g->waves[0].scratch);
  free(g);
}

int group_release(struct group *g)
{
  if (g->waves->half) {
    barrier_leave(g);
    return barrier_release(g);
  }
  if (!g->arrived || g->arrived + g->ended < g->nwaves)
    return 0;
  if (g->dispatch->watch)
    g->dispatch->watch->barrier(g->dispatch->watch, g);
  for (uint32_t n = 0; n < g->nwaves; n++)
    if (g->waves[n].state == WAVE_BARRIER)
      g->waves[n].state = WAVE_RUN;
  g->arrived = 0;
  return 1;
}

int wave_overran(struct wave *w, uint64_t limit)
{
  const struct group *g = w->group;
  if (!limit || w->executed < limit || w->state != WAVE_RUN)
    return 0;
  if (g->arrived)
    wave_fault(w, FAULT_TIMEOUT,
               "still running after %llu instructions while %u of %u waves "
               "wait at a barrier that it never reaches",
               (unsigned long long)w->executed, g->arrived, g->nwaves);
  else
    wave_fault(w, FAULT_TIMEOUT,
               "still running after %llu instructions; an endless loop, or a "
               "wait that nobody ends?",
               (unsigned long long)w->executed);
  return 1;
}

/* Waves take turns, so that one that waits for another through LDS or memory
 * does not wait for ever. From a barrier on the turns are short: on a card they
 * run side by side, and what one reads behind the barrier another has not yet
 * written anew some hundred instructions later. rocSOLVER's syevj reads sums
 * like that, with no barrier before they are overwritten. */
enum {SLICE = 1 << 16, TASTE = 1 << 13, SHORT = 1 << 6, SHORT_TURNS = 8};

/* Where others of its group can run, one that only waits gives its turn to
 * them: as the rows of a triangular solver wait for those before them. */
static void take_turn(struct wave *w, uint64_t budget)
{
  const struct group *g = w->group;
  uint64_t taste = budget < TASTE ? budget : TASTE;
  wave_run(w, taste);
  if (w->state == WAVE_RUN && budget > taste &&
      (g->arrived + g->ended + 1 == g->nwaves || !wave_spins(w)))
    wave_run(w, budget - taste);
}

static int take_turns(struct group *g, uint64_t slice, struct fault *fault)
{
  const uint64_t limit = g->dispatch->limit;
  for (uint32_t n = 0; n < g->nwaves; n++) {
    struct wave *w = &g->waves[n];
    uint64_t left = limit ? limit - w->executed : slice;
    take_turn(w, left < slice ? left : slice);
    if (w->state == WAVE_FAULT || wave_overran(w, limit)) {
      *fault = w->fault;
      return fault->code;
    }
  }
  return 0;
}

static int side_by_side(struct group *g, struct fault *fault)
{
  int code = 0;
  for (int n = 0; n < SHORT_TURNS && !code; n++)
    code = take_turns(g, SHORT, fault);
  return code;
}

/* Nothing goes on here unless another group does something. */
static int waits(struct group *g)
{
  for (uint32_t n = 0; n < g->nwaves; n++)
    if (g->waves[n].state == WAVE_RUN && !wave_spins(&g->waves[n]))
      return 0;
  return g->ended < g->nwaves;
}

int group_run(struct group *g, struct fault *fault)
{
  int released = g->cluster && group_release(g);
  if (g->waits && !released && waits(g))
    return GROUP_STUCK;
  g->waits = 0;
  for (released = 1; g->ended < g->nwaves; released = group_release(g)) {
    if (!released && waits(g)) {
      g->waits = 1;
      return GROUP_WAITS;
    }
    int code = released && g->nwaves > 1 ? side_by_side(g, fault) : 0;
    if (!code)
      code = take_turns(g, SLICE, fault);
    if (code)
      return code;
  }
  return 0;
}
