/* global.c - races in memory, between groups of a launch and between waves of a
 * group.
 *
 * For each dword the last write and one reader are known, by a segment: what a
 * wave does between two barriers, or between one that and something that orders
 * memory. Segments are numbered as they begin, so that a number is a time as
 * well. Waves of a group are ordered by barriers. Others are where the first has
 * released since its access, and the second has acquired since then:
 *   release   an atomic, or a store by one lane, once all stores before it are
 *             done
 *   acquire   an atomic that returns, a load with glc, an invalidated cache
 * In doubt this says that they are ordered.
 *
 * A store by one lane that releases, and loads with glc, are how compilers
 * write atomic stores and loads: two of them, or one and an atomic, are no race.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"
#include "runtimes/sim/run/memory.h"

struct cell {
  uint32_t write, write_who, value; /* write, read: segments */
  uint32_t read, read_who;
};

enum {PIECE_BITS = 14, CELLS = 1 << (PIECE_BITS - 2), FIRST_ROOM = 1 << 10,
      PIECES_MOST = 1 << 15, RECENT = 64};

struct piece {
  uint64_t number; /* (address >> PIECE_BITS) + 1; 0: none */
  struct cell *cells;
};

struct global {
  struct piece *pieces; /* a hash table */
  size_t n, room;
  struct piece recent[RECENT];
};

/* --- the shadow ----------------------------------------------------------- */

static size_t slot(const struct piece *pieces, size_t room, uint64_t number)
{
  size_t at = (size_t)(number * 0x9e3779b97f4a7c15 >> 32) & (room - 1);
  while (pieces[at].number && pieces[at].number != number)
    at = (at + 1) & (room - 1);
  return at;
}

static void enlarge(struct global *m)
{
  size_t room = m->room ? 2 * m->room : FIRST_ROOM;
  struct piece *pieces = mem_array(room, sizeof *pieces);
  for (size_t n = 0; n < m->room; n++)
    if (m->pieces[n].number)
      pieces[slot(pieces, room, m->pieces[n].number)] = m->pieces[n];
  free(m->pieces);
  m->pieces = pieces;
  m->room = room;
}

static struct cell *find_cells(struct global *m, uint64_t number)
{
  if (2 * m->n >= m->room)
    enlarge(m);
  struct piece *p = &m->pieces[slot(m->pieces, m->room, number)];
  if (!p->number) {
    *p = (struct piece){number, mem_array(CELLS, sizeof *p->cells)};
    m->n++;
  }
  m->recent[number % RECENT] = *p;
  return p->cells;
}

static inline struct cell *cell_at(struct global *m, uint64_t address)
{
  uint64_t number = (address >> PIECE_BITS) + 1;
  struct piece *recent = &m->recent[number % RECENT];
  struct cell *cells = recent->number == number ? recent->cells
                                                : find_cells(m, number);
  return &cells[address >> 2 & (CELLS - 1)];
}

static void empty(struct global *m)
{
  for (size_t n = 0; n < m->room; n++)
    free(m->pieces[n].cells);
  free(m->pieces);
  *m = (struct global){0};
}

void global_begin(struct check *c)
{
  if (!c->global)
    c->global = mem_alloc(sizeof *c->global);
  if (c->global->n > PIECES_MOST || c->segment_base > UINT32_MAX / 2) {
    empty(c->global); /* what it holds is of launches before */
    c->segment_base = 0;
  }
  c->segment_base = c->segment_base ? c->segment_base : 1;
  c->released = mem_array(dispatch_groups(c->d), sizeof *c->released);
}

void global_end(struct check *c)
{
  c->segment_base += (uint32_t)c->nsegments;
  c->nsegments = 0;
  free(c->released);
  c->released = NULL;
}

void global_free(struct check *c)
{
  if (c->global)
    empty(c->global);
  free(c->global);
  free(c->segments);
}

/* --- order ---------------------------------------------------------------- */

static uint32_t now(const struct check *c)
{
  return c->segment_base + (uint32_t)c->nsegments;
}

static uint32_t segment(struct check *c, const struct group_check *g,
                        const struct wave *w)
{
  if (c->nsegments == c->room_segments) {
    c->room_segments = c->room_segments ? 2 * c->room_segments : 1024;
    c->segments = mem_resize(c->segments,
                             c->room_segments * sizeof *c->segments);
  }
  uint32_t number = now(c);
  c->segments[c->nsegments++] = (struct segment){g->index, g->epoch, w->index};
  return number;
}

/* Is what was done in the segment before what the wave does now? */
static int ordered(const struct check *c, const struct group_check *g,
                   const struct wave *w, uint32_t then)
{
  if (then < c->segment_base)
    return 1; /* a launch before */
  const struct segment *s = &c->segments[then - c->segment_base];
  if (s->group == g->index && (s->wave == w->index || s->epoch != g->epoch))
    return 1;
  return c->released[s->group] > then && g->acquired > then;
}

static void acquire(struct check *c, struct group_check *g,
                    struct wave_check *s)
{
  g->acquired = now(c);
  s->segment = 0;
}

static void release(struct check *c, const struct group_check *g,
                    struct wave_check *s)
{
  c->released[g->index] = now(c);
  s->segment = 0;
}

void global_fence(struct check *c, struct group_check *g,
                  struct wave_check *s)
{
  acquire(c, g, s);
}

/* --- one dword ------------------------------------------------------------ */

struct touch {
  struct check *c;
  struct group_check *g;
  const struct wave *w;
  const struct site *site;
  uint32_t segment;
  int sync; /* an atomic, or what compilers make of an atomic load or store */
};

static void tell(const struct touch *t, const char *now_did, unsigned lane,
                 uint32_t then, uint32_t who, const char *did, uint64_t at)
{
  const struct segment *s = &t->c->segments[then - t->c->segment_base];
  struct side now = {t->site, now_did, t->w->index, (int)lane, t->g->index};
  struct side before = {site_of(t->c, who), did,
                        s->wave, (int)who_lane(who), s->group};
  report(t->c, CHECK_RACE, t->g, now, before, "memory 0x%llx: %s",
         (unsigned long long)at,
         s->group == t->g->index
             ? "no barrier between them"
             : "of two workgroups, without atomics and fences that order them");
}

/* Both by what synchronises. */
static int both_sync(const struct touch *t, uint32_t who)
{
  const struct site *s = site_of(t->c, who);
  return t->sync && (s->atomic || s->glc || s->single);
}

static void read_dword(const struct touch *t, uint64_t at, unsigned lane,
                       unsigned mask)
{
  struct cell *cell = cell_at(t->c->global, at);
  if (cell->write >= t->c->segment_base && cell->write != t->segment &&
      who_mask(cell->write_who) & mask &&
      !t->sync && !site_of(t->c, cell->write_who)->cas &&
      !ordered(t->c, t->g, t->w, cell->write))
    tell(t, "read by", lane, cell->write, cell->write_who, "written by", at);
  if (cell->read == t->segment) {
    cell->read_who |= mask;
  } else if (cell->read < t->c->segment_base ||
             ordered(t->c, t->g, t->w, cell->read)) {
    cell->read = t->segment;
    cell->read_who = who_make(t->site, lane, mask);
  }
}

static int write_races(const struct touch *t, const struct cell *cell,
                       unsigned mask, uint32_t value)
{
  unsigned both = who_mask(cell->write_who) & mask;
  return cell->write >= t->c->segment_base && cell->write != t->segment &&
         both && (value ^ cell->value) & bits_of(both) &&
         !ordered(t->c, t->g, t->w, cell->write) &&
         !both_sync(t, cell->write_who);
}

static int read_races(const struct touch *t, const struct cell *cell,
                      unsigned mask)
{
  return cell->read >= t->c->segment_base && cell->read != t->segment &&
         who_mask(cell->read_who) & mask && !t->site->cas &&
         !site_of(t->c, cell->read_who)->glc &&
         !ordered(t->c, t->g, t->w, cell->read);
}

static void write_dword(const struct touch *t, uint64_t at, unsigned lane,
                        unsigned mask)
{
  struct cell *cell = cell_at(t->c->global, at);
  uint32_t value;
  memcpy(&value, (const void *)(at & ~(uint64_t)3), sizeof value);
  if (write_races(t, cell, mask, value))
    tell(t, "written by", lane, cell->write, cell->write_who,
         "also written by", at);
  if (read_races(t, cell, mask))
    tell(t, "written by", lane, cell->read, cell->read_who, "read by", at);
  cell->value = value;
  if (cell->write == t->segment) {
    mask |= who_mask(cell->write_who);
    if (t->site->atomic && !site_of(t->c, cell->write_who)->atomic)
      return; /* others meet the plain write */
  }
  cell->write = t->segment;
  cell->write_who = who_make(t->site, lane, mask);
}

/* --- one instruction ------------------------------------------------------ */

static void each_dword(const struct touch *t, uint64_t at, unsigned bytes,
                       unsigned lane, int write)
{
  for (uint64_t end = at + bytes; at < end;) {
    unsigned first = at & 3;
    unsigned n = end - at < 4 - first ? (unsigned)(end - at) : 4 - first;
    unsigned mask = ((1u << n) - 1) << first;
    if (write)
      write_dword(t, at, lane, mask);
    else
      read_dword(t, at, lane, mask);
    at += n;
  }
}

/* Private memory is nobody else's; with some the host has its own rules. */
static int is_shared(const struct check *c, const struct wave *w)
{
  uint64_t at = w->access.addr[0][__builtin_ctzll(w->access.lanes)];
  const struct group *g = w->group;
  uint64_t private = g->waves[0].scratch;
  return !(private && at - private < group_private_bytes(g)) &&
         at - c->skip_begin >= c->skip_end - c->skip_begin;
}

/* All stores before this one are done. */
static int releases(const struct wave_check *s, const struct site *site)
{
  return (site->store || site->atomic) &&
         (int32_t)(s->vm_store - s->vm.done) <= 0;
}

void global_access(struct check *c, struct group_check *g, struct wave *w,
                   const struct site *site)
{
  struct wave_check *s = &g->waves[w->index];
  const struct access *a = &w->access;
  int write = a->store || a->atomic, gives = releases(s, site);
  unsigned l;
  if (!a->lanes || !is_shared(c, w))
    return;
  int lone = gives && !a->atomic && !(a->lanes & (a->lanes - 1));
  ((struct site *)site)->single |= (uint8_t)lone;
  if (a->atomic && gives)
    release(c, g, s);
  if ((a->atomic && a->load) || (!write && site->glc))
    acquire(c, g, s);
  if (!s->segment)
    s->segment = segment(c, g, w);
  struct touch t = {c, g, w, site, s->segment,
                    a->atomic || site->glc || lone};
  FOR_LANES(l, a->lanes)
    each_dword(&t, a->addr[0][l], a->bytes, l, write);
  if (lone)
    release(c, g, s);
}
