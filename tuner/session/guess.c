/* guess.c - see guess.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/guess.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "gen/lds_access.h"
#include "gen/work.h"
#include "tuner/search/config_set.h"

/* Found by random descent on candidates of matrix products on a modelled gfx906 and
 * judged on other products (docs/search.md); one or two digits matter. Shares are of
 * a peak: they are above 1 where families count more than moves. */
static const double away_cycles = 1700;  /* a load, with others beside it, where the family
                                          * does not say */
static const double step_cycles = 800;   /* a step's barriers and first reads */
static const double result_cycles = 100; /* before and after the steps */
static const double launch_us = 4; /* of each kernel, and the wait for it */
static const double lds_share = 1.6;
static const double fetched_share = 1.3; /* of the memory's, by lines that caches
                                          * have or have not */
static const double written_share = 0.4; /* of the same */
static const double longest = 4; /* p of the norm that is their maximum */

struct guess {
  struct family *family;
  const struct problem *problem;
  const struct arch *arch;
  double cus, clock_mhz, memory; /* bytes a clock of a compute unit */
  struct config_set asked;
  size_t room;
  double *us; /* of each that was asked, by its number */
};

struct guess *guess_open(struct family *f, const struct problem *p,
                         const struct arch *a)
{
  if (!family_works(f))
    return NULL;
  struct guess *g = mem_alloc(sizeof *g);
  *g = (struct guess){.family = f, .problem = p, .arch = a};
  g->cus = (double)arch_fact(a, "cus");
  g->clock_mhz = (double)arch_fact(a, "clock_mhz");
  g->memory = (double)arch_fact(a, "hbm_gbps") * 1e3 / g->clock_mhz / g->cus;
  return g;
}

void guess_close(struct guess *g)
{
  if (!g)
    return;
  config_set_free(&g->asked);
  free(g->us);
  free(g);
}

/* --- the estimate --------------------------------------------------------- */

/* A configuration on a compute unit; cycles, and bytes a cycle. */
struct use {
  struct work work;
  double waves, resident; /* of a workgroup; workgroups beside each other */
  double simds, flops, lds; /* rates of the unit */
  double memory;
};

static double longest_of(double a, double b, double c, double d)
{
  double sum = pow(a, longest) + pow(b, longest) + pow(c, longest) +
               pow(d, longest);
  return pow(sum, 1 / longest);
}

/* Workgroups that registers and LDS let run beside each other. */
static double resident(const struct guess *g, const struct work *w,
                       double waves, long long lds)
{
  const struct arch *a = g->arch;
  double registers = fmin(fmax(w->registers, 1),
                          (double)arch_fact(a, "vgprs"));
  double most = (double)arch_fact(a, "max_groups_per_cu");
  double by_registers = floor((double)arch_waves(a, (long long)registers) *
                              (double)arch_fact(a, "simds") / waves);
  double granule = (double)arch_fact(a, "lds_granule");
  double taken = ceil((double)lds / granule) * granule;
  double by_lds =
      taken > 0 ? floor((double)arch_fact(a, "lds_bytes") / taken) : most;
  return fmax(1, fmin(most, fmin(by_registers, by_lds)));
}

/* So many workgroups beside each other, from their first step to their last. */
static double round_cycles(const struct use *u, double n)
{
  const struct work *w = &u->work;
  double busy = fmin(u->waves, u->simds) / u->simds; /* by one workgroup */
  double even = ceil(n * u->waves / u->simds) * u->simds / (n * u->waves);
  double operations = w->flops / u->flops, exchanged = w->exchanged / u->lds;
  double bytes = w->fetched > 0 ? w->fetched : w->bytes;
  double fetched = bytes / (u->memory * fetched_share);
  double own = fmax(operations / busy, exchanged);
  double away = w->latency > 0 ? w->latency : away_cycles;
  double alone = step_cycles * w->waits +
                 (w->ahead > 0 ? fmax(away / w->ahead, own) : away + own);
  double written = n * w->written / (u->memory * written_share);
  double step = longest_of(n * operations * even, n * exchanged, n * fetched,
                           alone);
  return w->steps * step + w->results * (result_cycles + written);
}

static double scratch_bytes(const struct plan *p)
{
  const double word = 4;
  double words = 0;
  for (size_t i = 0; i < p->nbuffers; i++)
    if (p->buffers[i].role == BUFFER_SCRATCH)
      words += (double)p->buffers[i].elements;
  return words * word;
}

static double add_up(const struct guess *g, const struct use *u,
                     const struct plan *p)
{
  const struct launch *l = &p->launches[0];
  double groups = (double)l->grid[0] * l->grid[1] * l->grid[2];
  double busiest = ceil(groups / g->cus);
  double full = floor(busiest / u->resident);
  double rest = busiest - full * u->resident;
  double cycles = full * round_cycles(u, u->resident);
  if (rest > 0)
    cycles += round_cycles(u, rest);
  double card = u->memory * g->cus;
  cycles = hypot(cycles, p->bytes / card) + 2 * scratch_bytes(p) / card;
  return cycles / g->clock_mhz + launch_us * (double)p->nlaunches;
}

static double estimate(const struct guess *g, const struct config *c)
{
  const struct arch *a = g->arch;
  struct plan p;
  struct use u = {.memory = g->memory};
  long long lds;
  if (family_work(g->family, g->problem, c, &u.work, NULL) ||
      family_plan(g->family, g->problem, c, &p, NULL) ||
      family_lds(g->family, g->problem, c, &lds, NULL))
    return INFINITY;
  const unsigned *block = p.launches[0].block;
  double threads = (double)block[0] * block[1] * block[2];
  u.waves = ceil(threads / (double)arch_fact(a, "wave"));
  u.simds = (double)arch_fact(a, "simds");
  u.flops = (double)arch_fact(a, *p.peak ? p.peak : "fp32_flops");
  u.lds = lds_share * (double)arch_fact(a, "lds_banks") *
          (double)arch_fact(a, "lds_bank_bytes");
  u.resident = resident(g, &u.work, u.waves, lds + p.launches[0].lds);
  return add_up(g, &u, &p);
}

double guess_us(struct guess *g, const struct config *c)
{
  size_t number = config_set_number(&g->asked, c);
  if (number)
    return g->us[number - 1];
  if (g->asked.n == g->room) {
    g->room = g->room ? 2 * g->room : 1024;
    g->us = mem_resize(g->us, g->room * sizeof *g->us);
  }
  config_set_add(&g->asked, c);
  double us = estimate(g, c);
  return g->us[g->asked.n - 1] = us > 0 ? (float)us : INFINITY;
}
