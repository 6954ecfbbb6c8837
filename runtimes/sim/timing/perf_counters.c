/* perf_counters.c - see perf_counters.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/perf_counters.h"

enum {QUAD = 4};

void perf_counters_count(struct hipsim_report *r, const struct counts *c,
                         double times)
{
  double n[CLASS_N];
  for (unsigned k = 0; k < CLASS_N; k++)
    n[k] = (double)c->insts[k] * times;
  double flat_rd = n[CLASS_FLAT_RD] + n[CLASS_GLOBAL_RD];
  double flat_wr = n[CLASS_FLAT_WR] + n[CLASS_GLOBAL_WR];
  r->counted_share = 1 / times;
  r->sq_waves = (double)c->waves * times;
  r->sq_insts_valu = n[CLASS_VALU];
  r->sq_insts_salu = n[CLASS_SALU];
  r->sq_insts_smem = n[CLASS_SMEM];
  r->sq_insts_lds = n[CLASS_LDS] + n[CLASS_FLAT_RD] + n[CLASS_FLAT_WR];
  r->sq_insts_vmem_rd = n[CLASS_BUFFER_RD] + flat_rd;
  r->sq_insts_vmem_wr = n[CLASS_BUFFER_WR] + flat_wr;
  r->sq_insts_flat = flat_rd + flat_wr;
  r->ta_flat_read_wavefronts = flat_rd;
  r->ta_flat_write_wavefronts = flat_wr;
}

/* Sums over the instructions: their hits are exact where the model's totals of
 * a loop that was skipped is an estimate. */
struct sums {
  double valu, salu, lds, conflicts; /* cycles */
};

static struct sums add_up(const struct cu *u)
{
  struct sums s = {0};
  for (size_t pc = u->lo; pc < u->hi; pc++) {
    const struct inst_count *c = &u->counts[pc];
    if (!(c->hits > 0))
      continue;
    const struct price *p = price_of(&u->prices, pc);
    s.valu += p->unit == UNIT_VALU ? c->hits * p->busy : 0;
    s.salu += p->unit == UNIT_SALU ? c->hits * p->busy : 0;
    s.lds += c->lds_cycles + c->lds_conflicts;
    s.conflicts += c->lds_conflicts;
  }
  return s;
}

static double per(double x, double n)
{
  return n > 0 ? x / n : 0;
}

void perf_counters_fill(struct hipsim_report *r, const struct cu *u, double times)
{
  const struct totals *y = &u->totals;
  struct sums s = add_up(u);
  r->sq_insts_flat_lds_only = y->flat_lds * times;
  r->sq_active_inst_valu = s.valu * times / QUAD;
  r->sq_thread_cycles_valu =
      r->sq_active_inst_valu * per(y->valu_lanes, y->valu_busy);
  r->sq_inst_cycles_salu = s.salu * times / QUAD;
  r->sq_wait_inst_lds = y->lds_wait * times / QUAD;
  r->sq_lds_bank_conflict = s.conflicts * times;
  r->sq_lds_idx_active = s.lds * times;
  r->sqc_icache_misses = y->icache_misses * times;
  r->tcp_line_reads = y->l1_reads * times;
  r->tcp_misses = y->l1_misses * times;
  r->tcc_line_reads = y->l2_reads * times;
  r->tcc_misses = y->l2_misses * times;
  r->tcc_ea_rdreq = y->l2_misses * times;
  r->tcc_ea_wrreq = y->l2_write_misses * times;
  r->tcc_miss = r->tcc_ea_rdreq + r->tcc_ea_wrreq;
  r->tcc_hit = (y->l2_reads + y->l2_writes) * times - r->tcc_miss;
}
