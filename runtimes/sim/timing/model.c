/* model.c - a launch on a card: which workgroups are simulated on one compute
 * unit, what is made of their times, and the report.
 *
 * Workgroups go to the CUs in turn, so CU 0 has as many as any. Of its groups
 * the first generations are simulated until the time between completions is
 * steady; whole generations are then left out and credited at that rate, and
 * the last ones are simulated again, with the tail as it is.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/timing/perf_counters.h"
#include "runtimes/sim/timing/cu_run.h"
#include "runtimes/sim/timing/error_bar.h"
#include "runtimes/sim/timing/occupancy.h"
#include "runtimes/sim/timing/sample.h"
#include "runtimes/sim/timing/miss_rate.h"
#include "runtimes/sim/timing/slice.h"

/* Groups may be left out once LIGHT instructions have been simulated and the
 * rates of two stretches agree within STEADY, or after HEAVY instructions. */
enum {LIGHT = 50000, HEAVY = 1500000};
#define STEADY 0.02

/* The end of a group: when, and all instructions executed until then. */
struct end {
  double time, insts;
};

struct plan {
  struct cu *cu;
  uint64_t cus, n;      /* compute units; groups of CU 0 */
  uint64_t next, ended; /* groups supplied or left out; groups simulated */
  uint64_t per_cu;
  struct end *ends;     /* of the simulated groups */
  size_t have;
  double left_out;      /* cycles */
  int complete;         /* leave nothing out */
  int whole;            /* no slices */
  struct rest *rest;    /* NULL: nobody runs the other groups */
};

static uint64_t supply(void *user)
{
  struct plan *p = user;
  if (p->next >= p->n)
    return UINT64_MAX;
  uint64_t index = p->next++ * p->cus;
  if (p->rest)
    rest_take(p->rest, index);
  return index;
}

/* The groups that a card would have begun by now. */
static int others(void *user, struct fault *fault)
{
  struct plan *p = user;
  return p->rest ? rest_run(p->rest, p->next * p->cus, fault) : 0;
}

/* Instructions of a group, on average. */
static double group_insts(const struct plan *p)
{
  double n = 0;
  for (unsigned k = 0; k < CLASS_N; k++)
    n += (double)p->cu->executed.insts[k];
  return n / (double)p->ended;
}

/* Cycles a group between ends number a and b (of 1, 2, ...). What was executed
 * tells how many groups that was: of those that end, much can have been done
 * before, as the oldest waves go first. */
static double rate(const struct plan *p, uint64_t a, uint64_t b)
{
  const struct end *from = &p->ends[a - 1], *to = &p->ends[b - 1];
  return (to->time - from->time) * group_insts(p) / (to->insts - from->insts);
}

/* Whole generations, so that the tail is the one the launch really has. */
static void leave_out(struct plan *p, double cycles)
{
  uint64_t groups = (p->n - p->next) / p->per_cu * p->per_cu;
  p->next += groups;
  p->left_out += cycles * (double)groups;
  p->cu->skipped += cycles * (double)groups;
}

static void consider(struct plan *p)
{
  uint64_t k = p->ended;
  double insts = p->cu->totals.all;
  if (k % p->per_cu || k < 2 * p->per_cu || insts < LIGHT ||
      p->n - p->next < p->per_cu)
    return;
  uint64_t half = k / 2 / p->per_cu * p->per_cu;
  double now = rate(p, half, k);
  uint64_t quarter = half / 2 / p->per_cu * p->per_cu;
  int steady = quarter && fabs(rate(p, quarter, half) - now) <= STEADY * now;
  if (steady || insts > HEAVY)
    leave_out(p, now);
}

static void finish(void *user, double time)
{
  struct plan *p = user;
  if (p->ended == p->have) {
    p->have = p->have ? 2 * p->have : 64;
    p->ends = mem_resize(p->ends, p->have * sizeof *p->ends);
  }
  p->ends[p->ended++] = (struct end){time, p->cu->totals.all};
  if (!p->left_out && !p->complete)
    consider(p);
}

static unsigned group_waves(const struct dispatch *d)
{
  uint32_t threads = d->block[0] * d->block[1] * d->block[2];
  return (threads + LANES - 1) / LANES;
}

static struct occupancy fit(const struct dispatch *d, const struct card *c)
{
  return occupancy(c, d->kernel->vgprs, d->kernel->sgprs, d->lds,
                   group_waves(d));
}

/* The resource that is used most, or latency where none is much. */
static const char *bound(const struct card *c, const struct totals *y,
                         double cycles)
{
  const struct { const char *name; double busy; } uses[] = {
      {"valu", y->valu_busy / c->simds}, {"lds", y->lds_busy},
      {"l1", y->address_busy},           {"l2", y->l2_busy},
      {"hbm", y->hbm_busy},
  };
  const char *name = "latency";
  double most = c->bound_share * cycles;
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
    if (uses[i].busy > most) {
      most = uses[i].busy;
      name = uses[i].name;
    }
  return name;
}

static void report_error(struct hipsim_report *r, const struct cu *u)
{
  double lines = r->tcp_line_reads;
  const struct error_signs signs = {
      .bound = r->bound,
      .l1_hits = lines > 0 ? 1 - r->tcp_misses / lines : 0,
      .lines_take = u->vmem.load_line / u->vmem.l2_line,
      .uses_lds = u->executed.insts[CLASS_LDS] > 0,
  };
  const struct error_bar *e = error_bar(&signs);
  r->error_80 = e->bar;
  snprintf(r->error_kind, sizeof r->error_kind, "%s", e->kind);
}

static void report(struct timing *out, const struct plan *p,
                   const struct card *c, const struct occupancy *o,
                   double cycles)
{
  const struct dispatch *d = p->cu->d;
  struct hipsim_report *r = &out->report;
  double times = (double)dispatch_groups(d) / (double)p->ended;
  r->size = sizeof *r;
  r->clock_mhz = c->clock_mhz;
  r->time_us = c->launch_us + cycles / c->clock_mhz;
  r->waves_per_simd = (uint32_t)((p->per_cu * group_waves(d) + SIMDS - 1) /
                                 SIMDS);
  r->groups_per_cu = (uint32_t)p->per_cu;
  r->sampled_share = 1 / times;
  snprintf(r->occupancy_limit, sizeof r->occupancy_limit, "%s", o->limit);
  snprintf(r->bound, sizeof r->bound, "%s",
           bound(c, &p->cu->totals, cycles - p->left_out));
  out->executed = p->cu->executed;
  out->lo = p->cu->lo;
  out->hi = p->cu->hi > p->cu->lo ? p->cu->hi : p->cu->lo;
  perf_counters_fill(r, p->cu, times);
  report_error(r, p->cu);
  perf_counters_count(r, &out->executed, times);
}

static int too_big(const struct dispatch *d, const struct occupancy *o,
                   struct fault *fault)
{
  fault->code = FAULT_LAUNCH;
  snprintf(fault->text, sizeof fault->text,
           "kernel %.200s: a workgroup of %u waves with %u VGPRs and %u bytes "
           "of LDS does not fit on a compute unit (limit: %s); make it smaller",
           d->kernel->name, group_waves(d), d->kernel->vgprs, d->lds,
           o->limit);
  return fault->code;
}

/* Private memory is written before it is read, and the L2 keeps what is written:
 * HBM has, of what the waves on the card hold, what exceeds the L2. Lines are
 * written whole, as a dword of all lanes lies side by side. */
static void find_private(struct cu *u, double groups)
{
  double bytes = groups * group_waves(u->d) * LANES * u->d->kernel->scratch;
  float beyond = bytes > u->card->l2 ? (float)(1 - u->card->l2 / bytes) : 0;
  u->private_loads = (struct miss_rate){.miss = beyond, .late = beyond, .known = 1};
  u->private_stores = (struct miss_rate){.miss = beyond, .known = 1};
}

/* The slice of a launch that executes more than one group on a CU, or of which not even
 * that one's results are wanted: for others it takes longer than it saves. */
static struct slice *find_slice(struct cu *u, const struct plan *p)
{
  int worth = p->n > 1 || u->d->timed;
  struct slice *s = worth && !p->whole ? slice_open(u->d) : NULL;
  if (s && !p->complete && !p->rest)
    u->slice = slice_dispatch(s);
  return s;
}

static int simulate(struct cu *u, struct plan *p, struct timing *out,
                    const struct occupancy *o, struct fault *fault)
{
  uint64_t total = dispatch_groups(u->d);
  uint64_t cus = (uint64_t)u->card->cus;
  double active = (double)(total < cus ? total : cus), cycles;
  cu_open(u, (unsigned)p->per_cu, active);
  struct miss_rate *miss_rates = mem_array(u->ncode, sizeof *miss_rates);
  struct skew skew;
  struct slice *slice = find_slice(u, p);
  u->usual = miss_rate_measure(slice ? slice_dispatch(slice) : u->d, u->card,
                               (unsigned)p->per_cu, &u->prices, miss_rates, &skew);
  vmem_skew(&u->vmem, skew.l2, skew.hbm);
  vmem_line_cycles(&u->vmem, skew.line);
  u->miss_rates = miss_rates;
  find_private(u, (double)p->per_cu * active);
  u->sampler = p->complete ? NULL : sample_open();
  int code = cu_run(u, fault, &cycles);
  if (!code)
    report(out, p, u->card, o, cycles);
  sample_close(u->sampler);
  cu_close(u);
  slice_close(slice);
  free(miss_rates);
  return code;
}

/* `like` says how; *sliced: were there groups of a slice? */
static int attempt(const struct dispatch *d, const struct card *card,
                   const struct occupancy *o, const struct plan *like,
                   struct timing *out, struct fault *fault, int *sliced)
{
  *out = (struct timing){.n = d->kernel->object->ncode};
  out->counts = mem_array(out->n, sizeof *out->counts);
  struct plan p = *like;
  struct cu u = {.card = card, .d = d, .counts = out->counts,
                 .supply = supply, .others = others, .finish = finish,
                 .user = &p};
  p.cu = &u;
  p.n = (dispatch_groups(d) + p.cus - 1) / p.cus;
  p.per_cu = o->groups < p.n ? o->groups : p.n;
  int code = simulate(&u, &p, out, o, fault);
  *sliced = u.slice != NULL;
  free(p.ends);
  if (code)
    timing_free(out);
  return code;
}

/* A fault of a slice need not be one of the launch (slice.h). */
static int run(const struct dispatch *d, const struct card *card,
               struct timing *out, struct rest *rest, struct fault *fault,
               int complete)
{
  struct occupancy o = fit(d, card);
  if (!o.groups)
    return too_big(d, &o, fault);
  struct plan p = {.cus = (uint64_t)card->cus, .rest = rest, .complete = complete};
  int sliced, code = attempt(d, card, &o, &p, out, fault, &sliced);
  if (!code || !sliced)
    return code;
  *fault = (struct fault){0};
  p.whole = 1;
  return attempt(d, card, &o, &p, out, fault, &sliced);
}

int model_run(const struct dispatch *d, const struct card *card,
              struct timing *out, struct rest *rest, struct fault *fault)
{
  return run(d, card, out, rest, fault, 0);
}

int model_run_complete(const struct dispatch *d, const struct card *card,
                       struct timing *out, struct rest *rest,
                       struct fault *fault)
{
  return run(d, card, out, rest, fault, 1);
}

void timing_free(struct timing *t)
{
  free(t->counts);
  *t = (struct timing){0};
}
