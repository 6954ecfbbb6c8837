/* cu_run.c - see cu_run.h: turns, resident groups. Issue is in issue.c. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/cu_run.h"

#include <math.h>
#include <stdlib.h>

#include "arch/lds_banks.h"
#include "base/mem.h"
#include "runtimes/sim/timing/issue.h"
#include "runtimes/sim/timing/sample.h"

void cu_open(struct cu *u, unsigned per_cu, double cus)
{
  const struct object *o = u->d->kernel->object;
  u->code = o->code;
  u->ncode = o->ncode;
  u->per_cu = per_cu;
  u->prices = (struct prices){o->code, u->card->f64,
                              mem_array(u->ncode, sizeof *u->prices.at)};
  u->lo = u->ncode;
  u->memo = mem_alloc(sizeof *u->memo);
  u->memo->layout = lds_layout_find(o->isa->name);
  vmem_init(&u->vmem, u->card, cus, &u->totals);
  cache_init(&u->scalar, CACHE_LRU, u->card->scalar, u->card->line,
             u->card->scalar_ways);
  fetch_open(&u->fetch, u->card, u->ncode, &u->totals);
  for (unsigned s = 0; s < SIMDS; s++)
    u->simd[s].next = INFINITY;
}

static void drop(struct resident *r)
{
  group_free(r->g);
  free(r->slots);
  free(r);
}

void cu_close(struct cu *u)
{
  while (u->groups) {
    struct resident *r = u->groups;
    u->groups = r->next;
    drop(r);
  }
  free(u->prices.at);
  free(u->memo);
  vmem_free(&u->vmem);
  cache_free(&u->scalar);
  fetch_close(&u->fetch);
}

/* A wave goes to the SIMD with the fewest. */
static unsigned emptiest(const struct cu *u)
{
  unsigned best = 0;
  for (unsigned s = 1; s < SIMDS; s++)
    if (u->simd[s].n < u->simd[best].n)
      best = s;
  return best;
}

/* The lowest number that no wave of the SIMD has. */
static uint32_t free_number(const struct simd *s)
{
  uint32_t taken = 0; /* bits */
  for (unsigned n = 0; n < s->n; n++)
    taken |= 1u << s->slots[n]->number;
  return (uint32_t)__builtin_ctz(~taken);
}

static void seat(struct cu *u, struct resident *r, unsigned n, double t)
{
  struct slot *slot = &r->slots[n];
  slot->w = &r->g->waves[n];
  slot->home = r;
  slot->simd = slot->w->simd = emptiest(u);
  slot->at = t;
  struct simd *s = &u->simd[slot->simd];
  if (u->d->wave_events) {
    slot->number = free_number(s);
    slot->wave = u->d->wave_events->waves++;
  }
  s->slots[s->n++] = slot;
  issue_prepare(u, slot);
  issue_wake(u, slot);
}

/* The launch that group `index` is made for. */
static const struct dispatch *dispatch_of(const struct cu *u, uint64_t index)
{
  return u->slice && (index || u->d->timed) ? u->slice : u->d;
}

static int launch(struct cu *u, uint64_t index, double t)
{
  struct group *g = group_new(dispatch_of(u, index), index);
  if (!g)
    return dispatch_no_memory(u->d, u->fault);
  struct resident *r = mem_alloc(sizeof *r), **at = &u->groups;
  *r = (struct resident){.g = g, .number = (uint16_t)index};
  r->slots = mem_array(g->nwaves, sizeof *r->slots);
  while (*at)
    at = &(*at)->next;
  *at = r;
  u->ngroups++;
  u->totals.waves += g->nwaves;
  for (unsigned n = 0; n < g->nwaves; n++)
    seat(u, r, n, t);
  return 0;
}

/* Fill the CU: the groups of one moment start one after the other. */
static int refill(struct cu *u, double t)
{
  for (int n = 1; u->ngroups < u->per_cu; n++) {
    uint64_t index = u->supply(u->user);
    if (index == UINT64_MAX)
      return 0;
    int code = launch(u, index, t + n * u->card->group_start);
    if (code)
      return code;
  }
  return 0;
}

static void leave(struct cu *u, const struct resident *r)
{
  for (unsigned i = 0; i < SIMDS; i++) {
    struct simd *s = &u->simd[i];
    unsigned kept = 0;
    for (unsigned n = 0; n < s->n; n++)
      if (s->slots[n]->home != r)
        s->slots[kept++] = s->slots[n];
    s->n = kept;
  }
}

static int reap(struct cu *u, double t)
{
  for (struct resident **at = &u->groups; *at;) {
    struct resident *r = *at;
    if (r->g->ended < r->g->nwaves) {
      at = &r->next;
      continue;
    }
    *at = r->next;
    u->ngroups--;
    leave(u, r);
    counts_add(&u->executed, r->g);
    u->finish(u->user, t + u->skipped);
    drop(r);
  }
  u->ended = 0;
  sample_restart(u);
  return refill(u, t);
}

/* After a turn: when this SIMD has something to do again. Once that is its
 * very next turn, nothing is sooner. */
static double next_turn(const struct cu *u, unsigned i, double t)
{
  const struct simd *s = &u->simd[i];
  double next = INFINITY;
  for (unsigned n = 0; n < s->n && next > t + SIMDS; n++) {
    double when = issue_when(u, s->slots[n]);
    next = when < next ? when : next;
  }
  return next < INFINITY ? issue_turn(next > t ? next : t + 1, i) : next;
}

/* 0 while all is well. */
static int turn(struct cu *u, unsigned i, double t)
{
  struct simd *s = &u->simd[i];
  unsigned taken = 0; /* kinds of unit */
  for (unsigned n = 0; n < s->n; n++) {
    struct slot *slot = s->slots[n];
    if (slot->ready > t)
      continue;
    unsigned kind = issue_kind(slot);
    if (taken & kind || issue_when(u, slot) > t)
      continue;
    taken |= kind;
    issue(u, slot, t);
    if (slot->w->state == WAVE_FAULT) {
      *u->fault = slot->w->fault;
      return u->fault->code;
    }
  }
  s->next = next_turn(u, i, t);
  return 0;
}

static unsigned first_simd(const struct cu *u)
{
  unsigned first = 0;
  for (unsigned s = 1; s < SIMDS; s++)
    if (u->simd[s].next < u->simd[first].next)
      first = s;
  return first;
}

/* A backward branch was taken: by a wave that waits for another group, it may
 * be, once it did so PATIENCE times alike; most loops only are long. */
static int looped(struct cu *u, double t)
{
  enum {PATIENCE = 16};
  int code = 0;
  if (u->loop->repeats % PATIENCE == PATIENCE - 1)
    code = u->others(u->user, u->fault);
  if (!code)
    sample_loop(u, t);
  u->looped = NULL;
  return code;
}

int cu_run(struct cu *u, struct fault *fault, double *end)
{
  double t = 0;
  u->fault = fault;
  int code = refill(u, -u->card->group_start);
  while (!code && u->groups) {
    unsigned s = first_simd(u);
    t = u->simd[s].next;
    code = turn(u, s, t);
    if (!code && u->looped)
      code = looped(u, t);
    if (!code && u->ended)
      code = reap(u, t);
  }
  *end = t + u->skipped;
  return code;
}
