/* miss_rate.c - see miss_rate.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/miss_rate.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/timing/hbm.h"
#include "runtimes/sim/timing/l1.h"
#include "runtimes/sim/timing/replay.h"
#include "runtimes/sim/timing/server.h"
#include "runtimes/sim/timing/write_combining.h"
#include "runtimes/sim/timing/tlb.h"

/* ROUND: instructions a wave executes in one round, about what it issues
 * while a line comes from HBM. INSTS: in all. */
enum {ROUND = 128, INSTS = 800000, CHANNELS = 64, PORTS = 64};

/* ALONE: rounds that one group goes on for, to see where loops lead it, where
 * the loop is not replayed. */
enum {ALONE = 100};

struct lines {
  float looked_up; /* in an L1, by the rounds */
  float all, miss, late;
  unsigned load; /* of the instruction, plus 1 */
};

/* An instruction's lines by channel. Where a wave's own lines change channel
 * from one time to the next, the busiest channel holds back the groups that
 * use it until they have drifted apart, and all channels are used alike. Only
 * strides that are multiples of all channels' interleave stay uneven. */
struct load {
  float l2[CHANNELS], hbm[CHANNELS];
  unsigned first; /* channel of the first wave, plus 1 */
  int moves;
};

struct run {
  const struct dispatch *d;
  const struct card *card;
  const struct prices *prices;
  uint64_t cus, ngroups;
  struct group **groups;
  struct l1 *l1; /* one a CU */
  struct cache l2;
  struct write_combining *combining;
  double round;
  struct load *loads;
  unsigned nloads, channels;
  struct lines *lines; /* a dword of the object */
  size_t lo, hi;       /* of them, what was met: [lo, hi) */
  double l2_free[CHANNELS]; /* when; of the replay */
  double link_free[CHANNELS][PORTS]; /* from a channel to some of the CUs */
  struct hbm *hbm;
  struct tlb *tlb;
  double kept; /* lines that the replay found in an L1 since an earlier part of a
                  turn */
};

static unsigned channel_of(const struct card *c, uint64_t line)
{
  return (unsigned)(card_block(c, line) % (uint64_t)c->l2_channels);
}

static void look_up(struct run *r, struct cache *l1, uint64_t line,
                    struct lines *at, struct load *load)
{
  int hit;
  at->looked_up++;
  cache_touch(l1, line, &hit);
  if (hit)
    return;
  struct cache_line *l2 = cache_touch(&r->l2, line, &hit);
  if (!hit)
    l2->ready = r->round;
  unsigned channel = channel_of(r->card, line);
  load->l2[channel]++;
  load->hbm[channel] += (float)!hit;
  at->all++;
  at->miss += !hit;
  at->late += l2->ready == r->round;
}

static struct load *load_of(struct run *r, struct lines *at)
{
  if (!at->load) {
    r->loads = mem_resize(r->loads, (r->nloads + 1) * sizeof *r->loads);
    r->loads[r->nloads++] = (struct load){.first = 0};
    at->load = r->nloads;
  }
  return &r->loads[at->load - 1];
}

/* The first wave's channel, again and again. */
static void follow(struct run *r, struct lines *at, uint64_t line)
{
  struct load *load = load_of(r, at);
  unsigned channel = channel_of(r->card, line) + 1;
  load->moves |= load->first && load->first != channel;
  load->first = channel;
}

/* l1: NULL where only the channels are of interest. */
static void look(struct run *r, struct cache *l1, const struct wave *w,
                 struct lines *at)
{
  uint64_t lines[VMEM_LINES];
  size_t pc = (size_t)(at - r->lines);
  unsigned n = vmem_lines(&w->access, (unsigned)r->card->line, lines);
  r->lo = pc < r->lo ? pc : r->lo;
  r->hi = pc < r->hi ? r->hi : pc + 1;
  struct load *load = load_of(r, at);
  if (n && w == r->groups[0]->waves)
    follow(r, at, lines[0]);
  for (unsigned i = 0; l1 && i < n; i++)
    look_up(r, l1, lines[i], at, load);
}

static void run_wave(struct run *r, struct wave *w, struct cache *l1)
{
  const struct object *o = r->d->kernel->object;
  for (int n = 0; n < ROUND && w->state == WAVE_RUN; n++) {
    uint32_t pc = w->pc;
    int inside = pc < o->ncode;
    const struct price *p = inside ? price_of(r->prices, pc) : NULL;
    if (inside && cost_writes(&o->code[pc], p, w)) {
      if (p->unit == UNIT_VMEM)
        write_combining_skip(r->combining, w);
      else
        w->pc += p->words;
      continue;
    }
    wave_step(w);
    if (inside && p->unit == UNIT_VMEM && w->access.n && !w->access.lds)
      look(r, l1, w, &r->lines[pc]);
  }
}

static void run_group(struct run *r, struct group *g, struct cache *l1)
{
  for (uint32_t k = 0; k < g->nwaves; k++)
    run_wave(r, &g->waves[k], l1);
  group_release(g);
}

/* What the launch's later groups find counts more than what the first ones brought.
 * Where all groups are there at once all rounds count alike: at their end are
 * loads that run ahead in vain, whose lines the L2 has. */
static void fade(struct run *r)
{
  if (r->ngroups == dispatch_groups(r->d))
    return;
  for (size_t i = r->lo; i < r->hi; i++) {
    r->lines[i].looked_up /= 2;
    r->lines[i].all /= 2;
    r->lines[i].miss /= 2;
    r->lines[i].late /= 2;
  }
}

static int ended(const struct run *r)
{
  for (uint64_t n = 0; n < r->ngroups; n++)
    for (uint32_t k = 0; k < r->groups[n]->nwaves; k++)
      if (r->groups[n]->waves[k].state == WAVE_RUN)
        return 0;
  return 1;
}

/* 0: nothing was left to run. What is kept must not fade away then. */
static int run_round(struct run *r)
{
  if (ended(r))
    return 0;
  fade(r);
  for (uint64_t n = 0; n < r->ngroups; n++)
    run_group(r, r->groups[n], &r->l1[n % r->cus].cache);
  r->round++;
  return 1;
}

static void add_load(double *sum, const float *by, const struct load *l,
                     unsigned channels)
{
  double all = 0;
  for (unsigned i = 0; i < channels; i++)
    all += by[i];
  for (unsigned i = 0; i < channels; i++)
    sum[i] += l->moves ? all / channels : by[i];
}

static double uneven(const double *sum, unsigned channels)
{
  double most = 0, all = 0;
  for (unsigned i = 0; i < channels; i++) {
    most = sum[i] > most ? sum[i] : most;
    all += sum[i];
  }
  return all > 0 ? most * channels / all : 1;
}

static struct skew skew_of(const struct run *r)
{
  double l2[CHANNELS] = {0}, hbm[CHANNELS] = {0};
  for (unsigned n = 0; n < r->nloads; n++) {
    add_load(l2, r->loads[n].l2, &r->loads[n], r->channels);
    add_load(hbm, r->loads[n].hbm, &r->loads[n], r->channels);
  }
  return (struct skew){uneven(l2, r->channels), uneven(hbm, r->channels), 0};
}

/* --- the main loop, in the long run --------------------------------------- */

/* One line looked at stands for REPLAY_SAMPLE of its channel. */
static double serve(double *free, double t, double cycles)
{
  return server_take(free, t, cycles * REPLAY_SAMPLE);
}

/* When the L2 has begun with lines that a CU's L1 missed: the link to the CU
 * and the channel are free. */
static double serve_l2(struct run *r, const struct replay_load *l)
{
  const struct card *c = r->card;
  unsigned from = channel_of(c, l->line);
  unsigned port = (unsigned)(l->slot % r->cus) % (unsigned)c->l2_ports;
  double t = serve(&r->link_free[from][port], l->t,
                   card_line_cycles(c, 1, c->l2_link_gbs));
  if (!l->camping)
    return serve(&r->l2_free[from], t, c->line * c->l2_channels / c->l2_rate);
  double line = card_line_cycles(c, c->l2_channels, c->l2_narrow_gbs);
  return serve(&r->l2_free[from], t, l->lone ? line * c->l2_lone : line);
}

/* Lines that missed the L1 of a CU: when they are there. The channels of the
 * L2, and those of HBM, share its rate evenly, whatever is asked. */
static double replay_miss(struct run *r, const struct replay_load *l)
{
  const struct card *c = r->card;
  struct lines *at = &r->lines[l->pc];
  int hit;
  struct cache_line *l2 = cache_touch(&r->l2, l->line, &hit);
  double t = serve_l2(r, l);
  if (!hit) {
    t = hbm_serve(r->hbm, card_block(c, l->line), l->lines, REPLAY_SAMPLE,
                  t);
    l2->ready = t + c->hbm_latency;
  }
  t += c->l2_latency;
  at->all++;
  at->miss += !hit;
  at->late += l2->ready > t;
  return later(l2->ready, t);
}

static double replay_translate(void *user, uint64_t slot, uint64_t address,
                               double t)
{
  struct run *r = user;
  return tlb_find(r->tlb, slot % r->cus, address, t);
}

static double replay_load(void *user, const struct replay_load *l)
{
  struct run *r = user;
  int hit;
  r->lo = l->pc < r->lo ? l->pc : r->lo;
  r->hi = l->pc < r->hi ? r->hi : l->pc + 1;
  struct cache_line *l1 =
      l1_touch(&r->l1[l->slot % r->cus], l->line / REPLAY_SAMPLE,
               (uint16_t)l->group, l->t, &hit);
  if (!hit)
    l1->ready = replay_miss(r, l);
  else
    r->kept += l1->ready <= l->t;
  return l1->ready;
}

/* What was counted until then is forgotten. */
static void replay_warm(void *user)
{
  struct run *r = user;
  for (size_t i = r->lo; i < r->hi; i++)
    r->lines[i] = (struct lines){.load = r->lines[i].load};
  r->kept = 0;
}

/* Lines that the groups of a CU ask of the L2 in the time of a part. What an L1 kept
 * since an earlier part of a turn counts too: mostly it is there because the replay
 * let one group go on before the others, by chance, and on the CU of cu_run.c,
 * where they take turns, it is not. */
static double asked(const struct run *r, const struct replay *p)
{
  double lines = r->kept;
  for (size_t i = r->lo; i < r->hi; i++)
    lines += r->lines[i].all;
  return lines * REPLAY_SAMPLE * p->per_cu / p->parts;
}

/* Where memory made parts of turns (main_loop.h) longer than the arithmetic: what a
 * line that missed the L1 took of a CU's time. A CU that takes so long for each
 * has parts of its groups' lines together, or of one group's and a latency,
 * whichever is more. In between there is no step. */
static double line_cycles(const struct run *r, const struct replay *p)
{
  double lines = asked(r, p), part = p->cycles / p->parts;
  double bound = (part / p->arithmetic - 1) / r->card->replay_margin;
  bound = bound < 0 ? 0 : bound > 1 ? 1 : bound;
  double alone = (part - r->card->hbm_latency) * p->per_cu;
  part = part < alone ? part : alone;
  return part > 0 && lines > 0 ? bound * part / lines : 0;
}

/* Which lines the real L2 replaces, and how it chooses sets, is not published.
 * By folded addresses a channel holds as many 64-byte pieces 16 KiB apart as its
 * bytes allow, as rocBLAS's nt kernels show (docs/model.md, the L2's sets); sets
 * in turn would hold a 16th. */
/* sample: l1_init(). */
static void open_caches(struct run *r, unsigned sample)
{
  const struct card *c = r->card;
  for (uint64_t n = 0; n < r->cus; n++)
    l1_init(&r->l1[n], c, sample);
  cache_init(&r->l2, CACHE_RANDOM, c->l2 * c->l2_kept, c->line,
             c->l2_ways * c->l2_kept);
  cache_fold(&r->l2, (size_t)(c->l2_interleave / c->line * c->l2_channels));
}

static void close_caches(struct run *r)
{
  for (uint64_t n = 0; n < r->cus; n++)
    l1_free(&r->l1[n]);
  cache_free(&r->l2);
}

/* Before and behind the loop, and where there is none, counts stay as they
 * were. */
static void replay(struct run *r, unsigned per_cu, struct skew *skew)
{
  const struct card *c = r->card;
  size_t ncode = r->d->kernel->object->ncode, bytes = ncode * sizeof *r->lines;
  struct replay p = {.d = r->d, .prices = r->prices, .groups = r->groups,
                     .ngroups = r->ngroups, .per_cu = per_cu,
                     .line_bytes = (unsigned)c->line,
                     .channels = r->channels, .start = c->group_start,
                     .unfair = c->replay_unfair, .drift = c->replay_drift,
                     .user = r, .translate = replay_translate,
                     .load = replay_load, .warm = replay_warm};
  struct lines *before = mem_alloc(bytes);
  if (r->hi > r->lo)
    memcpy(before + r->lo, r->lines + r->lo, (r->hi - r->lo) * sizeof *before);
  close_caches(r);
  open_caches(r, REPLAY_SAMPLE);
  replay_warm(r);
  int ok = replay_run(&p);
  if (ok)
    *skew = (struct skew){1, 1, line_cycles(r, &p)};
  for (size_t i = r->lo; i < r->hi; i++)
    if (!ok || !(r->lines[i].all > 0))
      r->lines[i] = before[i];
  free(before);
}

static float ratio(float part, float all, float otherwise)
{
  return all > 0 ? part / all : otherwise;
}

static struct miss_rate write_out(const struct run *r, struct miss_rate *out)
{
  struct lines sum = {.all = 0};
  for (size_t i = r->lo; i < r->hi; i++) {
    const struct lines *l = &r->lines[i];
    sum.all += l->all;
    sum.miss += l->miss;
    sum.late += l->late;
    out[i] = (struct miss_rate){ratio(l->miss, l->all, 1),
                            ratio(l->late, l->all, 1),
                            ratio(l->all, l->looked_up, 0), l->all > 0};
  }
  return (struct miss_rate){ratio(sum.miss, sum.all, 1),
                        ratio(sum.late, sum.all, 1), 0, 1};
}

static void open_groups(struct run *r, uint64_t want)
{
  r->groups = mem_array(want, sizeof *r->groups);
  for (uint64_t n = 0; n < want; n++) {
    struct group *g = group_new(r->d, n);
    if (!g) /* fewer will do */
      break;
    r->groups[r->ngroups++] = g;
  }
}

static void close_run(struct run *r)
{
  for (uint64_t n = 0; n < r->ngroups; n++)
    group_free(r->groups[n]);
  close_caches(r);
  write_combining_close(r->combining);
  free(r->hbm);
  tlb_free(r->tlb);
  free(r->loads);
  free(r->groups);
  free(r->l1);
  free(r->lines);
}

struct miss_rate miss_rate_measure(const struct dispatch *d, const struct card *c,
                                   unsigned per_cu, const struct prices *prices,
                                   struct miss_rate *out, struct skew *skew)
{
  struct run r = {.d = d, .card = c, .prices = prices, .lo = SIZE_MAX,
                  .hbm = hbm_new(c), .tlb = tlb_new(c)};
  uint64_t total = dispatch_groups(d);
  r.cus = (uint64_t)c->cus;
  r.channels = (unsigned)c->l2_channels;
  uint64_t want = per_cu * r.cus;
  r.lines = mem_array(d->kernel->object->ncode, sizeof *r.lines);
  r.l1 = mem_array(r.cus, sizeof *r.l1);
  open_caches(&r, 1);
  r.combining = write_combining_open(c, d->kernel->object->ncode);
  open_groups(&r, want < total ? want : total);
  if (r.ngroups) {
    uint64_t waves = r.ngroups * r.groups[0]->nwaves;
    uint64_t rounds = 1 + INSTS / (waves * ROUND);
    while (rounds-- && run_round(&r))
      ;
  }
  for (unsigned n = 0; r.ngroups && n < ALONE; n++)
    run_group(&r, r.groups[0], NULL);
  *skew = skew_of(&r);
  if (r.ngroups)
    replay(&r, per_cu, skew);
  struct miss_rate usual = write_out(&r, out);
  write_combining_write_out(r.combining, out);
  close_run(&r);
  return usual;
}
