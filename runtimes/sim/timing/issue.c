/* issue.c - see issue.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/issue.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "runtimes/sim/timing/server.h"

/* What a wave at the end of the code would run into is a fault of its own,
 * and needs no unit. */
static const struct price *next_price(const struct cu *u,
                                      const struct slot *s)
{
  static const struct price nothing = {.unit = UNIT_OTHER, .held = 4,
                                       .words = 1};
  return s->w->pc < u->ncode ? price_of(&u->prices, s->w->pc) : &nothing;
}

/* When at most n of the vector memory instructions are outstanding. They
 * complete in order. */
static double vm_time(const struct slot *s, unsigned n)
{
  return s->nvm > n ? s->vm[(s->nvm - n - 1) % VM_RING] : 0;
}

static double lgkm_time(const struct slot *s, unsigned n)
{
  return s->nlgkm > n ? s->lgkm[s->nlgkm - n - 1] : 0;
}

/* When the next instruction is there to be issued, s->at or later. What follows
 * it in its line is there by then. */
static double fetch_time(struct cu *u, struct slot *s)
{
  uint32_t line = s->w->pc / FETCH_DWORDS;
  if (s->line == line + 1 || s->w->pc >= u->ncode)
    return s->at;
  s->line = line + 1;
  return fetch_line(&u->fetch, line, s->at);
}

void issue_prepare(struct cu *u, struct slot *s)
{
  const struct price *p = next_price(u, s);
  unsigned vm = UINT_MAX, lgkm = UINT_MAX; /* outstanding: any number */
  if (p->flags & OP_WAIT) {
    vm = p->vm;
    lgkm = p->lgkm;
  }
  if (p->flags & OP_VMCNT)
    vm = (unsigned)u->card->vmcnt - 1;
  if (p->flags & OP_LGKM)
    lgkm = (unsigned)u->card->lgkmcnt - 1;
  s->unit = p->unit;
  s->ready = later(fetch_time(u, s), later(vm_time(s, vm), lgkm_time(s, lgkm)));
}

static void vm_add(struct slot *s, double done)
{
  double last = s->nvm ? s->vm[(s->nvm - 1) % VM_RING] : 0;
  s->vm[s->nvm++ % VM_RING] = later(done, last);
}

static void lgkm_add(struct slot *s, double t, double done)
{
  unsigned gone = 0;
  while (gone < s->nlgkm && s->lgkm[gone] <= t)
    gone++;
  s->nlgkm -= gone;
  memmove(s->lgkm, s->lgkm + gone, s->nlgkm * sizeof *s->lgkm);
  unsigned at = s->nlgkm++;
  while (at > 0 && s->lgkm[at - 1] > done) {
    s->lgkm[at] = s->lgkm[at - 1];
    at--;
  }
  s->lgkm[at] = done;
}

static uint64_t scalar_address(const struct wave *w, const struct inst *i)
{
  uint64_t base = w->s[i->srsrc] | (uint64_t)w->s[i->srsrc + 1] << 32;
  return (base & 0xffffffffffff) + (i->flags & INST_IMM ? (int64_t)i->imm : 0);
}

static double scalar_load(struct cu *u, double t, uint64_t address)
{
  int hit;
  struct cache_line *line =
      cache_touch(&u->scalar, address / (uint64_t)u->card->line, &hit);
  if (!hit)
    line->ready = t + u->card->scalar_miss;
  return later(line->ready, t + u->card->scalar_hit);
}

static double lds_load(struct cu *u, struct slot *s, double t, uint32_t pc)
{
  const struct price *p = &u->prices.at[pc];
  struct inst_count *count = &u->counts[pc];
  struct lds_cost cost = {0, 0};
  double busy;
  if (s->w->access.n && s->w->access.lds)
    cost = lds_access_again(u->memo, pc, &s->w->access);
  double done = lds_take(&u->lds, u->card, s->simd, t, p,
                         cost.cycles, &busy);
  count->lds_cycles += cost.cycles - cost.conflicts;
  count->lds_conflicts += cost.conflicts;
  u->totals.lds_busy += busy;
  return done;
}

static int is_private(const struct wave *w)
{
  const struct access *a = &w->access;
  return w->scratch && a->n && a->lanes &&
         wave_owns(w, a->addr[0][__builtin_ctzll(a->lanes)]);
}

static struct miss_rate rates_of(const struct cu *u, const struct slot *s,
                                 uint32_t pc)
{
  const struct access *a = &s->w->access;
  struct miss_rate rates = u->miss_rates[pc];
  if (!a->lds && is_private(s->w))
    return a->load ? u->private_loads : u->private_stores;
  return rates.known || !a->load ? rates : u->usual;
}

static void memory(struct cu *u, struct slot *s, double t, uint32_t pc)
{
  const struct price *p = &u->prices.at[pc];
  const struct access *a = &s->w->access;
  u->totals.flat_lds += p->flags & OP_FLAT && a->n && a->lds;
  double done = a->lds ? lds_load(u, s, t, pc)
                       : vmem_take(&u->vmem, t, s->home->number, a, p,
                                   rates_of(u, s, pc));
  vm_add(s, done);
  if (p->flags & OP_LGKM)
    lgkm_add(s, t, done);
}

/* What instruction pc, executed at t, occupies. */
static void occupy(struct cu *u, struct slot *s, double t, uint32_t pc,
                   uint64_t address)
{
  const struct price *p = &u->prices.at[pc];
  switch (p->unit) {
  case UNIT_VALU:
    u->simd[s->simd].valu = t + p->busy;
    u->totals.valu_busy += p->busy;
    break;
  case UNIT_SMEM:
    lgkm_add(s, t, scalar_load(u, t, address));
    break;
  case UNIT_LDS:
    u->totals.lds_wait += t - s->at;
    lgkm_add(s, t, lds_load(u, s, t, pc));
    break;
  case UNIT_VMEM:
    memory(u, s, t, pc);
    break;
  }
}

/* All waves of a group have come to their barrier at t. */
static void release(struct cu *u, struct resident *r, double t)
{
  if (!group_release(r->g))
    return;
  for (unsigned n = 0; n < r->g->nwaves; n++) {
    struct slot *s = &r->slots[n];
    if (s->w->state != WAVE_RUN)
      continue;
    double go = t + u->card->barrier;
    if (go > s->at) { /* the wait is the barrier's, which it executed last */
      u->counts[s->w->at].latency += go - s->at;
      u->counts[s->w->at].stall += go - s->at;
      if (u->d->wave_events)
        wave_events_wait(u->d->wave_events, s->event, go - s->at);
      s->at = go;
    }
    issue_prepare(u, s);
    issue_wake(u, s);
  }
}

/* The wave took a branch at instruction `last` back to where it is now. */
static void note_loop(struct cu *u, struct slot *s, uint32_t last)
{
  struct loop *l = NULL;
  for (unsigned n = 0; n < LOOPS; n++)
    if (s->loops[n].at && s->loops[n].last == last)
      l = &s->loops[n];
  if (!l) { /* the one that was not met for longest makes room */
    l = s->loops;
    for (unsigned n = 1; n < LOOPS; n++)
      if (s->loops[n].at < l->at)
        l = &s->loops[n];
    *l = (struct loop){.last = last};
  }
  uint64_t period = s->w->executed - l->at;
  l->repeats = period == l->period ? l->repeats + 1 : 0;
  l->period = period;
  l->at = s->w->executed;
  l->first = s->w->pc;
  u->lo = l->first < u->lo ? l->first : u->lo; /* a call may go there first */
  u->looped = s;
  u->loop = l;
}

/* The instruction that was issued at t is at an end; s->at still says when its
 * turn came. */
static void note_event(const struct cu *u, struct slot *s, double t,
                       uint32_t pc, double held)
{
  s->event = wave_events_add(u->d->wave_events, (struct hipsim_event){
      .size = sizeof(struct hipsim_event), .offset = pc, .wave = s->wave,
      .simd = s->simd, .slot = s->number, .at = s->at + u->skipped,
      .stall = t - s->at, .latency = t - s->at + held});
}

void issue(struct cu *u, struct slot *s, double t)
{
  struct wave *w = s->w;
  const uint32_t pc = w->pc;
  if (pc >= u->ncode) {
    wave_step(w); /* faults */
    return;
  }
  const struct price *p = price_of(&u->prices, pc);
  u->lo = pc < u->lo ? pc : u->lo;
  u->hi = pc < u->hi ? u->hi : pc + 1;
  uint64_t address = p->unit == UNIT_SMEM ? scalar_address(w, &u->code[pc]) : 0;
  w->clock = (uint64_t)(t + u->skipped);
  if (p->unit == UNIT_VALU) /* by the lanes before it: v_cmpx turns some off */
    u->totals.valu_lanes += p->busy * __builtin_popcountll(WAVE_EXEC(w));
  wave_step(w);
  if (w->state == WAVE_FAULT)
    return;
  occupy(u, s, t, pc, address);
  int jumped = w->state == WAVE_RUN && w->pc != pc + p->words &&
               (p->unit == UNIT_BRANCH || p->unit == UNIT_SALU);
  double held = jumped ? u->card->taken : p->held;
  struct inst_count *count = &u->counts[pc];
  count->hits++;
  count->stall += t - s->at;
  count->latency += t - s->at + held;
  u->totals.all++;
  if (u->d->wave_events)
    note_event(u, s, t, pc, held);
  s->at = t + held;
  if (jumped && w->pc <= pc) {
    note_loop(u, s, pc);
    wave_overran(w, u->d->limit);
  }
  if (w->state != WAVE_RUN) {
    s->ready = INFINITY;
    u->ended += w->state == WAVE_END && s->home->g->ended == s->home->g->nwaves;
    release(u, s->home, t);
  } else {
    issue_prepare(u, s);
  }
}

void issue_wake(struct cu *u, const struct slot *s)
{
  struct simd *simd = &u->simd[s->simd];
  double turn = issue_turn(s->ready, s->simd);
  if (turn < simd->next)
    simd->next = turn;
}
