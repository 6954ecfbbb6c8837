/* bounds.c - accesses that leave what they are meant for.
 *
 * An address outside every allocation stops a launch: here it is said in the form
 * of all findings, with the allocation that is nearest. One that meets another
 * allocation by chance stops nothing. It is found where no argument of the
 * kernel, and no pointer that it loaded, leads to that allocation. With
 * HIPSIM_LDS=card an address behind the LDS stops nothing either.
 */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"
#include "runtimes/sim/run/memory.h"

/* The upper word of the arena's addresses begins with it: 20 bits. */
enum {ARENA_TOP = 0x00002};

enum {NEAR = 1 << 24}; /* bytes: farther away an allocation tells nothing */

/* --- what hipMalloc gave -------------------------------------------------- */

/* The first that begins behind the address; c->nextents: none. */
static size_t behind(const struct check *c, uint64_t at)
{
  size_t low = 0;
  for (size_t high = c->nextents; low < high;) {
    size_t middle = (low + high) / 2;
    if (c->extents[middle].begin <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct extent *extent_at(const struct check *c, uint64_t at)
{
  size_t n = behind(c, at);
  struct extent *e = n ? &c->extents[n - 1] : NULL;
  return e && at < e->end ? e : NULL;
}

void bounds_allocated(struct check *c, uint64_t at, uint64_t bytes)
{
  if (c->nextents == c->room_extents) {
    c->room_extents = c->room_extents ? 2 * c->room_extents : 64;
    c->extents = mem_resize(c->extents,
                            c->room_extents * sizeof *c->extents);
  }
  size_t n = behind(c, at);
  memmove(c->extents + n + 1, c->extents + n,
          (c->nextents++ - n) * sizeof *c->extents);
  c->extents[n] = (struct extent){at, at + bytes, 0};
}

void bounds_freed(struct check *c, uint64_t at)
{
  size_t n = behind(c, at);
  if (!n || c->extents[n - 1].begin != at)
    return;
  memmove(c->extents + n - 1, c->extents + n,
          (c->nextents-- - n) * sizeof *c->extents);
}

/* --- which of them a launch may know -------------------------------------- */

/* A value of the kernel's. A pointer to the end belongs to what is before it;
 * one that leads nowhere may be meant for anything, as that of an array that
 * begins with element 1. */
static void name(struct check *c, uint64_t value)
{
  size_t n = behind(c, value);
  struct extent *e = n ? &c->extents[n - 1] : NULL;
  uint64_t begin, end;
  size_t hint = 0;
  if (!c->unnamed || !arena_own(c->d->arena, value))
    return;
  if (e && value <= e->end) {
    c->unnamed -= !e->named;
    e->named = 1;
  } else if (!arena_block(c->d->arena, value, &begin, &end, &hint)) {
    c->unnamed = 0;
  }
}

void bounds_begin(struct check *c)
{
  const struct kernel *k = c->d->kernel;
  for (size_t n = 0; n < c->nextents; n++)
    c->extents[n].named = 0;
  c->unnamed = c->kinds & CHECK_BOUNDS ? c->nextents : 0;
  for (uint32_t at = 0; c->unnamed && at + 8 <= k->kernarg_size; at += 8) {
    uint64_t value;
    memcpy(&value, (const void *)(uintptr_t)(c->d->kernarg + at),
           sizeof value);
    name(c, value);
  }
}

/* Pointers that a load brought. */
static void name_loaded(struct check *c, const struct wave *w,
                        const struct site *site)
{
  const struct access *a = &w->access;
  unsigned l;
  if (site->kind == SITE_SMEM) {
    for (unsigned n = 0; site->swrites && n + 1 < site->swrite[0].n; n += 2)
      name(c, w->s[site->swrite[0].first + n] |
                  (uint64_t)w->s[site->swrite[0].first + n + 1] << 32);
    return;
  }
  for (unsigned n = 0; site->vwrites && n + 1 < site->vwrite[0].n; n += 2)
    FOR_LANES(l, a->lanes) {
      unsigned r = site->vwrite[0].first + n;
      if (r + 1 >= w->nv || (w->v[r + 1][l] >> 12) != ARENA_TOP)
        break; /* as good as never one of several */
      name(c, w->v[r][l] | (uint64_t)w->v[r + 1][l] << 32);
    }
}

/* --- accesses ------------------------------------------------------------- */

static void tell(struct check *c, struct group_check *g, const struct wave *w,
                 const struct site *site, unsigned lane, uint64_t at,
                 const struct extent *e)
{
  const struct access *a = &w->access;
  struct side side = {site, a->store ? "written by" : "read by", w->index,
                      site->kind == SITE_SMEM ? -1 : (int)lane, g->index};
  report(c, CHECK_BOUNDS, g, side, (struct side){0},
         "memory 0x%llx: byte %llu of an allocation of %llu that no argument "
         "leads to", (unsigned long long)at,
         (unsigned long long)(at - e->begin),
         (unsigned long long)(e->end - e->begin));
}

void bounds_memory(struct check *c, struct group_check *g,
                   const struct wave *w, const struct site *site)
{
  const struct access *a = &w->access;
  uint64_t begin = 0, end = 0;
  unsigned l;
  if (a->load && !a->atomic)
    name_loaded(c, w, site);
  FOR_LANES(l, a->lanes) {
    uint64_t at = a->addr[0][l];
    if (at - begin < end - begin)
      continue;
    const struct extent *e = extent_at(c, at);
    if (e && !e->named) {
      tell(c, g, w, site, l, at, e);
      return;
    }
    if (e) {
      begin = e->begin;
      end = e->end;
    }
  }
}

/* --- faults --------------------------------------------------------------- */

/* Where the address is, seen from the allocation that is nearest. */
static void near(const struct check *c, uint64_t at, char *to, size_t room)
{
  uint64_t begin, end;
  if (!arena_near(c->d->arena, at, &begin, &end) || at + NEAR < begin ||
      at > end + NEAR)
    snprintf(to, room, "no allocation is near");
  else if (at < begin)
    snprintf(to, room, "%llu bytes before an allocation of %llu",
             (unsigned long long)(begin - at),
             (unsigned long long)(end - begin));
  else if (at < end)
    snprintf(to, room, "over the end of an allocation of %llu bytes",
             (unsigned long long)(end - begin));
  else
    snprintf(to, room, "%llu bytes behind an allocation of %llu",
             (unsigned long long)(at - end), (unsigned long long)(end - begin));
}

/* The first lane that is outside, and its address; LANES: none is. */
static unsigned outside(const struct check *c, const struct wave *w,
                        uint64_t *at)
{
  const struct access *a = &w->access;
  size_t hint = 0;
  unsigned l;
  for (unsigned k = 0; k < a->n; k++)
    FOR_LANES(l, a->lanes) {
      *at = a->addr[k][l];
      if (a->lds ? *at + a->bytes > w->group->lds_bytes
                 : !arena_valid(c->d->arena, *at, a->bytes, &hint))
        return l;
    }
  return LANES;
}

void bounds_fault(struct check *c, struct group_check *g,
                  const struct wave *w, const struct site *site)
{
  const struct access *a = &w->access;
  uint64_t at;
  unsigned lane = outside(c, w, &at);
  struct side side = {site, a->store ? "written by" : "read by", w->index, -1,
                      g->index};
  char where[100];
  if (lane == LANES) {
    report(c, CHECK_BOUNDS, g, side, (struct side){0}, "%s", w->fault.text);
    return;
  }
  side.lane = (int)lane;
  if (a->lds)
    snprintf(where, sizeof where, "the workgroup has %u bytes",
             w->group->lds_bytes);
  else
    near(c, at, where, sizeof where);
  report(c, CHECK_BOUNDS, g, side, (struct side){0}, "%s 0x%llx: %s",
         a->lds ? "LDS" : "memory", (unsigned long long)at, where);
}

void bounds_lds(struct check *c, struct group_check *g, const struct wave *w,
                const struct site *site, unsigned lane, int write)
{
  struct side side = {site, write ? "written by" : "read by", w->index,
                      (int)lane, g->index};
  report(c, CHECK_BOUNDS, g, side, (struct side){0},
         "LDS: behind the workgroup's %u bytes", w->group->lds_bytes);
}
