/* main_loop.c - see main_loop.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/main_loop.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/timing/channel_camping.h"

/* SEARCH: instructions within which a wave comes to the loop; SETTLED: equal
 * turns in a row that make one. PATIENCE: times SEARCH in which waves do
 * nothing but run on; then they wait for what other groups would store, or
 * would have stored themselves, and no longer come to anything. */
enum {SEARCH = 50000, SETTLED = 2, PATIENCE = 20};

/* LOOPS: backward branches that are followed; LONG: equal turns of a loop after
 * which what is around it does not matter; WAVES: of a group, at most. */
enum {LOOPS = 16, LONG = 32, WAVES = 16};

/* Group 0 on its way through the loop. */
struct reader {
  struct main_loop *b;
  uint64_t at[MAIN_LOOP_LOADS]; /* of its first wave, as in main_loop_join() */
  unsigned met[WAVES]; /* loads of this turn, by wave */
  int barrier; /* of the first wave, since its last load */
  int failed;
};

static const struct inst *inst_at(const struct main_loop *b, uint32_t pc)
{
  const struct object *o = b->d->kernel->object;
  return pc < o->ncode ? &o->code[pc] : NULL;
}

uint64_t main_loop_scalar(const struct main_loop *b, const struct wave *w, uint32_t pc)
{
  const struct inst *i = &b->d->kernel->object->code[pc];
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
static void step(const struct main_loop *b, struct wave *w, int alone)
{
  const struct inst *i = inst_at(b, w->pc);
  if (i && cost_writes(i, main_loop_price(b, w->pc), w)) {
    w->pc += main_loop_price(b, w->pc)->words;
    return;
  }
  wave_step(w);
  if (alone && w->state == WAVE_BARRIER) {
    w->state = WAVE_RUN;
    w->group->arrived = 0;
  }
}

/* --- the loop ------------------------------------------------------------- */

struct branch {
  uint32_t first, last; /* as in struct main_loop */
  uint64_t at, period;  /* of the wave's instructions */
  unsigned same;        /* periods in a row */
};

/* The entry of the branch at pc, which has just been taken; NULL: no room. */
static struct branch *branch_at(struct branch *all, const struct wave *w,
                                uint32_t pc)
{
  for (int n = 0; n < LOOPS; n++) {
    if (!all[n].at)
      all[n] = (struct branch){w->pc, pc, 1, 0, 0};
    if (all[n].last == pc)
      return &all[n];
  }
  return NULL;
}

/* w took a backward branch: has it done so SETTLED times in a row, with as many
 * instructions in between each time? */
static int settled(struct branch *l, const struct wave *w)
{
  uint64_t period = w->executed - l->at;
  l->same = period == l->period ? l->same + 1 : 0;
  l->period = period;
  l->at = w->executed;
  return l->same >= SETTLED;
}

/* Run w on. inner: the loop that settles first; outer: the outermost one around
 * it that settles too. 0: there is none. */
static int find_loops(const struct main_loop *b, struct wave *w,
                      struct branch *inner, struct branch *outer)
{
  struct branch all[LOOPS] = {{0}};
  int found = 0;
  for (int n = 0; n < SEARCH && w->state == WAVE_RUN; n++) {
    uint32_t pc = w->pc;
    step(b, w, 1);
    if (w->pc > pc || w->state != WAVE_RUN)
      continue;
    struct branch *l = branch_at(all, w, pc);
    if (!l || !settled(l, w))
      continue;
    if (l->same >= LONG)
      break;
    if (!found)
      *inner = *outer = *l;
    else if (l->first <= outer->first && l->last > outer->last)
      *outer = *l;
    found = 1;
  }
  return found;
}

int main_loop_load_at(const struct main_loop *b, uint32_t pc, unsigned met)
{
  for (unsigned n = met; n < b->n; n++)
    if (b->loads[n].pc == pc)
      return (int)n;
  return -1;
}

static int is_load(const struct main_loop *b, const struct wave *w, uint32_t pc)
{
  const struct access *a = &w->access;
  return main_loop_price(b, pc)->unit == UNIT_VMEM && a->n && a->load && !a->lds &&
         a->lanes;
}

static uint64_t first_lane(const struct access *a)
{
  return a->addr[0][__builtin_ctzll(a->lanes)];
}

/* Of the load at pc that w has just executed, without what scalar registers
 * hold: no load changes those. */
static uint64_t vector_part(const struct main_loop *b, const struct wave *w,
                            uint32_t pc)
{
  return first_lane(&w->access) - main_loop_scalar(b, w, pc);
}

/* --- what it loads: all waves of one group ------------------------------- */

static void add_piece(struct main_loop_load *l, int64_t at, uint32_t bytes)
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

static void add_lanes(const struct main_loop *b, struct main_loop_load *l,
                      const struct access *a)
{
  struct camping camping = {0};
  for (unsigned lane = 0; lane < LANES; lane++)
    if (a->lanes >> lane & 1) {
      add_piece(l, (int64_t)(a->addr[0][lane] - l->first), a->bytes);
      camping_add(&camping, a->addr[0][lane] / b->block_bytes, b->channels);
    }
  l->camping |= camping_found(&camping, b->channels);
}

/* Has the part of the turn that is under way a load at pc already? */
static int is_repeated(const struct main_loop *b, uint32_t pc)
{
  for (unsigned n = b->n; n-- > 0 && b->loads[n].part + 1 == b->parts;)
    if (b->loads[n].pc == pc)
      return 1;
  return 0;
}

/* The first wave meets a load at pc in the first turn. -1: there are too many. */
static int add_load(struct reader *r, uint32_t pc)
{
  struct main_loop *b = r->b;
  if (b->n == MAIN_LOOP_LOADS)
    return -1;
  b->parts += b->n == 0 || r->barrier || is_repeated(b, pc);
  r->barrier = 0;
  b->loads[b->n] = (struct main_loop_load){.pc = pc, .part = b->parts - 1};
  return (int)b->n++;
}

/* Number of the load at pc that w meets next. All waves meet in each turn what
 * the first one did in its first, in that order, or leave some out, as in some
 * of rocBLAS's kernels with 96 rows. -1: it is not so. */
static int load_met(struct reader *r, const struct wave *w, uint32_t pc,
                    int turn)
{
  int n = w->index == 0 && turn == 0
              ? add_load(r, pc)
              : main_loop_load_at(r->b, pc, r->met[w->index]);
  r->met[w->index] = (unsigned)(n + 1);
  return n;
}

static void note(struct reader *r, const struct wave *w, uint32_t pc, int turn)
{
  struct main_loop *b = r->b;
  uint64_t at = vector_part(b, w, pc);
  int n = load_met(r, w, pc, turn);
  if (n < 0) {
    r->failed = 1;
    return;
  }
  struct main_loop_load *l = &b->loads[n];
  if (w->index == 0) {
    l->step = turn ? (int64_t)(at - r->at[n]) : 0;
    r->at[n] = at;
    l->first = first_lane(&w->access);
  }
  if (turn == 0)
    add_lanes(b, l, &w->access);
}

static void add_cost(struct main_loop *b, const struct price *p)
{
  enum {SIMDS = 4};
  b->valu += p->unit == UNIT_VALU ? p->busy / (double)SIMDS : 0;
  b->lds += p->unit == UNIT_LDS ? p->shared : 0;
}

/* One turn of w, or up to a barrier. */
static void turn_of(struct reader *r, struct wave *w, int turn, int *moved)
{
  struct main_loop *b = r->b;
  for (int n = 0; n < SEARCH && w->state == WAVE_RUN; n++) {
    uint32_t pc = w->pc;
    if (!inst_at(b, pc) || pc - b->first > b->last - b->first) {
      r->failed = 1;
      return;
    }
    *moved = 1;
    if (turn == 0)
      add_cost(b, main_loop_price(b, pc));
    w->access.n = 0;
    step(b, w, 0);
    if (is_load(b, w, pc))
      note(r, w, pc, turn);
    r->barrier |= w->index == 0 && w->state == WAVE_BARRIER;
    if (w->pc == b->first)
      return;
  }
}

/* Every wave of a group goes through the loop once. */
static int turn_together(struct reader *r, struct group *g, int turn)
{
  uint64_t through = 0;
  int moved = 1, left = PATIENCE;
  memset(r->met, 0, sizeof r->met);
  while (moved && left-- && through != ((uint64_t)1 << g->nwaves) - 1) {
    uint64_t before = through;
    moved = 0;
    for (uint32_t n = 0; n < g->nwaves && !r->failed; n++)
      if (!(through >> n & 1) && g->waves[n].state == WAVE_RUN) {
        turn_of(r, &g->waves[n], turn, &moved);
        if (g->waves[n].pc == r->b->first)
          through |= (uint64_t)1 << n;
      }
    if (group_release(g) || through != before)
      left = PATIENCE;
  }
  return moved && left > 0 && !r->failed;
}

/* Bring all waves to the head of the loop, with their barriers. */
static int assemble(const struct main_loop *b, struct group *g)
{
  int moved = 1, here = 0, left = PATIENCE;
  while (moved && left-- && here < (int)g->nwaves) {
    int before = here;
    moved = here = 0;
    for (uint32_t n = 0; n < g->nwaves; n++) {
      struct wave *w = &g->waves[n];
      for (int k = 0; k < SEARCH && w->state == WAVE_RUN && w->pc != b->first;
           k++) {
        moved = 1;
        step(b, w, 0);
      }
      here += w->pc == b->first;
    }
    int released = group_release(g);
    moved |= released;
    if (released || here > before)
      left = PATIENCE;
  }
  return here == (int)g->nwaves;
}

static int by_place(const void *a, const void *b)
{
  const struct piece *p = a, *q = b;
  return (p->at > q->at) - (p->at < q->at);
}

/* Lanes and waves that load the same bytes, or neighbours, are one piece. */
static void merge(struct main_loop_load *l)
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

/* The loads of one loop. */
static int read_loads(struct main_loop *b, struct group *g,
                      const struct branch *l)
{
  struct reader r = {.b = b};
  b->first = l->first;
  b->last = l->last;
  b->n = b->parts = 0;
  b->valu = b->lds = 0;
  group_renew(g, 0);
  if (!assemble(b, g) || !turn_together(&r, g, 0) || !turn_together(&r, g, 1))
    return 0;
  for (unsigned n = 0; n < b->n; n++)
    merge(&b->loads[n]);
  return b->n > 0;
}

int main_loop_read(struct main_loop *b, struct group *g)
{
  struct branch inner, outer;
  group_renew(g, 0);
  if (g->nwaves > WAVES || !find_loops(b, g->waves, &inner, &outer))
    return 0;
  if (read_loads(b, g, &outer))
    return 1;
  main_loop_free(b);
  return outer.last != inner.last && read_loads(b, g, &inner);
}

void main_loop_free(struct main_loop *b)
{
  for (unsigned n = 0; n < b->n; n++)
    free(b->loads[n].pieces);
  b->n = 0;
}

/* --- where other groups stand --------------------------------------------- */

static int to_loop(const struct main_loop *b, struct wave *w)
{
  for (int n = 0; n < SEARCH && w->state == WAVE_RUN; n++) {
    if (w->pc == b->first)
      return 1;
    step(b, w, 1);
  }
  return 0;
}

int main_loop_join(const struct main_loop *b, struct wave *w, uint64_t at[MAIN_LOOP_LOADS])
{
  unsigned met = 0, left = PATIENCE * SEARCH;
  if (!to_loop(b, w))
    return 0;
  do {
    uint32_t pc = w->pc;
    if (!left-- || !inst_at(b, pc) || pc - b->first > b->last - b->first)
      return 0;
    w->access.n = 0;
    step(b, w, 1);
    if (!is_load(b, w, pc))
      continue;
    if (met == b->n || b->loads[met].pc != pc)
      return 0;
    at[met++] = vector_part(b, w, pc);
  } while (w->pc != b->first && w->state == WAVE_RUN);
  return met == b->n;
}
