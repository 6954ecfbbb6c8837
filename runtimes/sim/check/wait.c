/* wait.c - is what a load brings there when it is used?
 *
 * Loads come back some time after they were issued; s_waitcnt waits until no
 * more than so many are under way. Instructions of vector memory come back in
 * order, and so do those of LDS; scalar loads do not, so that only lgkmcnt(0)
 * tells that one is there (LLVM: User Guide for AMDGPU Backend, "Memory Model
 * GFX6-GFX9"; "Vega" 7 nm ISA, 4.4). A FLAT instruction is counted by both
 * counters, and here by the one whose memory it asked.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "runtimes/sim/check/inside.h"

static int counted(const struct counter *c, uint32_t number)
{
  return (int32_t)(number - c->done) > 0;
}

static int under_way(const struct wave_check *s, const struct pending *p)
{
  switch (p->kind) {
  case PENDING_VM:
    return counted(&s->vm, p->vm);
  case PENDING_LDS:
    return counted(&s->lds, p->lgkm);
  default:
    return counted(&s->smem, p->lgkm);
  }
}

/* The load that is under way to one of the registers; NULL: none. *which is
 * the register. */
static const struct pending *find(const struct wave_check *s,
                                  const uint32_t *file, struct span r,
                                  unsigned *which)
{
  for (unsigned n = r.first; n < r.first + r.n; n++) {
    const struct pending *p = &s->pending[file[n] % PENDING_ROOM];
    *which = n;
    if (file[n] && p->number == file[n] && under_way(s, p))
      return p;
  }
  return NULL;
}

static void say_wait(const struct site *site, const struct pending *p,
                     unsigned left, char *to, size_t room)
{
  static const char *const parts[] = {"loadcnt", "dscnt", "kmcnt"}; /* ORDER pending */
  unsigned most = p->kind == PENDING_VM || site->split ? VM_MOST : LGKM_MOST;
  left = left < most ? left : most;
  if (site->split)
    snprintf(to, room, "s_wait_%s %u", parts[p->kind], left);
  else
    snprintf(to, room, "s_waitcnt %s(%u)",
             p->kind == PENDING_VM ? "vmcnt" : "lgkmcnt", left);
}

/* How far down the counter must be; say_wait() knows what it can count to. */
static unsigned wanted(const struct wave_check *s, const struct pending *p)
{
  return p->kind == PENDING_VM    ? s->vm.issued - p->vm
         : p->kind == PENDING_LDS ? s->lds.issued - p->lgkm
                                  : 0;
}

static void tell(struct check *c, const struct wave_check *s,
                 const struct wave *w, const struct site *site,
                 const struct pending *p, const char *file, unsigned which,
                 int written, uint64_t lanes)
{
  struct side use = {site, written ? "overwrites it in" : "uses it in",
                     w->index, lanes ? __builtin_ctzll(lanes) : -1, 0};
  struct side load = {p->site, "loads it in", w->index, use.lane, 0};
  const struct group_check *g = w->group->watched;
  char wait[40];
  say_wait(site, p, wanted(s, p), wait, sizeof wait);
  unsigned agpr = *file == 'v' && which >= 256;
  use.group = load.group = g->index;
  report(c, CHECK_WAIT, g, use, load,
         "%s%u before %s, or less, has waited for the load",
         agpr ? "a" : file, agpr ? which - 256 : which, wait);
}

/* What comes back in order may be loaded to where an earlier load goes. */
static int in_order(const struct site *s, const struct pending *p)
{
  return s->kind == SITE_FLAT ||
         (s->kind == SITE_VMEM && p->kind == PENDING_VM) ||
         (s->kind == SITE_LDS && p->kind == PENDING_LDS);
}

static void look_at_vgprs(struct check *c, const struct wave_check *s,
                          const struct wave *w, const struct site *site,
                          uint64_t lanes, int written)
{
  const struct span *r = written ? site->vwrite : site->vread;
  unsigned n = written ? site->vwrites : site->vreads, which;
  for (unsigned k = 0; k < n; k++) {
    const struct pending *p = find(s, s->vgpr, r[k], &which);
    if (p && p->lanes & lanes && !(written && in_order(site, p)))
      tell(c, s, w, site, p, "v", which, written, p->lanes & lanes);
  }
}

static void look_at_sgprs(struct check *c, const struct wave_check *s,
                          const struct wave *w, const struct site *site,
                          int written)
{
  const struct span *r = written ? site->swrite : site->sread;
  unsigned n = written ? site->swrites : site->sreads, which;
  for (unsigned k = 0; k < n; k++) {
    const struct pending *p = find(s, s->sgpr, r[k], &which);
    if (p)
      tell(c, s, w, site, p, "s", which, written, 0);
  }
}

void wait_before(struct check *c, struct wave_check *s, const struct wave *w,
                 const struct site *site)
{
  uint64_t lanes = site->all_lanes ? ~(uint64_t)0 : WAVE_EXEC(w);
  if (w->mode & (MODE_GPR_IDX | MODE_MSB))
    return; /* other registers than it names */
  if (s->vm.issued != s->vm.done || s->lds.issued != s->lds.done) {
    look_at_vgprs(c, s, w, site, lanes, 0);
    look_at_vgprs(c, s, w, site, lanes, 1);
  }
  if (s->smem.issued != s->smem.done) {
    look_at_sgprs(c, s, w, site, 0);
    look_at_sgprs(c, s, w, site, 1);
  }
}

static void load(struct wave_check *s, const struct site *site,
                 enum pending_kind kind, uint64_t lanes)
{
  uint32_t number = ++s->loads;
  if (!number) /* 0 means none */
    number = ++s->loads;
  s->pending[number % PENDING_ROOM] = (struct pending){
      site, lanes, number, s->vm.issued,
      kind == PENDING_SMEM ? s->smem.issued : s->lds.issued, (uint8_t)kind};
  for (unsigned k = 0; k < site->vwrites; k++)
    for (unsigned n = 0; n < site->vwrite[k].n; n++)
      s->vgpr[site->vwrite[k].first + n] = number;
  for (unsigned k = 0; k < site->swrites; k++)
    for (unsigned n = 0; n < site->swrite[k].n; n++)
      s->sgpr[site->swrite[k].first + n] = number;
}

static enum pending_kind kind_of(const struct site *site,
                                 const struct wave *w)
{
  if (site->kind == SITE_SMEM)
    return PENDING_SMEM;
  if (site->kind == SITE_LDS)
    return PENDING_LDS;
  return site->kind == SITE_FLAT && w->access.lds ? PENDING_LDS : PENDING_VM;
}

static int is_private(const struct wave *w)
{
  const struct access *a = &w->access;
  return a->lanes && wave_owns(w, a->addr[0][__builtin_ctzll(a->lanes)]);
}

void wait_issue(struct wave_check *s, const struct wave *w,
                const struct site *site, uint64_t lanes)
{
  enum pending_kind kind = kind_of(site, w);
  int apart = site->split && !site->vwrites && (site->store || site->atomic);
  struct counter *c = kind == PENDING_VM    ? apart ? &s->stores : &s->vm
                      : kind == PENDING_LDS ? &s->lds
                                            : &s->smem;
  c->issued++;
  if (site->split && site->kind == SITE_FLAT) /* the other one counts it, too */
    (kind == PENDING_VM ? &s->lds : apart ? &s->stores : &s->vm)->issued++;
  s->open = 1;
  if (c == &s->stores && !is_private(w))
    s->last_store = c->issued;
  if (c == &s->vm && (site->store || site->atomic))
    s->vm_store = c->issued;
  if (site->dma)
    s->lds_dma = c->issued;
  if (kind == PENDING_LDS && (w->access.store || w->access.atomic))
    s->lds_write = c->issued;
  if (site->vwrites || site->swrites)
    load(s, site, kind, lanes);
}

static void wait(struct counter *c, unsigned left)
{
  if (c->issued - c->done > left)
    c->done = c->issued - left;
}

/* Where it names no count it has that of all bits set, which is the most that can be
 * under way: what is older than that is there. rocBLAS's kernels rely on it. */
void wait_waitcnt(struct wave_check *s, const struct inst *i)
{
  struct waitcnt left = inst_waitcnt(i);
  wait(&s->vm, left.vm);
  wait(&s->lds, left.lgkm);
  if (!left.lgkm)
    wait(&s->smem, 0);
  s->open = s->vm.issued != s->vm.done || s->lds.issued != s->lds.done ||
            s->smem.issued != s->smem.done;
}
