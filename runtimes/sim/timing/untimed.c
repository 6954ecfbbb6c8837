/* untimed.c - see untimed.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/untimed.h"

#include <math.h>

enum {QUAD = 4};

void card_of_arch(struct card *c, const struct arch *a, const struct card *like)
{
  const struct {
    double *to;
    const char *fact;
  } facts[] = {
      {&c->cus, "cus"},           {&c->clock_mhz, "clock_mhz"},
      {&c->simds, "simds"},       {&c->waves, "waves_per_simd"},
      {&c->vgprs, "vgpr_total"},  {&c->vgpr_granule, "vgpr_granule"},
      {&c->sgprs, "sgpr_total"},  {&c->sgpr_granule, "sgpr_granule"},
      {&c->lds, "lds_group"},     {&c->lds_granule, "lds_granule"},
      {&c->l2, "l2_bytes"},       {&c->barriers, "max_groups_per_cu"},
  };
  *c = *like;
  for (size_t n = 0; n < sizeof facts / sizeof *facts; n++)
    *facts[n].to = (double)arch_fact(a, facts[n].fact);
}

double static_cost(const struct hipsim_report *r, const struct card *c,
                   double groups)
{
  double valu = r->sq_active_inst_valu * QUAD / c->simds;
  double busy = valu + r->sq_lds_idx_active + r->tcp_line_reads;
  double once = c->cus * r->groups_per_cu;
  return busy / groups * r->groups_per_cu * ceil(groups / once);
}
