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

/* Somebody's access: segment, and who_make(); of a line its first lane, and in
 * place of the mask how often a lane's number is halved per dword. */
struct past {
  uint32_t segment, who;
};

struct cell { /* of a dword */
  struct past write, read;
};

enum {LINE_BITS = 8, LINE = 1 << (LINE_BITS - 2), PIECE_BITS = 18,
      LINES = 1 << (PIECE_BITS - LINE_BITS), PIECES_MOST = 1 << 11};

/* 64 dwords. Mostly one instruction touches them all, lane by lane. */
struct line {
  struct past write, read; /* of the dwords without a cell */
  uint64_t own;            /* dwords that have a cell */
  uint32_t last;           /* the newest segment in a cell */
};

struct piece {
  struct line lines[LINES];
  struct cell *cells; /* NULL: none yet */
  uint32_t *values;   /* what writes left there; NULL: no writes */
};

/* --- the shadow ----------------------------------------------------------- */

static void gone(void *at)
{
  struct piece *p = at;
  free(p->cells);
  free(p->values);
}

static struct piece *piece_at(struct check *c, uint64_t address)
{
  return shadow_at(&c->memory, address >> PIECE_BITS);
}

static unsigned dword_of(uint64_t address)
{
  return address >> 2 & (LINES * LINE - 1);
}

/* Who touched dword d of a line. */
static struct past of_dword(struct past p, unsigned d)
{
  unsigned shift = who_mask(p.who);
  uint32_t lane = who_lane(p.who) + (d >> shift);
  uint32_t site = p.who >> (WHO_LANE + WHO_MASK);
  return (struct past){p.segment, (site << WHO_LANE | lane) << WHO_MASK | 15};
}

/* It is about to be changed in the segment. */
static struct cell *cell_at(struct piece *p, uint64_t address,
                            uint32_t segment)
{
  unsigned n = dword_of(address), d = n % LINE;
  struct line *line = &p->lines[n / LINE];
  if (!p->cells)
    p->cells = mem_array(LINES * LINE, sizeof *p->cells);
  if (!(line->own >> d & 1)) {
    line->own |= (uint64_t)1 << d;
    p->cells[n] = (struct cell){of_dword(line->write, d),
                                of_dword(line->read, d)};
  }
  line->last = segment > line->last ? segment : line->last;
  return &p->cells[n];
}

static uint32_t *values_at(struct piece *p, uint64_t address)
{
  if (!p->values)
    p->values = mem_array(LINES * LINE, sizeof *p->values);
  return &p->values[dword_of(address)];
}

void global_begin(struct check *c)
{
  c->memory.bytes = sizeof(struct piece);
  if (c->memory.n > PIECES_MOST || c->segment_base > UINT32_MAX / 2) {
    shadow_empty(&c->memory, gone); /* what it holds is of launches before */
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
  shadow_empty(&c->memory, gone);
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

void global_meet(struct check *c, struct group_check *g)
{
  c->released[g->index] = now(c);
  g->acquired = now(c);
}

/* --- races ---------------------------------------------------------------- */

struct touch {
  struct check *c;
  struct group_check *g;
  const struct wave *w;
  const struct site *site;
  uint32_t segment;
  int sync; /* an atomic, or what compilers make of an atomic load or store */
};

static void tell(const struct touch *t, const char *now_did, unsigned lane,
                 struct past past, const char *did, uint64_t at)
{
  const struct segment *s = &t->c->segments[past.segment - t->c->segment_base];
  struct side now = {t->site, now_did, t->w->index, (int)lane, t->g->index};
  struct side before = {site_of(t->c, past.who), did,
                        s->wave, (int)who_lane(past.who), s->group};
  report(t->c, CHECK_RACE, t->g, now, before, "memory 0x%llx: %s",
         (unsigned long long)at,
         s->group == t->g->index
             ? "no barrier between them"
             : "of two workgroups, without atomics and fences that order them");
}

/* Of this launch, by somebody else. */
static int others(const struct touch *t, struct past p)
{
  return p.segment >= t->c->segment_base && p.segment != t->segment;
}

/* Both by what synchronises. */
static int both_sync(const struct touch *t, uint32_t who)
{
  const struct site *s = site_of(t->c, who);
  return t->sync && (s->atomic || s->glc || s->single);
}

static int read_after_write(const struct touch *t, struct past write)
{
  return others(t, write) && !t->sync && !site_of(t->c, write.who)->cas &&
         !ordered(t->c, t->g, t->w, write.segment);
}

static int write_after_read(const struct touch *t, struct past read)
{
  return others(t, read) && !t->site->cas && !site_of(t->c, read.who)->glc &&
         !ordered(t->c, t->g, t->w, read.segment);
}

static int write_after_write(const struct touch *t, struct past write)
{
  return others(t, write) && !ordered(t->c, t->g, t->w, write.segment) &&
         !both_sync(t, write.who);
}

/* Does the wave's read take the place of the one that is known? */
static int read_is_kept(const struct touch *t, struct past read)
{
  return read.segment < t->c->segment_base ||
         ordered(t->c, t->g, t->w, read.segment);
}

/* --- one dword ------------------------------------------------------------ */

static void read_dword(const struct touch *t, uint64_t at, unsigned lane,
                       unsigned mask)
{
  struct cell *cell = cell_at(piece_at(t->c, at), at, t->segment);
  if (who_mask(cell->write.who) & mask && read_after_write(t, cell->write))
    tell(t, "read by", lane, cell->write, "written by", at);
  if (cell->read.segment == t->segment)
    cell->read.who |= mask;
  else if (read_is_kept(t, cell->read))
    cell->read = (struct past){t->segment, who_make(t->site, lane, mask)};
}

static void write_dword(const struct touch *t, uint64_t at, unsigned lane,
                        unsigned mask)
{
  struct piece *p = piece_at(t->c, at);
  struct cell *cell = cell_at(p, at, t->segment);
  uint32_t value, *before = values_at(p, at);
  unsigned both = who_mask(cell->write.who) & mask;
  memcpy(&value, (const void *)(at & ~(uint64_t)3), sizeof value);
  if ((value ^ *before) & bits_of(both) && write_after_write(t, cell->write))
    tell(t, "written by", lane, cell->write, "also written by", at);
  if (who_mask(cell->read.who) & mask && write_after_read(t, cell->read))
    tell(t, "written by", lane, cell->read, "read by", at);
  *before = value;
  if (cell->write.segment == t->segment) {
    mask |= who_mask(cell->write.who);
    if (t->site->atomic && !site_of(t->c, cell->write.who)->atomic)
      return; /* others meet the plain write */
  }
  cell->write = (struct past){t->segment, who_make(t->site, lane, mask)};
}

/* --- one line ------------------------------------------------------------- */

/* 2^shift dwords a lane, from `lane` on. */
struct run {
  uint64_t at;
  unsigned lane, shift;
};

static void read_line(const struct touch *t, struct line *line, struct run r)
{
  if (read_after_write(t, line->write))
    tell(t, "read by", r.lane, of_dword(line->write, 0), "written by", r.at);
  if (line->read.segment != t->segment && read_is_kept(t, line->read))
    line->read = (struct past){t->segment,
                               who_make(t->site, r.lane, r.shift)};
}

static void write_line(const struct touch *t, struct line *line, struct run r,
                       uint32_t *before)
{
  const uint32_t *values = (const void *)r.at;
  if (write_after_write(t, line->write))
    for (unsigned d = 0; d < LINE; d++)
      if (values[d] != before[d]) {
        tell(t, "written by", r.lane + (d >> r.shift),
             of_dword(line->write, d), "also written by", r.at + 4 * d);
        break;
      }
  if (write_after_read(t, line->read))
    tell(t, "written by", r.lane, of_dword(line->read, 0), "read by", r.at);
  memcpy(before, values, LINE * sizeof *before);
  line->write = (struct past){t->segment, who_make(t->site, r.lane, r.shift)};
}

static void touch_line(const struct touch *t, struct run r, int write)
{
  struct piece *p = piece_at(t->c, r.at);
  struct line *line = &p->lines[dword_of(r.at) / LINE];
  if (line->own && line->last < t->c->segment_base)
    line->own = 0;
  if (line->own)
    for (unsigned d = 0; d < LINE; d++)
      (write ? write_dword : read_dword)(t, r.at + 4 * d,
                                         r.lane + (d >> r.shift), 15);
  else if (write)
    write_line(t, line, r, values_at(p, r.at));
  else
    read_line(t, line, r);
}

/* --- one instruction ------------------------------------------------------ */

static void each_dword(const struct touch *t, uint64_t at, unsigned bytes,
                       unsigned lane, int write)
{
  for (uint64_t end = at + bytes; at < end;) {
    unsigned mask, n = in_dword(at, end, &mask);
    if (write)
      write_dword(t, at, lane, mask);
    else
      read_dword(t, at, lane, mask);
    at += n;
  }
}

/* One lane's data behind the other's, and all of a line? */
static int fills_line(const uint64_t *addr, unsigned lanes, unsigned bytes)
{
  uint64_t apart = addr[0] & ((1 << LINE_BITS) - 1);
  for (unsigned l = 0; l < lanes; l++)
    apart |= (addr[l] - addr[0]) ^ l * bytes;
  return !apart;
}

static unsigned shift_of(const struct access *a)
{
  return a->bytes == 4 ? 0 : a->bytes == 8 ? 1 : 2;
}

uint64_t line_lanes(const struct access *a, unsigned first, unsigned *lanes)
{
  unsigned shift = shift_of(a);
  *lanes = LINE >> shift;
  uint64_t all = ~(uint64_t)0 >> (LANES - *lanes) << first;
  return a->bytes == 4u << shift && (a->lanes & all) == all &&
                 fills_line(a->addr[0] + first, *lanes, a->bytes)
             ? all : 0;
}

static void each_line(const struct touch *t, const struct access *a, int write)
{
  unsigned lanes, l;
  for (unsigned first = 0; first < LANES; first += lanes)
    if (line_lanes(a, first, &lanes) && !a->atomic)
      touch_line(t, (struct run){a->addr[0][first], first, shift_of(a)},
                 write);
    else
      FOR_LANES(l, a->lanes & ~(uint64_t)0 >> (LANES - lanes) << first)
        each_dword(t, a->addr[0][l], a->bytes, l, write);
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
         (int32_t)(s->vm_store - s->vm.done) <= 0 &&
         (int32_t)(s->last_store - s->stores.done) <= 0;
}

void global_access(struct check *c, struct group_check *g, struct wave *w,
                   const struct site *site)
{
  struct wave_check *s = &g->waves[w->index];
  const struct access *a = &w->access;
  int write = a->store || a->atomic, gives = releases(s, site);
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
  each_line(&t, a, write);
  if (lone)
    release(c, g, s);
}
