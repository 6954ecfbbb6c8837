/* share.c - see share.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/share.h"

#include <stdlib.h>

#include "base/mem.h"

/* ROUND: instructions a wave executes in one round, about what it issues
 * while a line comes from HBM. INSTS: in all. */
enum { ROUND = 128, INSTS = 800000, CHANNELS = 64 };

struct lines {
  float all, miss, late;
};

/* Lines by channel in this round; sums over rounds. */
struct load {
  double channel[CHANNELS], busiest, all;
};

struct run {
  const struct dispatch *d;
  const struct card *card;
  struct price *prices;
  uint64_t cus, ngroups;
  struct group **groups;
  struct cache *l1; /* one a CU */
  struct cache l2;
  double round;
  struct load l2_load, hbm_load;
  struct lines *lines; /* a dword of the object */
  size_t lo, hi;       /* of them, what was met: [lo, hi) */
};

int share_writes(const struct dispatch *d, const struct inst *i,
                 const struct price *p)
{
  int private = d->kernel->scratch &&
                (i->format == SCRATCH || (i->format == MUBUF && !i->srsrc));
  return p->flags & OP_WRITES && !private;
}

static unsigned channel_of(const struct card *c, uint64_t line)
{
  uint64_t lines = (uint64_t)(c->l2_interleave / c->line);
  return (unsigned)(line / lines % (uint64_t)c->l2_channels);
}

static void look_up(struct run *r, struct cache *l1, uint64_t line,
                    struct lines *at)
{
  int hit;
  cache_touch(l1, line, &hit);
  if (hit)
    return;
  struct cache_line *l2 = cache_touch(&r->l2, line, &hit);
  if (!hit)
    l2->ready = r->round;
  unsigned channel = channel_of(r->card, line);
  r->l2_load.channel[channel]++;
  r->hbm_load.channel[channel] += !hit;
  at->all++;
  at->miss += !hit;
  at->late += l2->ready == r->round;
}

static void look(struct run *r, struct cache *l1, const struct access *a,
                 struct lines *at)
{
  uint64_t lines[VMEM_LINES];
  size_t pc = (size_t)(at - r->lines);
  r->lo = pc < r->lo ? pc : r->lo;
  r->hi = pc < r->hi ? r->hi : pc + 1;
  unsigned n = vmem_lines(a, (unsigned)r->card->line, lines);
  for (unsigned i = 0; i < n; i++)
    look_up(r, l1, lines[i], at);
}

static void run_wave(struct run *r, struct wave *w, struct cache *l1)
{
  const struct object *o = r->d->kernel->object;
  for (int n = 0; n < ROUND && w->state == WAVE_RUN; n++) {
    uint32_t pc = w->pc;
    int inside = pc < o->ncode;
    const struct price *p =
        inside ? price_of(r->prices, o->code, pc) : NULL;
    if (inside && share_writes(r->d, &o->code[pc], p)) {
      w->pc += p->words;
      continue;
    }
    wave_step(w);
    if (inside && p->unit == UNIT_VMEM && w->access.n && !w->access.lds)
      look(r, l1, &w->access, &r->lines[pc]);
  }
}

static void fade(struct run *r)
{
  for (size_t i = r->lo; i < r->hi; i++) {
    r->lines[i].all /= 2;
    r->lines[i].miss /= 2;
    r->lines[i].late /= 2;
  }
}

static void add_round(struct load *l, unsigned channels)
{
  double most = 0;
  l->busiest /= 2;
  l->all /= 2;
  for (unsigned i = 0; i < channels; i++) {
    most = l->channel[i] > most ? l->channel[i] : most;
    l->all += l->channel[i];
    l->channel[i] = 0;
  }
  l->busiest += most;
}

static double skew_of(const struct load *l, unsigned channels)
{
  return l->all > 0 ? l->busiest * channels / l->all : 1;
}

static void run_round(struct run *r)
{
  fade(r);
  for (uint64_t n = 0; n < r->ngroups; n++) {
    struct group *g = r->groups[n];
    for (uint32_t k = 0; k < g->nwaves; k++)
      run_wave(r, &g->waves[k], &r->l1[n % r->cus]);
    group_release(g);
  }
  add_round(&r->l2_load, (unsigned)r->card->l2_channels);
  add_round(&r->hbm_load, (unsigned)r->card->l2_channels);
  r->round++;
}

static float ratio(float part, float all, float otherwise)
{
  return all > 0 ? part / all : otherwise;
}

static struct share write_out(const struct run *r, struct share *out)
{
  struct lines sum = {0, 0, 0};
  for (size_t i = r->lo; i < r->hi; i++) {
    const struct lines *l = &r->lines[i];
    sum.all += l->all;
    sum.miss += l->miss;
    sum.late += l->late;
    out[i] = (struct share){ratio(l->miss, l->all, 1),
                            ratio(l->late, l->all, 1), l->all > 0};
  }
  return (struct share){ratio(sum.miss, sum.all, 1),
                        ratio(sum.late, sum.all, 1), 1};
}

static void open_groups(struct run *r, uint64_t want)
{
  const struct dispatch *d = r->d;
  r->groups = mem_array(want, sizeof *r->groups);
  for (uint64_t n = 0; n < want; n++) {
    uint64_t row = n / d->grid[0];
    struct group *g = group_new(d, (uint32_t)(n % d->grid[0]),
                                (uint32_t)(row % d->grid[1]),
                                (uint32_t)(row / d->grid[1]));
    if (!g) /* fewer will do */
      break;
    r->groups[r->ngroups++] = g;
  }
}

static void close_run(struct run *r)
{
  for (uint64_t n = 0; n < r->ngroups; n++)
    group_free(r->groups[n]);
  for (uint64_t n = 0; n < r->cus; n++)
    cache_free(&r->l1[n]);
  cache_free(&r->l2);
  free(r->groups);
  free(r->l1);
  free(r->lines);
}

struct share share_measure(const struct dispatch *d, const struct card *c,
                           unsigned room, struct price *prices,
                           struct share *out, struct skew *skew)
{
  struct run r = {.d = d, .card = c, .prices = prices, .lo = SIZE_MAX};
  uint64_t total = (uint64_t)d->grid[0] * d->grid[1] * d->grid[2];
  r.cus = (uint64_t)c->cus;
  uint64_t want = room * r.cus;
  r.lines = mem_array(d->kernel->object->ncode, sizeof *r.lines);
  r.l1 = mem_array(r.cus, sizeof *r.l1);
  for (uint64_t n = 0; n < r.cus; n++)
    cache_init(&r.l1[n], c->l1, c->line, c->l1_ways);
  cache_init(&r.l2, c->l2, c->line, c->l2_ways);
  open_groups(&r, want < total ? want : total);
  if (r.ngroups) {
    uint64_t waves = r.ngroups * r.groups[0]->nwaves;
    for (uint64_t n = 0; n < 1 + INSTS / (waves * ROUND); n++)
      run_round(&r);
  }
  unsigned channels = (unsigned)c->l2_channels;
  *skew = (struct skew){skew_of(&r.l2_load, channels),
                        skew_of(&r.hbm_load, channels)};
  struct share usual = write_out(&r, out);
  close_run(&r);
  return usual;
}
