/* replay.c - see replay.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/replay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "runtimes/sim/timing/loop_control.h"
#include "runtimes/sim/timing/main_loop.h"
#include "runtimes/sim/timing/server.h"

/* LINES: that are looked at; a new group counts as START of them. PARTS: of
 * turns of each group, at least. LIFE: turns of a group, at most, for the
 * launch to be met in its middle; MOVES: turns that all groups are moved on for
 * that; SHORT: drift()'s share of them; STEPS: instructions of a part that are
 * executed, at most. */
enum { STEPS = 50000, LINES = 1500000, START = 1000, PARTS = 8, LIFE = 4096,
       MOVES = 200000, SHORT = 4 };

struct follower {
  struct wave *w;
  uint64_t group; /* of the grid */
  uint64_t at[MAIN_LOOP_LOADS]; /* main_loop_join() */
  uint64_t was[MAIN_LOOP_LOADS]; /* where each load was a turn ago; 0: nowhere */
  int64_t turn;
  unsigned part; /* of the turn, which is next or under way */
  unsigned met;  /* loads of this turn */
  double t; /* when that begins */
};

struct state {
  struct replay *r;
  struct main_loop loop;
  unsigned line_log; /* of the bytes of a line; a division would take longer */
  uint16_t *hop; /* dwords from the loop's first + i to what matters next */
  struct follower *followers;
  uint64_t *heap; /* of followers in the loop, the one that is next at 0 */
  uint64_t nheap;
  uint64_t waits; /* so far */
  double looked;  /* lines */
  double life;    /* turns of a group; INFINITY: as long as one looks */
  int warm;
  int jumps[MAIN_LOOP_LOADS]; /* from turn to turn, as was seen last */
};

/* --- in the order of time ------------------------------------------------- */

static void sink(struct state *s, uint64_t root)
{
  uint64_t held = s->heap[root], child;
  while ((child = 2 * root + 1) < s->nheap) {
    if (child + 1 < s->nheap && s->followers[s->heap[child + 1]].t <
                                    s->followers[s->heap[child]].t)
      child++;
    if (s->followers[held].t <= s->followers[s->heap[child]].t)
      break;
    s->heap[root] = s->heap[child];
    root = child;
  }
  s->heap[root] = held;
}

/* The line of a block that is looked at. Always the first would leave groups
 * whose tiles are narrower than a block with nothing to wait for. */
static uint64_t chosen(uint64_t block)
{
  enum {LOG = 2};
  _Static_assert(1 << LOG == REPLAY_SAMPLE, "of REPLAY_SAMPLE lines");
  return block * REPLAY_SAMPLE + rng_even(block, LOG);
}

/* Lines from..end of a block are wanted at t, by a load that `jumps` from turn
 * to turn or goes on to neighbours; returns when they are there. What is passed
 * over counts too: a loop may ask for nothing else. */
static double load_block(struct state *s, uint64_t slot,
                         const struct main_loop_load *l, int jumps, uint64_t from,
                         uint64_t end, double t)
{
  uint64_t block = from / REPLAY_SAMPLE, one = chosen(block);
  unsigned lines = (unsigned)(end - from + 1);
  s->looked += (double)lines / REPLAY_SAMPLE;
  double known = s->r->translate(s->r->user, slot, from * s->r->line_bytes, t);
  if (one < from || one > end)
    return known;
  uint64_t other = one ^ 1;
  struct replay_load wanted = {.slot = slot, .group = s->followers[slot].group,
                               .pc = l->pc, .line = block * REPLAY_SAMPLE,
                               .lines = lines,
                               .camping = l->camping,
                               .lone = jumps && (other < from || other > end),
                               .t = known};
  return s->r->load(s->r->user, &wanted);
}

/* Returns when all of it is there. */
static double load(struct state *s, uint64_t slot, const struct main_loop_load *l,
                   int jumps, uint64_t at, double t)
{
  double done = t;
  for (size_t n = 0; n < l->n; n++) {
    uint64_t byte = at + (uint64_t)l->pieces[n].at;
    uint64_t line = byte >> s->line_log;
    uint64_t last = (byte + l->pieces[n].bytes - 1) >> s->line_log, end;
    for (; line <= last; line = end + 1) {
      end = line / REPLAY_SAMPLE * REPLAY_SAMPLE + REPLAY_SAMPLE - 1;
      end = end < last ? end : last;
      double ready = load_block(s, slot, l, jumps, line, end, t);
      done = later(ready, done);
    }
  }
  return done;
}

/* The waves that follow have nothing to do but what decides how the loop goes on,
 * and the loads. */
static void find_hops(struct state *s)
{
  const struct main_loop *b = &s->loop;
  uint32_t n = b->last - b->first + 1;
  unsigned char *runs = loop_control(b);
  s->hop = mem_array(n, sizeof *s->hop);
  for (uint32_t pc = b->first; pc <= b->last; pc += main_loop_price(b, pc)->words) {
    uint32_t to = pc;
    while (to < b->last && !runs[to - b->first] && main_loop_load_at(b, to, 0) < 0)
      to += main_loop_price(b, to)->words;
    s->hop[pc - b->first] = (uint16_t)(to - pc);
  }
  free(runs);
}

/* Load number n of a group is at `at` this turn. Does it jump, or go on to
 * neighbours? The loop may be unrolled, hence a block is no jump yet. */
static int jumps(struct state *s, struct follower *f, int n, uint64_t at)
{
  uint64_t was = f->was[n], by = at > was ? at - was : was - at;
  if (was)
    s->jumps[n] = by > REPLAY_SAMPLE * s->r->line_bytes;
  f->was[n] = at;
  return s->jumps[n];
}

/* What load number n asks for this turn. */
static void load_now(struct state *s, uint64_t slot, int n, double *done)
{
  struct follower *f = &s->followers[slot];
  const struct main_loop *b = &s->loop;
  const struct main_loop_load *l = &b->loads[n];
  uint64_t at = main_loop_scalar(b, f->w, l->pc) + f->at[n] +
                (uint64_t)(f->turn * l->step);
  double ready = load(s, slot, l, jumps(s, f, n, at), at, f->t);
  *done = later(ready, *done);
}

static int next_part(struct follower *f, unsigned part)
{
  f->part = part;
  return 1;
}

/* One part of a turn, of which only what controls the loop runs; *done is when
 * its loads are; NULL: they are left out. 0 where the wave left the loop. */
static int follow(struct state *s, uint64_t slot, double *done)
{
  struct follower *f = &s->followers[slot];
  struct wave *w = f->w;
  const struct main_loop *b = &s->loop;
  if (w->pc == b->first) {
    f->turn++;
    f->met = 0;
  }
  for (uint32_t n = 0; n < STEPS; n++) {
    if (w->pc - b->first > b->last - b->first)
      return 0;
    w->pc += s->hop[w->pc - b->first];
    uint32_t pc = w->pc;
    const struct price *p = main_loop_price(b, pc);
    if (p->unit != UNIT_VMEM) {
      wave_step(w);
      if (w->pc == b->first && pc == b->last)
        return next_part(f, 0);
      continue;
    }
    int load = main_loop_load_at(b, pc, f->met);
    if (load < 0)
      return 0;
    if (b->loads[load].part != f->part)
      return next_part(f, b->loads[load].part);
    if (done)
      load_now(s, slot, load, done);
    f->met = (unsigned)load + 1;
    w->pc += p->words;
  }
  return 0;
}

/* Group number `group` of the grid takes the slot; 0 where there is none, or
 * it does not get to the loop. */
static int enter(struct state *s, struct follower *f, uint64_t group)
{
  if (group >= dispatch_groups(s->r->d))
    return 0;
  f->group = group;
  group_renew(f->w->group, group);
  f->turn = f->part = f->met = 0;
  memset(f->was, 0, sizeof f->was);
  return main_loop_join(&s->loop, f->w, f->at);
}

/* The slot's next group: they are dealt out in turn. */
static int refill(struct state *s, struct follower *f)
{
  s->looked += START;
  return enter(s, f, f->group + s->r->ngroups);
}

static double arithmetic(const struct state *s)
{
  const struct main_loop *b = &s->loop;
  return (b->valu > b->lds ? b->valu : b->lds) * s->r->per_cu / b->parts;
}

/* 0..1, by number: even spaces could keep in step with the steps by which
 * kernels stagger their groups' loads. */
static double chance(uint64_t n)
{
  return rng_fraction(rng_nth(0, n));
}

/* What a group waits where a fair share is `cycles`: memory does not serve a
 * CU's groups alike. So they drift apart where it sets the pace, and lose what
 * they could have shared; where arithmetic does, nobody waits. */
static double waited(struct state *s, double cycles)
{
  double part = s->r->per_cu > 1 ? s->r->unfair : 0;
  return cycles * (1 + part * (2 * chance(s->waits++) - 1));
}

/* The group that is next goes through a part of a turn. */
static void take_part(struct state *s)
{
  uint64_t slot = s->heap[0];
  struct follower *f = &s->followers[slot];
  double began = f->t, least = began + arithmetic(s), done = least;
  int on = follow(s, slot, &done);
  f->t = done = least + waited(s, done - least);
  s->r->cycles += done - began;
  s->r->parts++;
  if (!on && !refill(s, f))
    s->heap[0] = s->heap[--s->nheap];
  if (s->nheap)
    sink(s, 0);
}

static int open_one(struct state *s, uint64_t n)
{
  s->followers[n].w = s->r->groups[n]->waves;
  return enter(s, &s->followers[n], n);
}

/* Turns of the first group. */
static double life_of_one(struct state *s)
{
  if (!open_one(s, 0))
    return 0;
  int64_t *turn = &s->followers[0].turn;
  while (*turn < LIFE && follow(s, 0, NULL))
    ;
  return *turn < LIFE ? (double)*turn : INFINITY;
}

/* Turns between groups of a CU. The first generation starts together; but of
 * a CU's groups the oldest issues first, so that they leave one by one and are
 * soon 1 / per_cu of their time apart. 0 for loops that do not end. */
static double apart(const struct state *s)
{
  double groups = (double)s->r->ngroups, per_cu = s->r->per_cu;
  double total = (double)dispatch_groups(s->r->d);
  if (s->life == INFINITY)
    return 0;
  double turns = s->life * (1 - groups / total) / per_cu;
  double sum = turns * (per_cu - 1) * groups / 2;
  return sum > MOVES ? turns * MOVES / sum : turns;
}

/* Turns by which groups that began together have drifted apart in the middle
 * of the launch: by chance, hence the root of how many a group has. Of a short
 * loop no more than a part, which is a guess (docs/model.md, large K). */
static double drift(const struct state *s)
{
  if (s->r->per_cu < 2 || s->life == INFINITY)
    return 1;
  double turns = s->r->drift * sqrt(s->life), most = s->life / SHORT;
  return 1 + (turns < most ? turns : most);
}

/* Groups that are past their loop's end by then have left their places to the
 * next ones. */
static int open_all(struct state *s)
{
  uint64_t groups = s->r->ngroups, cus = groups / s->r->per_cu;
  s->life = life_of_one(s);
  double turns = apart(s);
  for (uint64_t n = 0; n < groups; n++) {
    double before = cus ? (double)(n / cus) : 0; /* groups of its CU */
    double left = (s->r->per_cu - 1 - before) * turns + chance(n) * drift(s);
    left *= s->loop.parts;
    int in = open_one(s, n);
    for (; in && left >= 1; left--)
      in = follow(s, n, NULL) || refill(s, &s->followers[n]);
    s->followers[n].t = before * s->r->start;
    if (in)
      s->heap[s->nheap++] = n; /* in the order of t: a heap */
  }
  return s->nheap * 4 > groups * 3;
}

/* Half of what there is to look at is done, and enough is left. */
static int is_warm(const struct state *s)
{
  double all = s->life * s->loop.parts * (double)dispatch_groups(s->r->d);
  double left = all - s->r->parts;
  return left > (PARTS + 1) * (double)s->r->ngroups &&
         (s->looked > LINES / 2 || s->r->parts > all / 2);
}

static int has_seen_enough(const struct replay *r)
{
  return r->parts >= (double)PARTS * (double)r->ngroups;
}

/* Once groups are missing, those that are left have memory to themselves: the
 * launch's end, which its mean is not asked for. */
static void replay(struct state *s)
{
  uint64_t all = s->nheap;
  while (s->nheap && s->looked < LINES) {
    if (s->nheap < all && has_seen_enough(s->r))
      break;
    take_part(s);
    if (!s->warm && is_warm(s)) {
      s->warm = 1;
      s->r->cycles = s->r->parts = 0;
      s->r->warm(s->r->user);
    }
  }
}

/* 0 where the kernel is not one of those that can be. */
static int prepare(struct state *s)
{
  struct main_loop *b = &s->loop;
  const struct replay *r = s->r;
  *b = (struct main_loop){.d = r->d, .prices = r->prices,
                     .block_bytes = REPLAY_SAMPLE * r->line_bytes,
                     .channels = r->channels};
  if (!main_loop_read(b, r->groups[0]) || b->last - b->first >= UINT16_MAX)
    return 0;
  find_hops(s);
  return open_all(s);
}

int replay_run(struct replay *r)
{
  struct state *s = mem_alloc(sizeof *s);
  s->r = r;
  s->line_log = (unsigned)__builtin_ctz(r->line_bytes);
  assert(1u << s->line_log == r->line_bytes);
  s->followers = mem_array(r->ngroups, sizeof *s->followers);
  s->heap = mem_array(r->ngroups, sizeof *s->heap);
  int ok = prepare(s);
  if (ok)
    replay(s);
  r->arithmetic = arithmetic(s);
  ok = ok && has_seen_enough(r);
  main_loop_free(&s->loop);
  free(s->hop);
  free(s->heap);
  free(s->followers);
  free(s);
  return ok;
}
