/* replay.c - see replay.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "runtimes/sim/share.h"
#include "runtimes/sim/spread.h"

/* SEARCH: instructions within which a wave comes to the loop. LINES: that are
 * looked at; a new group counts as START of them. LIFE: turns of a group, at
 * most, for the launch to be met in its middle; MOVES: turns that all groups
 * are moved on for that. */
enum { SEARCH = 50000, LOADS = 64, LINES = 1500000, START = 1000,
       SETTLED = 2, TURNS = 8, LIFE = 4096, MOVES = 200000 };

/* Bytes that a group loads, from where its first wave's first lane does. */
struct piece {
  int64_t at;
  uint32_t bytes;
};

struct load {
  uint32_t pc;
  int64_t step; /* a turn, beside what the scalar unit adds */
  uint64_t first; /* where the first wave's first lane loads, this turn */
  int narrow; /* spread.h; of a wave's lines */
  struct piece *pieces;
  size_t n, room;
};

struct body {
  uint32_t first, last; /* dwords of the loop: target, and the branch */
  struct load loads[LOADS];
  unsigned n;
  int failed;
  uint16_t *hop; /* dwords to the next instruction that matters, by pc */
};

struct follower {
  struct wave *w;
  uint64_t group; /* of the grid */
  uint64_t at[LOADS]; /* of a load's first lane, less the scalar base */
  int64_t turn;
  double t; /* when its turn begins */
};

struct state {
  struct replay *r;
  struct body body;
  struct follower *followers;
  uint64_t *heap; /* of followers in the loop, the one that is next at 0 */
  uint64_t nheap;
  uint64_t waits; /* so far */
  double looked;  /* lines */
  double life;    /* turns of a group; INFINITY: as long as one looks */
  double valu, lds; /* cycles of a turn of a group */
  int warm;
};

static const struct inst *inst_at(const struct state *s, uint32_t pc)
{
  const struct object *o = s->r->d->kernel->object;
  return pc < o->ncode ? &o->code[pc] : NULL;
}

static const struct price *price_at(const struct state *s, uint32_t pc)
{
  return price_of(s->r->prices, s->r->d->kernel->object->code, pc);
}

/* The part of an address that scalar registers hold. */
static uint64_t scalar_base(const struct wave *w, const struct inst *i)
{
  unsigned s = i->srsrc & 127;
  if (i->format == MUBUF || i->format == MTBUF)
    return (w->s[s] | (uint64_t)(w->s[(s + 1) & 127] & 0xffff) << 32) +
           scalar_read(w, i, i->src[2]);
  s = i->src[2] & 127;
  return i->flags & INST_SADDR
             ? w->s[s] | (uint64_t)w->s[(s + 1) & 127] << 32
             : 0;
}

/* One instruction that must not change memory that others see. Barriers hold
 * nobody where the wave is alone. */
static void step(struct state *s, struct wave *w, int alone)
{
  const struct inst *i = inst_at(s, w->pc);
  if (i && share_writes(s->r->d, i, price_at(s, w->pc))) {
    w->pc += price_at(s, w->pc)->words;
    return;
  }
  wave_step(w);
  if (alone && w->state == WAVE_BARRIER) {
    w->state = WAVE_RUN;
    w->group->arrived = 0;
  }
}

/* --- the loop ------------------------------------------------------------- */

/* Run w on to a backward branch that it takes SETTLED times in a row, with as
 * many instructions in between each time. */
static int find_loop(struct state *s, struct wave *w)
{
  uint32_t last = 0;
  uint64_t at = 0, period = 0;
  unsigned same = 0;
  for (int n = 0; n < SEARCH && w->state == WAVE_RUN; n++) {
    uint32_t pc = w->pc;
    step(s, w, 1);
    if (w->pc > pc || w->state != WAVE_RUN)
      continue;
    same = pc == last && w->executed - at == period ? same + 1 : 0;
    period = w->executed - at;
    at = w->executed;
    last = pc;
    if (same == SETTLED) {
      s->body.first = w->pc;
      s->body.last = last;
      return 1;
    }
  }
  return 0;
}

static int to_loop(struct state *s, struct wave *w)
{
  for (int n = 0; n < SEARCH && w->state == WAVE_RUN; n++) {
    if (w->pc == s->body.first)
      return 1;
    step(s, w, 1);
  }
  return 0;
}

static struct load *load_of(struct body *b, uint32_t pc)
{
  for (unsigned n = 0; n < b->n; n++)
    if (b->loads[n].pc == pc)
      return &b->loads[n];
  return NULL;
}

static int is_load(const struct state *s, const struct wave *w, uint32_t pc)
{
  return price_at(s, pc)->unit == UNIT_VMEM && w->access.n && w->access.load &&
         !w->access.lds && w->access.lanes;
}

static uint64_t first_lane(const struct access *a)
{
  return a->addr[0][__builtin_ctzll(a->lanes)];
}

/* --- its shape: all waves of one group ------------------------------------ */

static void add_piece(struct load *l, int64_t at, uint32_t bytes)
{
  struct piece *p = l->n ? &l->pieces[l->n - 1] : NULL;
  if (p && p->at + p->bytes == at) {
    p->bytes += bytes;
    return;
  }
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 64;
    l->pieces = mem_resize(l->pieces, l->room * sizeof *l->pieces);
  }
  l->pieces[l->n++] = (struct piece){at, bytes};
}

static void add_lanes(struct state *s, struct load *l, const struct access *a)
{
  uint64_t block_bytes = REPLAY_SAMPLE * s->r->line_bytes;
  struct spread spread = {0};
  for (unsigned lane = 0; lane < LANES; lane++)
    if (a->lanes >> lane & 1) {
      add_piece(l, (int64_t)(a->addr[0][lane] - l->first), a->bytes);
      spread_add(&spread, a->addr[0][lane] / block_bytes, s->r->channels);
    }
  l->narrow |= spread_narrow(&spread, s->r->channels);
}

/* The first wave's load in the first turn: a new one. */
static struct load *new_load(struct body *b, uint32_t pc)
{
  if (b->n == LOADS) {
    b->failed = 1;
    return NULL;
  }
  b->loads[b->n] = (struct load){.pc = pc};
  return &b->loads[b->n++];
}

static void note(struct state *s, struct wave *w, uint32_t pc, uint64_t base,
                 int turn)
{
  struct body *b = &s->body;
  struct load *l = load_of(b, pc);
  uint64_t at = first_lane(&w->access) - base;
  if (w->index == 0 && turn == 0)
    l = l ? NULL : new_load(b, pc);
  if (!l) {
    b->failed = 1;
    return;
  }
  if (w->index == 0) {
    l->step = turn ? (int64_t)(at - s->followers[0].at[l - b->loads]) : 0;
    s->followers[0].at[l - b->loads] = at;
    l->first = at + base;
  }
  if (turn == 0)
    add_lanes(s, l, &w->access);
}

static void add_cost(struct state *s, const struct price *p)
{
  enum { SIMDS = 4 };
  s->valu += p->unit == UNIT_VALU ? p->busy / (double)SIMDS : 0;
  s->lds += p->unit == UNIT_LDS ? p->shared : 0;
}

/* One turn of w, or up to a barrier. */
static void turn_of(struct state *s, struct wave *w, int turn, int *moved)
{
  for (int n = 0; n < SEARCH && w->state == WAVE_RUN; n++) {
    uint32_t pc = w->pc;
    const struct inst *i = inst_at(s, pc);
    if (!i || pc - s->body.first > s->body.last - s->body.first) {
      s->body.failed = 1;
      return;
    }
    uint64_t base = price_at(s, pc)->unit == UNIT_VMEM ? scalar_base(w, i) : 0;
    *moved = 1;
    if (turn == 0)
      add_cost(s, price_at(s, pc));
    w->access.n = 0;
    step(s, w, 0);
    if (is_load(s, w, pc))
      note(s, w, pc, base, turn);
    if (w->pc == s->body.first)
      return;
  }
}

/* Every wave of a group goes through the loop once. */
static int turn_together(struct state *s, struct group *g, int turn)
{
  uint64_t through = 0;
  int moved = 1;
  while (moved && through != ((uint64_t)1 << g->nwaves) - 1) {
    moved = 0;
    for (uint32_t n = 0; n < g->nwaves && !s->body.failed; n++)
      if (!(through >> n & 1) && g->waves[n].state == WAVE_RUN) {
        turn_of(s, &g->waves[n], turn, &moved);
        if (g->waves[n].pc == s->body.first)
          through |= (uint64_t)1 << n;
      }
    group_release(g);
  }
  return moved && !s->body.failed;
}

/* Bring all waves to the head of the loop, with their barriers. */
static int assemble(struct state *s, struct group *g)
{
  int moved = 1, here = 0;
  while (moved && here < (int)g->nwaves) {
    moved = here = 0;
    for (uint32_t n = 0; n < g->nwaves; n++) {
      struct wave *w = &g->waves[n];
      for (int k = 0; k < SEARCH && w->state == WAVE_RUN &&
                      w->pc != s->body.first; k++) {
        moved = 1;
        step(s, w, 0);
      }
      here += w->pc == s->body.first;
    }
    moved |= group_release(g);
  }
  return here == (int)g->nwaves;
}

static int by_place(const void *a, const void *b)
{
  const struct piece *p = a, *q = b;
  return (p->at > q->at) - (p->at < q->at);
}

/* Lanes and waves that load the same bytes, or neighbours, are one piece. */
static void merge(struct load *l)
{
  size_t n = 0;
  qsort(l->pieces, l->n, sizeof *l->pieces, by_place);
  for (size_t i = 1; i < l->n; i++) {
    struct piece *p = &l->pieces[n], *q = &l->pieces[i];
    int64_t end = q->at + q->bytes;
    if (q->at > p->at + p->bytes)
      l->pieces[++n] = *q;
    else if (end > p->at + p->bytes)
      p->bytes = (uint32_t)(end - p->at);
  }
  l->n = n + 1;
}

static int take_shape(struct state *s)
{
  struct group *g = s->r->groups[0];
  group_renew(g, 0);
  if (!assemble(s, g) || !turn_together(s, g, 0) || !turn_together(s, g, 1))
    return 0;
  for (unsigned n = 0; n < s->body.n; n++)
    merge(&s->body.loads[n]);
  return s->body.n > 0;
}

/* --- where the other groups stand ----------------------------------------- */

/* The group's first wave goes alone to the loop and through it once. */
static int join(struct state *s, struct follower *f)
{
  struct wave *w = f->w;
  struct body *b = &s->body;
  unsigned met = 0;
  if (!to_loop(s, w))
    return 0;
  do {
    uint32_t pc = w->pc;
    const struct inst *i = inst_at(s, pc);
    if (!i || pc - b->first > b->last - b->first)
      return 0;
    uint64_t base = price_at(s, pc)->unit == UNIT_VMEM ? scalar_base(w, i) : 0;
    w->access.n = 0;
    step(s, w, 1);
    struct load *l = is_load(s, w, pc) ? load_of(b, pc) : NULL;
    if (l) {
      f->at[l - b->loads] = first_lane(&w->access) - base;
      met++;
    }
  } while (w->pc != b->first && w->state == WAVE_RUN);
  f->turn = 0;
  return met == b->n;
}

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
  enum { LOG = 2 };
  _Static_assert(1 << LOG == REPLAY_SAMPLE, "of REPLAY_SAMPLE lines");
  return block * REPLAY_SAMPLE + (block * 0x9e3779b97f4a7c15u >> (64 - LOG));
}

/* Lines from..end of a block are wanted at t; returns when they are there.
 * What is passed over counts too: a loop may ask for nothing else. */
static double load_block(struct state *s, uint64_t slot, const struct load *l,
                         uint64_t from, uint64_t end, double t)
{
  uint64_t block = from / REPLAY_SAMPLE, one = chosen(block);
  unsigned lines = (unsigned)(end - from + 1);
  s->looked += (double)lines / REPLAY_SAMPLE;
  if (one < from || one > end)
    return t;
  struct replay_load wanted = {.slot = slot, .pc = l->pc,
                               .line = block * REPLAY_SAMPLE, .lines = lines,
                               .narrow = l->narrow, .t = t};
  return s->r->load(s->r->user, &wanted);
}

/* Returns when all of it is there. */
static double load(struct state *s, uint64_t slot, const struct load *l,
                   uint64_t at, double t)
{
  double done = t;
  for (size_t n = 0; n < l->n; n++) {
    uint64_t byte = at + (uint64_t)l->pieces[n].at;
    uint64_t line = byte / s->r->line_bytes;
    uint64_t last = (byte + l->pieces[n].bytes - 1) / s->r->line_bytes, end;
    for (; line <= last; line = end + 1) {
      end = line / REPLAY_SAMPLE * REPLAY_SAMPLE + REPLAY_SAMPLE - 1;
      end = end < last ? end : last;
      double ready = load_block(s, slot, l, line, end, t);
      done = ready > done ? ready : done;
    }
  }
  return done;
}

/* Where the waves that follow have something to do: scalar instructions,
 * branches and the loads. */
static int matters(const struct state *s, uint32_t pc)
{
  unsigned unit = price_at(s, pc)->unit;
  return unit == UNIT_SALU || unit == UNIT_BRANCH ||
         (unit == UNIT_VMEM && load_of((struct body *)&s->body, pc));
}

static void find_hops(struct state *s)
{
  struct body *b = &s->body;
  uint32_t n = b->last - b->first + 1;
  b->hop = mem_array(n, sizeof *b->hop);
  for (uint32_t pc = b->first; pc <= b->last; pc += price_at(s, pc)->words) {
    uint32_t to = pc;
    while (to < b->last && !matters(s, to))
      to += price_at(s, to)->words;
    b->hop[pc - b->first] = (uint16_t)(to - pc);
  }
}

/* What the load at pc asks for this turn. */
static void load_now(struct state *s, uint64_t slot, uint32_t pc,
                     double *done)
{
  const struct follower *f = &s->followers[slot];
  const struct load *l = load_of(&s->body, pc);
  uint64_t at = scalar_base(f->w, inst_at(s, pc)) +
                f->at[l - s->body.loads] + (uint64_t)(f->turn * l->step);
  double ready = load(s, slot, l, at, f->t);
  *done = ready > *done ? ready : *done;
}

/* One turn, of which only scalar instructions run; *done is when its loads
 * are; NULL: they are left out. 0 where the wave left the loop. */
static int follow(struct state *s, uint64_t slot, double *done)
{
  struct follower *f = &s->followers[slot];
  struct wave *w = f->w;
  struct body *b = &s->body;
  f->turn++;
  for (uint32_t n = 0; n <= b->last - b->first; n++) {
    if (w->pc - b->first > b->last - b->first)
      return 0;
    w->pc += b->hop[w->pc - b->first];
    uint32_t pc = w->pc;
    const struct price *p = price_at(s, pc);
    if (p->unit != UNIT_VMEM) {
      wave_step(w);
      if (w->pc == b->first && pc == b->last)
        return 1;
      continue;
    }
    if (done)
      load_now(s, slot, pc, done);
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
  return join(s, f);
}

/* The slot's next group: they are dealt out in turn. */
static int refill(struct state *s, struct follower *f)
{
  s->looked += START;
  return enter(s, f, f->group + s->r->ngroups);
}

static double arithmetic(const struct state *s)
{
  return (s->valu > s->lds ? s->valu : s->lds) * s->r->room;
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
  double part = s->r->room > 1 ? s->r->unfair : 0;
  return cycles * (1 + part * (2 * chance(s->waits++) - 1));
}

/* The group that is next goes through a turn. */
static void take_turn(struct state *s)
{
  uint64_t slot = s->heap[0];
  struct follower *f = &s->followers[slot];
  double began = f->t, least = began + arithmetic(s), done = least;
  int on = follow(s, slot, &done);
  f->t = done = least + waited(s, done - least);
  s->r->cycles += done - began;
  s->r->turns++;
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
 * soon 1 / room of their time apart. 0 for loops that scalar instructions
 * alone do not end. */
static double apart(const struct state *s)
{
  double groups = (double)s->r->ngroups, room = s->r->room;
  double total = (double)dispatch_groups(s->r->d);
  if (s->life == INFINITY)
    return 0;
  double turns = s->life * (1 - groups / total) / room;
  double sum = turns * (room - 1) * groups / 2;
  return sum > MOVES ? turns * MOVES / sum : turns;
}

static int open_all(struct state *s)
{
  uint64_t groups = s->r->ngroups, cus = groups / s->r->room;
  s->life = life_of_one(s);
  double turns = apart(s);
  for (uint64_t n = 0; n < groups; n++) {
    double before = cus ? (double)(n / cus) : 0; /* groups of its CU */
    double left = (s->r->room - 1 - before) * turns + chance(n);
    int in = open_one(s, n);
    for (; in && left >= 1; left--)
      in = follow(s, n, NULL);
    s->followers[n].t = before * s->r->start;
    if (in)
      s->heap[s->nheap++] = n; /* in the order of t: a heap */
  }
  return s->nheap * 4 > groups * 3;
}

/* Half of what there is to look at is done, and enough is left. */
static int is_warm(const struct state *s)
{
  double all = s->life * (double)dispatch_groups(s->r->d);
  double left = all - s->r->turns;
  return left > (TURNS + 1) * (double)s->r->ngroups &&
         (s->looked > LINES / 2 || s->r->turns > all / 2);
}

static void replay(struct state *s)
{
  while (s->nheap && s->looked < LINES) {
    take_turn(s);
    if (!s->warm && is_warm(s)) {
      s->warm = 1;
      s->r->cycles = s->r->turns = 0;
      s->r->warm(s->r->user);
    }
  }
}

int replay_run(struct replay *r)
{
  struct state *s = mem_alloc(sizeof *s);
  s->r = r;
  s->followers = mem_array(r->ngroups, sizeof *s->followers);
  s->heap = mem_array(r->ngroups, sizeof *s->heap);
  group_renew(r->groups[0], 0);
  int ok = r->groups[0]->nwaves <= 16 && find_loop(s, r->groups[0]->waves) &&
           s->body.last - s->body.first < UINT16_MAX && take_shape(s);
  if (ok)
    find_hops(s);
  ok = ok && open_all(s);
  if (ok)
    replay(s);
  r->arithmetic = arithmetic(s);
  ok = ok && r->turns >= (double)TURNS * (double)r->ngroups;
  for (unsigned n = 0; n < s->body.n; n++)
    free(s->body.loads[n].pieces);
  free(s->body.hop);
  free(s->heap);
  free(s->followers);
  free(s);
  return ok;
}
