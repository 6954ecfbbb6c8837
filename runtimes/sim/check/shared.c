/* shared.c - races in LDS.
 *
 * For each dword the last write and two readers of different waves are known,
 * by a tag: the epoch of the group, which each barrier begins anew, and the
 * wave. Two waves that touch a dword in one epoch race, if one of them writes and
 * not both by atomics, whichever came first in the simulation. Writes of the
 * value that is already there are left alone: a flag that many waves set. So are
 * reads of what a compare-and-swap changes: the loop around it began with one.
 *
 * A write that its wave did not wait for belongs to the next epoch, too: the
 * barrier lets the others go before it has happened.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"
#include "runtimes/sim/run/memory.h"

/* A tag's fields: wave, and what is special about the access. */
enum {
  TAG_WAVE = 31,
  TAG_MANY = 1 << 5,   /* several waves, by atomics */
  TAG_ATOMIC = 1 << 6,
  TAG_LATE = 1 << 7,   /* of an epoch before, not waited for */
  TAG_DMA = 1 << 8,    /* a load from memory */
  TAG_EPOCH = 9,       /* first bit of it */
};
enum {EPOCHS = 1 << (32 - TAG_EPOCH)};

static uint32_t tag_of(const struct group_check *g, const struct wave *w)
{
  return g->epoch << TAG_EPOCH | w->index;
}

static int same_epoch(uint32_t a, uint32_t b)
{
  return !((a ^ b) >> TAG_EPOCH);
}

void shared_free(struct group_check *g)
{
  free(g->lds);
  free(g->written);
  free(g->second);
  free(g->bytes);
}

void shared_start(struct group_check *g, size_t bytes)
{
  size_t n = bytes / 4 + 1;
  if (g->nlds < n) {
    shared_free(g);
    g->lds = mem_array(n, sizeof *g->lds);
    g->written = mem_array(n, sizeof *g->written);
    g->second = mem_array(n, sizeof *g->second);
    g->bytes = mem_array(n, sizeof *g->bytes);
    g->nlds = n;
    g->epoch = 0;
  }
  if (g->epoch >= EPOCHS - 2) {
    memset(g->lds, 0, g->nlds * sizeof *g->lds);
    memset(g->second, 0, g->nlds * sizeof *g->second);
    g->epoch = 0;
  }
  g->epoch++;
  g->first = g->epoch << TAG_EPOCH;
  g->by_bytes = 0;
}

int shared_is_written(const struct group_check *g, size_t dword)
{
  return g->lds[dword].write >= g->first;
}

/* Was it written in this epoch otherwise than by writes of this tag? */
static inline int wrote_other(uint32_t write, uint32_t tag)
{
  return (write ^ tag) - 1 < (1 << TAG_EPOCH) - 1;
}

/* --- reports -------------------------------------------------------------- */

static void tell(struct check *c, const struct group_check *g,
                 const struct wave *w, struct side now, uint32_t tag,
                 uint32_t who, const char *did, size_t cell)
{
  struct side then = {site_of(c, who), did,
                      tag & TAG_WAVE, (int)who_lane(who), g->index};
  now.wave = w->index;
  now.group = g->index;
  report(c, CHECK_RACE, g, now, then, "LDS 0x%zx: %s", cell * 4,
         tag & TAG_LATE && tag & TAG_DMA
             ? "the load to LDS was not waited for (vmcnt) before the barrier"
         : tag & TAG_LATE
             ? w->half
                   ? "the write was not waited for (s_wait_dscnt) before the barrier"
                   : "the write was not waited for (lgkmcnt) before the barrier"
             : "no barrier between them");
}

/* Data of a wave's own load to LDS, which it did not wait for. */
static void tell_wait(struct check *c, const struct group_check *g,
                      const struct wave *w, struct side now, uint32_t tag,
                      uint32_t who, size_t cell)
{
  struct side then = {site_of(c, who),
                      "loads it in", tag & TAG_WAVE, (int)who_lane(who),
                      g->index};
  now.wave = w->index;
  now.group = g->index;
  report(c, CHECK_WAIT, g, now, then,
         "LDS 0x%zx before s_waitcnt vmcnt has waited for the load", cell * 4);
}

/* --- one dword ------------------------------------------------------------ */

struct touch {
  struct check *c;
  struct group_check *g;
  struct wave *w;
  const struct site *site;
  uint32_t tag;
  uint32_t number; /* of the write among the wave's */
};

/* Somebody else, or a load to LDS of its own, wrote in this epoch. */
static void read_after(const struct touch *t, size_t at, unsigned lane,
                       unsigned mask)
{
  const struct lds_cell *cell = &t->g->lds[at];
  struct side now = {t->site, "read by", 0, (int)lane, 0};
  if (!(who_mask(cell->write_who) & mask) || site_of(t->c, cell->write_who)->cas)
    return;
  int own = (cell->write & TAG_WAVE) == t->w->index &&
            !(cell->write & TAG_MANY);
  if (!own)
    tell(t->c, t->g, t->w, now, cell->write, cell->write_who, "written by",
         at);
  else if (cell->write & TAG_DMA &&
           (int32_t)(t->g->written[at].number -
                     t->g->waves[t->w->index].vm.done) > 0)
    tell_wait(t->c, t->g, t->w, now, cell->write, cell->write_who, at);
}

static inline void read_dword(const struct touch *t, size_t at, unsigned lane,
                              unsigned mask)
{
  struct lds_cell *cell = &t->g->lds[at];
  if (wrote_other(cell->write, t->tag))
    read_after(t, at, lane, mask);
  if (cell->read == t->tag) {
    cell->read_who |= mask;
    return;
  }
  if (same_epoch(cell->read, t->tag))
    t->g->second[at] = (struct lds_second){cell->read, cell->read_who};
  cell->read = t->tag;
  cell->read_who = who_make(t->site, lane, mask);
}

static void write_after_write(const struct touch *t, size_t at, unsigned lane,
                              unsigned mask, uint32_t value)
{
  const struct lds_cell *cell = &t->g->lds[at];
  unsigned both = who_mask(cell->write_who) & mask;
  struct side now = {t->site, "written by", 0, (int)lane, 0};
  int own = (cell->write & TAG_WAVE) == t->w->index &&
            !(cell->write & TAG_MANY);
  int atomics = t->tag & cell->write & TAG_ATOMIC;
  if (!both || own || atomics || !((value ^ t->g->written[at].value) & bits_of(both)))
    return;
  tell(t->c, t->g, t->w, now, cell->write, cell->write_who,
       "also written by", at);
}

static void write_after_read(const struct touch *t, size_t at, unsigned lane,
                             unsigned mask)
{
  const struct lds_cell *cell = &t->g->lds[at];
  struct side now = {t->site, "written by", 0, (int)lane, 0};
  uint32_t tag = cell->read, who = cell->read_who;
  if ((tag & TAG_WAVE) == t->w->index) {
    tag = t->g->second[at].read;
    who = t->g->second[at].who;
  }
  if (same_epoch(tag, t->tag) && (tag & TAG_WAVE) != t->w->index &&
      who_mask(who) & mask && !t->site->cas)
    tell(t->c, t->g, t->w, now, tag, who, "read by", at);
}

/* Of a plain write and an atomic of the same wave others meet the first. */
static int stays(uint32_t before, uint32_t tag)
{
  return (before ^ tag) == TAG_ATOMIC && tag & TAG_ATOMIC;
}

static inline void write_dword(const struct touch *t, size_t at, unsigned lane,
                               unsigned mask)
{
  struct lds_cell *cell = &t->g->lds[at];
  uint32_t value, tag = t->tag;
  memcpy(&value, t->w->group->lds + at * 4, sizeof value);
  if (wrote_other(cell->write, tag)) {
    write_after_write(t, at, lane, mask, value);
    if (cell->write & tag & TAG_ATOMIC)
      tag |= TAG_MANY;
  } else if (cell->write == tag) {
    mask |= who_mask(cell->write_who);
  }
  if (same_epoch(cell->read, tag))
    write_after_read(t, at, lane, mask);
  t->g->written[at].value = value;
  if (stays(cell->write, tag))
    return;
  cell->write = tag;
  cell->write_who = who_make(t->site, lane, mask);
  t->g->written[at].number = t->number;
}

/* --- one instruction ------------------------------------------------------ */

/* Bytes [at, at + bytes), as dwords and which bytes of them. */
static void each_dword(const struct touch *t, uint64_t at, unsigned bytes,
                       unsigned lane, int write)
{
  for (uint64_t end = at + bytes; at < end;) {
    unsigned mask, n = in_dword(at, end, &mask);
    if (at + n > t->w->group->lds_bytes)
      bounds_lds(t->c, t->g, t->w, t->site, lane, write);
    if (at / 4 >= t->g->nlds)
      return; /* behind the end, where loads find zeros */
    if (write && (mask != 15 || t->g->by_bytes) && t->c->kinds & CHECK_INIT)
      init_lds_bytes(t->g, at / 4, mask);
    if (write)
      write_dword(t, at / 4, lane, mask);
    else
      read_dword(t, at / 4, lane, mask);
    at += n;
  }
}

/* Did nobody else write the dword in this epoch, and nobody read it? Then all that
 * is to be done is to note the access. */
static inline int is_alone(uint32_t write, uint32_t read, uint32_t tag)
{
  return !wrote_other(write, tag) && !same_epoch(read, tag);
}

/* Whole dwords that all lie inside. Returns whether some were never written. What
 * stands in local variables here stays in registers. */
static inline int read_lanes(const struct touch *t, const uint64_t *addr,
                             uint64_t lanes, unsigned dwords)
{
  struct lds_cell *const cells = t->g->lds;
  const uint32_t first = t->g->first, tag = t->tag;
  const uint32_t who = who_make(t->site, 0, 15);
  uint32_t least = first;
  unsigned l;
  FOR_LANES(l, lanes)
    for (unsigned d = 0; d < dwords; d++) {
      size_t at = addr[l] / 4 + d;
      struct lds_cell *cell = &cells[at];
      least = cell->write < least ? cell->write : least;
      if (cell->read == tag && !wrote_other(cell->write, tag)) {
        cell->read_who |= 15;
        continue;
      }
      if (!is_alone(cell->write, cell->read, tag)) {
        read_dword(t, at, l, 15);
        continue;
      }
      cell->read = tag;
      cell->read_who = who | l << WHO_MASK;
    }
  return least < first;
}

static inline void write_lanes(const struct touch *t, const uint64_t *addr,
                               uint64_t lanes, unsigned dwords)
{
  struct lds_cell *const cells = t->g->lds;
  struct lds_written *const written = t->g->written;
  const uint8_t *const lds = t->w->group->lds;
  const uint32_t tag = t->tag, number = t->number;
  const uint32_t who = who_make(t->site, 0, 15);
  unsigned l;
  FOR_LANES(l, lanes)
    for (unsigned d = 0; d < dwords; d++) {
      size_t at = addr[l] / 4 + d;
      struct lds_cell *cell = &cells[at];
      if (!is_alone(cell->write, cell->read, tag)) {
        write_dword(t, at, l, 15);
        continue;
      }
      memcpy(&written[at].value, lds + at * 4, 4);
      written[at].number = number;
      cell->write = tag;
      cell->write_who = who | l << WHO_MASK;
    }
}

/* Addresses of lanes that are off count, too: those are seldom wild. */
static int whole(const struct touch *t, const struct access *a, unsigned k)
{
  const uint64_t last = (t->g->nlds - 1) * 4, *addr = a->addr[k];
  uint64_t odd = a->bytes & 3, outside = 0;
  for (unsigned l = 0; l < LANES; l++) {
    odd |= addr[l] & 3;
    outside |= (last - addr[l] - a->bytes) | addr[l];
  }
  return !odd && !(outside >> 63);
}

static int read_all(const struct touch *t, const struct access *a)
{
  int unwritten = t->g->by_bytes;
  unsigned l;
  for (unsigned k = 0; k < a->n; k++)
    if (whole(t, a, k)) {
      unwritten |= a->bytes == 4
                       ? read_lanes(t, a->addr[k], a->lanes, 1)
                       : read_lanes(t, a->addr[k], a->lanes, a->bytes / 4);
    } else {
      FOR_LANES(l, a->lanes)
        each_dword(t, a->addr[k][l], a->bytes, l, 0);
      unwritten = 1; /* to be looked at */
    }
  return unwritten;
}

static void write_all(const struct touch *t, const struct access *a)
{
  unsigned l;
  for (unsigned k = 0; k < a->n; k++)
    if (t->g->by_bytes || !whole(t, a, k))
      FOR_LANES(l, a->lanes)
        each_dword(t, a->addr[k][l], a->bytes, l, 1);
    else if (a->bytes == 4)
      write_lanes(t, a->addr[k], a->lanes, 1);
    else
      write_lanes(t, a->addr[k], a->lanes, a->bytes / 4);
}

void shared_access(struct check *c, struct group_check *g, struct wave *w,
                   const struct site *site)
{
  const struct access *a = &w->access;
  struct wave_check *s = &g->waves[w->index];
  int init = c->kinds & CHECK_INIT && !site->across;
  struct touch t = {c, g, w, site, tag_of(g, w), s->lds.issued + 1};
  if (a->atomic) {
    t.tag |= TAG_ATOMIC;
    if (init)
      init_lds_atomic(c, g, w, site);
  }
  if (a->store || a->atomic)
    write_all(&t, a);
  else if (read_all(&t, a) && init)
    init_lds_load(g, w, site);
  if (init && s->unknown && a->store)
    init_lds_store(g, w, site);
}

void shared_dma(struct check *c, struct group_check *g, struct wave *w,
                const struct site *site, uint32_t m0)
{
  const struct access *a = &w->access;
  uint32_t room = w->code->isa->lds_most > 1 << 16 ? 0x3ffff : 0xffff;
  uint32_t start = (m0 & room) + (uint32_t)site->inst->imm;
  unsigned step = a->bytes > 4 ? 16 : 4, l;
  unsigned bytes = a->bytes < 4 ? 4 : a->bytes;
  struct touch t = {c, g, w, site, tag_of(g, w) | TAG_DMA,
                    g->waves[w->index].vm.issued + 1};
  FOR_LANES(l, a->lanes)
    each_dword(&t, start + step * l, bytes, l, 1);
}

void shared_moved(struct check *c, struct group_check *g, struct wave *w,
                  const struct site *site, uint32_t at, uint32_t bytes, int write)
{
  struct touch t = {c, g, w, site, tag_of(g, w), g->waves[w->index].lds.done};
  each_dword(&t, at, bytes, 0, write);
}

/* --- barriers ------------------------------------------------------------- */

static int not_done(const struct wave_check *s, uint32_t tag, uint32_t number)
{
  const struct counter *c = tag & TAG_DMA ? &s->vm : &s->lds;
  return (int32_t)(number - c->done) > 0;
}

void shared_arrive(struct group_check *g, struct wave_check *s,
                   const struct wave *w)
{
  if ((int32_t)(s->lds_write - s->lds.done) <= 0 &&
      (int32_t)(s->lds_dma - s->vm.done) <= 0)
    return;
  for (size_t at = 0; at < g->nlds; at++) {
    struct lds_cell *cell = &g->lds[at];
    if (!same_epoch(cell->write, tag_of(g, w)) ||
        (cell->write & TAG_WAVE) != w->index || cell->write & TAG_MANY ||
        !not_done(s, cell->write, g->written[at].number))
      continue;
    cell->write |= TAG_LATE;
    cell->write += 1 << TAG_EPOCH;
  }
}
