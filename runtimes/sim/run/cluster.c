/* cluster.c - see cluster.h. Registers: what clang 22 reads for
 * __builtin_amdgcn_cluster_* and workgroup ids. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/async.h"
#include "runtimes/sim/run/memory.h"
#include "runtimes/sim/run/own.h"

enum {LINE = 128, TTMP = CODE_TTMP0};

uint32_t cluster_size(const struct dispatch *d)
{
  uint32_t n = 1;
  for (int axis = 0; axis < 3; axis++)
    n *= d->cluster[axis] ? d->cluster[axis] : 1;
  return n;
}

static uint32_t side(const struct dispatch *d, int axis)
{
  return d->cluster[axis] ? d->cluster[axis] : 1;
}

/* TTMP6: the group's place in the cluster, 4 bits an axis; then the cluster's
 * extent less 1, and its size less 1. */
void cluster_place(struct wave *w)
{
  const struct group *g = w->group;
  const struct dispatch *d = g->dispatch;
  uint32_t id[3], packed = 0;
  for (int axis = 0; axis < 3; axis++) {
    uint32_t n = side(d, axis);
    id[axis] = g->id[axis] / n;
    packed |= g->id[axis] % n << 4 * axis | (n - 1) << (12 + 4 * axis);
  }
  w->s[TTMP + 6] = packed | (cluster_size(d) - 1) << 24;
  w->s[TTMP + 7] = (id[1] & 0xffff) | id[2] << 16;
  w->s[TTMP + 9] = id[0];
}

uint32_t cluster_status(const struct wave *w)
{
  const struct group *g = w->group;
  return (cluster_size(g->dispatch) - 1) << 6 | g->rank << 21;
}

/* --- requests to the L2 --------------------------------------------------- */

struct request {
  uint64_t line;
  uint32_t wave, load; /* of its group; its cluster loads before this one */
  uint32_t mask, taken;
};

static uint64_t hash(const struct request *r)
{
  uint64_t h = r->line * 0x9e3779b97f4a7c15u ^ (uint64_t)r->load << 32 ^
               r->wave << 20 ^ r->mask;
  return (h ^ h >> 29) * 0xbf58476d1ce4e5b9u >> 7;
}

static int is_same(const struct request *a, const struct request *b)
{
  return a->line == b->line && a->wave == b->wave && a->load == b->load &&
         a->mask == b->mask;
}

static struct request *slot(struct request *table, size_t room,
                            const struct request *r)
{
  size_t n = hash(r) & (room - 1);
  while (table[n].taken && !is_same(&table[n], r))
    n = (n + 1) & (room - 1);
  return &table[n];
}

static void grow(struct cluster *c)
{
  size_t room = c->room ? 2 * c->room : 1024;
  struct request *table = mem_array(room, sizeof *table);
  for (size_t n = 0; n < c->room; n++)
    if (c->requests[n].taken)
      *slot(table, room, &c->requests[n]) = c->requests[n];
  free(c->requests);
  c->requests = table;
  c->room = room;
}

/* Has another group of the mask asked for it, by the same load? */
static int asked_before(struct cluster *c, struct request r)
{
  if (2 * c->used >= c->room)
    grow(c);
  struct request *at = slot(c->requests, c->room, &r);
  if (at->taken)
    return 1;
  *at = r;
  at->taken = 1;
  c->used++;
  return 0;
}

/* Lines of the active lanes, each once. */
static unsigned lines_of(const struct wave *w, uint64_t lines[2 * LANES])
{
  const struct access *a = &w->access;
  unsigned n = 0, l;
  FOR_LANES(l, a->lanes)
    for (uint64_t at = a->addr[0][l] / LINE;
         at <= (a->addr[0][l] + a->bytes - 1) / LINE; at++) {
      unsigned k = 0;
      while (k < n && lines[k] != at)
        k++;
      lines[k] = at;
      n += k == n;
    }
  return n;
}

void cluster_count(struct wave *w)
{
  uint64_t lines[2 * LANES];
  w->lines += lines_of(w, lines);
}

static void ask(struct wave *w, uint32_t mask, uint32_t load, uint64_t line)
{
  struct cluster *c = w->group->cluster;
  w->lines++;
  if (c && mask)
    w->merged += (uint64_t)asked_before(
        c, (struct request){line, w->index, load, mask, 1});
}

int cluster_named(const struct wave *w, uint32_t mask)
{
  const struct group *g = w->group;
  return !mask || !g->cluster || mask >> g->rank & 1;
}

int cluster_receives(struct wave *w)
{
  uint64_t lines[2 * LANES];
  uint32_t mask = w->s[CODE_M0] & 0xffff;
  if (!cluster_named(w, mask))
    return 0;
  for (unsigned n = lines_of(w, lines); n--;)
    ask(w, mask, w->multicasts, lines[n]);
  w->multicasts++;
  return 1;
}

void cluster_ask(struct wave *w, uint32_t mask, uint32_t load, uint64_t at,
                 uint64_t bytes)
{
  for (uint64_t line = at / LINE; line <= (at + bytes - 1) / LINE; line++)
    ask(w, mask, load, line);
}

static void load(struct wave *w, const struct inst *i, unsigned bytes)
{
  const struct memory_op op = {MEMORY_LOAD, (uint8_t)bytes, 0, WHOLE, 0};
  memory_begin(w, &op, 1, 0);
  global_addresses(w, i);
  if (memory_check(w, bytes) && cluster_receives(w))
    memory_move(w, i, &op, 0, 4);
}

#define LOAD(suffix, bytes) \
  void own_cluster_load_##suffix(struct wave *w, const struct inst *i) \
  { \
    load(w, i, bytes); \
  }
LOAD(b32, 4)
LOAD(b64, 8)
LOAD(b128, 16)

/* There is no cache to write back, invalidate or fill. */
#define NOTHING(name) \
  void own_##name(struct wave *w, const struct inst *i) \
  { \
    (void)w, (void)i; \
  }
NOTHING(global_inv)
NOTHING(global_wb)
NOTHING(global_wbinv)
NOTHING(global_prefetch_b8)
NOTHING(flat_prefetch_b8)

/* --- running -------------------------------------------------------------- */

/* Dispatch order index of the cluster's group of a rank. */
static uint64_t group_index(const struct dispatch *d, uint64_t cluster,
                            uint32_t rank)
{
  uint64_t at[3];
  for (int axis = 0; axis < 3; axis++) {
    uint32_t n = side(d, axis), clusters = d->grid[axis] / n;
    at[axis] = cluster % clusters * n + rank % n;
    cluster /= clusters;
    rank /= n;
  }
  return at[0] + d->grid[0] * (at[1] + (uint64_t)d->grid[1] * at[2]);
}

static void close_cluster(struct cluster *c)
{
  for (uint32_t n = 0; n < c->size; n++)
    group_free(c->groups[n]);
  free(c->requests);
}

static int open_cluster(struct cluster *c, const struct dispatch *d,
                        uint64_t index, struct fault *fault)
{
  *c = (struct cluster){.size = cluster_size(d)};
  for (uint32_t n = 0; n < c->size; n++) {
    c->groups[n] = group_new(d, group_index(d, index, n));
    if (!c->groups[n]) {
      close_cluster(c);
      return dispatch_no_memory(d, fault);
    }
    c->groups[n]->cluster = c;
    c->groups[n]->rank = n;
    c->live |= (uint32_t)1 << n;
  }
  return 0;
}

/* A wave that waits; all of the cluster do, or have ended. */
static struct wave *waiting(struct cluster *c)
{
  for (uint32_t n = 0; n < c->size; n++)
    for (uint32_t k = 0; k < c->groups[n]->nwaves; k++)
      if (c->groups[n]->waves[k].state == WAVE_BARRIER)
        return &c->groups[n]->waves[k];
  for (uint32_t n = 0; n < c->size; n++)
    for (uint32_t k = 0; k < c->groups[n]->nwaves; k++)
      if (c->groups[n]->waves[k].state == WAVE_RUN)
        return &c->groups[n]->waves[k];
  return NULL;
}

static int blocked(struct cluster *c, struct fault *fault)
{
  struct wave *w = waiting(c);
  if (w->state == WAVE_BARRIER)
    barrier_blocked(w);
  else
    wave_fault(w, FAULT_TIMEOUT, "waits for memory to change, and so do all the "
               "workgroups of its cluster that could change it");
  *fault = w->fault;
  return fault->code;
}

/* One turn of each group; *progress: did any do something? */
static int take_turns(struct cluster *c, int *progress, struct fault *fault)
{
  *progress = 0;
  for (uint32_t n = 0; n < c->size; n++) {
    if (!(c->live >> n & 1))
      continue;
    int code = group_run(c->groups[n], fault);
    *progress |= code != GROUP_STUCK;
    if (!code)
      cluster_end(c, n);
    if (code > 0)
      return code;
  }
  return 0;
}

static int run_cluster(struct cluster *c, struct fault *fault)
{
  int progress = 1;
  while (c->live) {
    if (!progress)
      return blocked(c, fault);
    int code = take_turns(c, &progress, fault);
    if (code)
      return code;
  }
  return 0;
}

int cluster_run_all(const struct dispatch *d, struct counts *counts,
                    struct fault *fault)
{
  uint64_t clusters = dispatch_groups(d) / cluster_size(d);
  for (uint64_t n = 0; n < clusters; n++) {
    struct cluster c;
    int code = open_cluster(&c, d, n, fault);
    if (code)
      return code;
    code = run_cluster(&c, fault);
    for (uint32_t k = 0; k < c.size && !code; k++)
      counts_add(counts, c.groups[k]);
    close_cluster(&c);
    if (code)
      return code;
  }
  return 0;
}
