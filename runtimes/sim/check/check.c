/* check.c - a launch that is checked: its groups, and each step. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/check/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"

static uint64_t index_of(const struct group *g)
{
  const uint32_t *grid = g->dispatch->grid;
  return g->id[0] + grid[0] * (g->id[1] + (uint64_t)grid[1] * g->id[2]);
}

/* Of a group that was renewed the state stays, too. */
static void start(struct watch *watch, struct group *g)
{
  struct check *c = (struct check *)watch;
  struct group_check *s = g->watched;
  if (!s) {
    s = c->unused ? c->unused : mem_alloc(sizeof *s);
    c->unused = s->next;
    g->watched = s;
  }
  s->index = index_of(g);
  s->acquired = 0;
  for (uint32_t n = 0; n < WAVES_MOST; n++)
    registers_forget(&s->waves[n]);
  memset(s->waves, 0, sizeof s->waves);
  for (uint32_t n = 0; n < g->nwaves; n++)
    registers_begin(c, &s->waves[n], &g->waves[n]);
  shared_start(s, g->lds_bytes);
}

static void end(struct watch *watch, struct group *g)
{
  struct check *c = (struct check *)watch;
  struct group_check *s = g->watched;
  barrier_end(c, g);
  if (g->waves[0].scratch) /* it goes back to where all memory comes from */
    init_written(c, g->waves[0].scratch, group_private_bytes(g));
  s->next = c->unused;
  c->unused = s;
  g->watched = NULL;
}

static void barrier(struct watch *watch, struct group *g)
{
  struct group_check *s = g->watched;
  barrier_meet((struct check *)watch, g);
  s->epoch++;
  for (uint32_t n = 0; n < g->nwaves; n++)
    s->waves[n].segment = 0;
}

static void met(struct watch *watch, struct group *g, int of_cluster)
{
  split_met((struct check *)watch, g, of_cluster);
}

static void moved(struct watch *watch, struct wave *w, uint32_t at, uint32_t bytes,
                  int to_lds)
{
  struct check *c = (struct check *)watch;
  struct group_check *g = w->group->watched;
  const struct site *site = site_last(c, &g->waves[w->index], w);
  if (site)
    shared_moved(c, g, w, site, at, bytes, to_lds);
}

static void look_at_memory(struct check *c, struct group_check *g,
                           struct wave *w, const struct site *site,
                           uint32_t m0)
{
  const struct access *a = &w->access;
  if (!a->n)
    return;
  if (a->lds && c->kinds & CHECK_CONFLICTS)
    conflicts_count(w, site);
  if (a->lds)
    shared_access(c, g, w, site);
  else if (c->kinds & CHECK_RACE)
    global_access(c, g, w, site);
  if (!a->lds && c->unnamed)
    bounds_memory(c, g, w, site);
  if (!a->lds && c->written.n)
    init_memory(c, g, w, site);
  if (site->dma)
    shared_dma(c, g, w, site, m0);
}

/* What comes behind the instruction. */
static void after(struct check *c, struct group_check *g, struct wave *w,
                  const struct site *site, uint64_t lanes, uint32_t m0)
{
  struct wave_check *s = &g->waves[w->index];
  switch (site->kind) {
  case SITE_WAITCNT:
    if (s->open)
      wait_waitcnt(s, site->inst);
    break;
  case SITE_SPLIT_WAIT:
    if (s->open)
      split_wait(s, site);
    break;
  case SITE_BARRIER:
    s->barrier = site;
    shared_arrive(g, s, w);
    break;
  case SITE_FENCE:
    global_fence(c, g, s);
    break;
  case SITE_VMEM:
  case SITE_FLAT:
  case SITE_LDS:
  case SITE_SMEM:
    if (w->state == WAVE_FAULT) {
      if (w->fault.code == FAULT_ADDRESS)
        bounds_fault(c, g, w, site);
      break;
    }
    look_at_memory(c, g, w, site, m0);
    if (!site->uncounted)
      wait_issue(s, w, site, lanes);
    break;
  }
}

static void step(struct watch *watch, struct wave *w)
{
  struct check *c = (struct check *)watch;
  struct group_check *g = w->group->watched;
  struct wave_check *s = &g->waves[w->index];
  const struct site *site = site_next(c, s, w);
  uint64_t lanes = WAVE_EXEC(w);
  uint32_t m0 = w->s[CODE_M0];
  if (site && s->open)
    wait_before(c, s, w, site);
  if (site && registers_touched(s, w, site))
    init_before(c, g, w, site);
  if (site && site->kind == SITE_SIGNAL)
    split_signal(g, w, site);
  wave_execute(w);
  if (site && site->kind)
    after(c, g, w, site, lanes, m0);
}

struct check *check_open(unsigned kinds, FILE *out)
{
  struct check *c = mem_alloc(sizeof *c);
  c->watch = (struct watch){start, step, barrier, end, met, moved};
  c->kinds = kinds;
  c->out = out;
  return c;
}

/* The buffer of a kernel that prints is the host's, too, and the device library
 * knows how to share it. */
static void skip_hostcall(struct check *c, const struct dispatch *d)
{
  size_t hint = 0;
  c->skip_begin = c->skip_end = 0;
  if (d->hostcall)
    arena_block(d->arena, hostcall_buffer(d->hostcall), &c->skip_begin,
                &c->skip_end, &hint);
}

void check_launch(struct check *c, struct dispatch *d)
{
  d->watch = &c->watch;
  c->d = d;
  c->launches++;
  skip_hostcall(c, d);
  global_begin(c);
  bounds_begin(c);
}

void check_launched(struct check *c)
{
  global_end(c);
  c->d = NULL;
}

uint64_t check_launches(const struct check *c)
{
  return c->launches;
}

void check_allocated(struct check *c, const void *at, size_t bytes)
{
  if (!c)
    return;
  init_allocated(c, (uint64_t)(uintptr_t)at, bytes);
  bounds_allocated(c, (uint64_t)(uintptr_t)at, bytes);
}

void check_written(struct check *c, const void *at, size_t bytes)
{
  if (c)
    init_written(c, (uint64_t)(uintptr_t)at, bytes);
}

void check_freed(struct check *c, const void *at, size_t bytes)
{
  check_written(c, at, bytes); /* others may get it, and write */
  if (c)
    bounds_freed(c, (uint64_t)(uintptr_t)at);
}

void check_forget(struct check *c, const struct object *o)
{
  sites_forget(c, o);
}

void check_close(struct check *c)
{
  while (c->unused) {
    struct group_check *s = c->unused;
    c->unused = s->next;
    shared_free(s);
    for (int n = 0; n < WAVES_MOST; n++)
      free(s->unknown[n]);
    free(s);
  }
  sites_free(c);
  global_free(c);
  init_free(c);
  conflicts_free(c);
  free(c->extents);
  free(c->reported);
  free(c);
}
