/* fast_forward.c - see fast_forward.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/fast_forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Instructions that one stretch moves on, before its success is looked at. */
enum {STRETCH = 200000, SETTLED = 2};

/* A group as it was, to undo a stretch. */
struct saved {
  struct group group;
  struct wave *waves;
  uint8_t *registers, *lds, *scratch;
};

/* The settled loop with the longest period that the wave is in. */
static const struct loop *own_loop(const struct slot *s)
{
  const struct loop *best = NULL;
  for (unsigned n = 0; n < LOOPS; n++) {
    const struct loop *l = &s->loops[n];
    if (l->repeats >= SETTLED && s->w->executed - l->at <= l->period &&
        (!best || l->period > best->period))
      best = l;
  }
  return best;
}

static int changes_memory(const struct cu *u, const struct loop *l,
                          const struct wave *w)
{
  for (uint32_t pc = l->first; pc <= l->last; pc++)
    if (cost_writes(&u->code[pc], price_of(&u->prices, pc), w))
      return 1;
  return 0;
}

/* The loop that all waves of a group are in; NULL where there is none. */
static const struct loop *group_loop(const struct cu *u,
                                     const struct resident *r)
{
  const struct loop *first = NULL;
  for (unsigned n = 0; n < r->g->nwaves; n++) {
    if (r->g->waves[n].state == WAVE_END)
      continue;
    const struct loop *l = own_loop(&r->slots[n]);
    if (!l || (first && l->last != first->last))
      return NULL;
    first = first ? first : l;
  }
  return first && !changes_memory(u, first, r->g->waves) ? first : NULL;
}

int fast_forward_possible(struct cu *u)
{
  for (struct resident *r = u->groups; r; r = r->next)
    if (!group_loop(u, r))
      return 0;
  return 1;
}

static size_t register_bytes(const struct group *g)
{
  return wave_register_bytes(&g->waves[0]);
}

static void save(const struct resident *r, struct saved *s)
{
  const struct group *g = r->g;
  if (!s->waves) {
    s->waves = mem_array(g->nwaves, sizeof *s->waves);
    s->registers = mem_array(g->nwaves, register_bytes(g));
    s->lds = mem_alloc(g->lds_bytes + 1);
    s->scratch = mem_alloc(group_private_bytes(g) + 1);
  }
  s->group = *g;
  memcpy(s->waves, g->waves, g->nwaves * sizeof *s->waves);
  for (unsigned n = 0; n < g->nwaves; n++)
    memcpy(s->registers + n * register_bytes(g), g->waves[n].v, register_bytes(g));
  memcpy(s->lds, g->lds, g->lds_bytes);
  if (group_private_bytes(g))
    memcpy(s->scratch, (void *)(uintptr_t)g->waves[0].scratch,
           group_private_bytes(g));
}

static void restore(const struct saved *s, struct resident *r)
{
  struct group *g = r->g;
  *g = s->group;
  memcpy(g->waves, s->waves, g->nwaves * sizeof *s->waves);
  for (unsigned n = 0; n < g->nwaves; n++)
    memcpy(g->waves[n].v, s->registers + n * register_bytes(g), register_bytes(g));
  memcpy(g->lds, s->lds, g->lds_bytes);
  if (group_private_bytes(g))
    memcpy((void *)(uintptr_t)g->waves[0].scratch, s->scratch,
           group_private_bytes(g));
}

static void forget(struct saved *s)
{
  free(s->waves);
  free(s->registers);
  free(s->lds);
  free(s->scratch);
}

/* How often each dword of the CU's was executed: by itself, or as the first of some that
 * are idle. */
struct tally {
  double *hits, *idled;
};

/* Run w to its barrier or until it has executed `end`; 0 where it leaves the
 * loop. */
static int run_wave(const struct cu *u, struct wave *w, const struct loop *l,
                    uint64_t end, const struct tally *t)
{
  size_t at = l->first - u->lo;
  return wave_loop(w, l->first, l->last, end, t->hits + at, t->idled + at) &&
         w->state != WAVE_FAULT;
}

/* Count what was passed over. Which of the group's waves it was does not matter any
 * more. */
static void count_idle(const struct cu *u, struct group *g, const struct tally *t)
{
  const struct idle *idle = g->dispatch->idle;
  for (size_t n = 0; idle && n < u->hi - u->lo; n++) {
    double times = t->idled[n];
    t->idled[n] = 0;
    if (!(times > 0))
      continue;
    for (size_t pc = u->lo + n, end = pc + idle[pc].dwords; pc < end;
         pc += u->code[pc].words) {
      t->hits[pc - u->lo] += times;
      g->waves[0].counts[u->code[pc].op_class] += (uint64_t)times;
    }
  }
}

/* Did every wave come to where it was? */
static int same_place(const struct resident *r, const struct saved *s,
                      const uint64_t *end)
{
  for (unsigned n = 0; n < r->g->nwaves; n++) {
    const struct wave *w = &r->g->waves[n];
    if (w->pc != s->waves[n].pc || w->state != s->waves[n].state ||
        w->executed != end[n])
      return 0;
  }
  return 1;
}

static uint64_t total(const uint64_t *end, const struct group *g)
{
  uint64_t left = 0;
  for (unsigned n = 0; n < g->nwaves; n++)
    left += end[n] - g->waves[n].executed;
  return left;
}

/* Move a group on by `periods`; 0 where a wave left its loop. */
static int advance(const struct cu *u, struct resident *r, const struct saved *s,
                   uint64_t periods, const struct tally *t)
{
  enum {MOST = 1024 / LANES};
  struct group *g = r->g;
  const uint64_t limit = g->dispatch->limit;
  const struct loop *loops[MOST];
  uint64_t end[MOST], left, before = 0;
  for (unsigned n = 0; n < g->nwaves; n++) {
    loops[n] = own_loop(&r->slots[n]);
    end[n] = g->waves[n].executed;
    if (loops[n] && g->waves[n].state != WAVE_END)
      end[n] += periods * loops[n]->period;
    if (limit && end[n] > limit)
      return 0;
  }
  while ((left = total(end, g)) > 0 && left != before) {
    before = left;
    for (unsigned n = 0; n < g->nwaves; n++)
      if (end[n] > g->waves[n].executed &&
          !run_wave(u, &g->waves[n], loops[n], end[n], t))
        return 0;
    if (total(end, g) > 0)
      group_release(g);
  }
  count_idle(u, g, t);
  return same_place(r, s, end);
}

/* Loops keep their phase: their last time moves with the wave. */
static void move_marks(struct resident *r, const struct saved *s)
{
  for (unsigned n = 0; n < r->g->nwaves; n++) {
    uint64_t by = r->g->waves[n].executed - s->waves[n].executed;
    for (unsigned k = 0; k < LOOPS; k++)
      if (r->slots[n].loops[k].at)
        r->slots[n].loops[k].at += by;
  }
}

/* Instructions of one period of all the group's waves together. */
static double period(const struct resident *r)
{
  double n = 0;
  for (unsigned i = 0; i < r->g->nwaves; i++)
    if (r->g->waves[i].state != WAVE_END)
      n += (double)own_loop(&r->slots[i])->period;
  return n;
}

/* Move all groups on by `cycles`, or none; t counts what it tried. */
static int stretch(struct cu *u, struct saved *saved, double cycles,
                   const struct tally *t)
{
  struct saved *s = saved;
  for (struct resident *r = u->groups; r; r = r->next)
    save(r, s++);
  int ok = 1;
  s = saved;
  for (struct resident *r = u->groups; r && ok; r = r->next, s++) {
    double due = r->progress + cycles * r->rate / period(r);
    ok = advance(u, r, s, (uint64_t)(due + 1e-6), t);
  }
  s = saved;
  for (struct resident *r = u->groups; r; r = r->next, s++) {
    if (!ok) {
      restore(s, r);
      continue;
    }
    move_marks(r, s);
    double due = r->progress + cycles * r->rate / period(r);
    r->progress = due - floor(due + 1e-6);
  }
  return ok;
}

/* Of a stretch: what was executed counts, what was undone does not. */
static void settle(const struct cu *u, const struct tally *tried, double *hits, int ok)
{
  for (size_t n = 0; n < u->hi - u->lo; n++) {
    hits[n] += ok ? tried->hits[n] : 0;
    tried->hits[n] = tried->idled[n] = 0;
  }
}

double fast_forward(struct cu *u, double *hits)
{
  double fastest = 0, insts = 0, cycles = 0; /* periods, instructions a cycle */
  for (struct resident *r = u->groups; r; r = r->next) {
    r->progress = 0;
    insts += r->rate;
    if (r->rate / period(r) > fastest)
      fastest = r->rate / period(r);
  }
  if (!(fastest > 0))
    return 0;
  struct saved *saved = mem_array(u->ngroups, sizeof *saved);
  size_t dwords = u->hi - u->lo;
  struct tally tried = {mem_array(dwords, sizeof *hits), mem_array(dwords, sizeof *hits)};
  uint64_t n = (uint64_t)(1 + STRETCH / insts * fastest);
  while (n) {
    double by = (double)n / fastest;
    int ok = stretch(u, saved, by, &tried);
    settle(u, &tried, hits, ok);
    if (ok)
      cycles += by;
    else
      n /= 2;
  }
  for (unsigned i = 0; i < u->ngroups; i++)
    forget(&saved[i]);
  free(saved);
  free(tried.hits);
  free(tried.idled);
  return cycles;
}
