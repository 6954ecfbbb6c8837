/* counters.c - see counters.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/counters.h"

enum { QUAD = 4 };

void counters_count(struct hipsim_report *r, const struct counts *c,
                    double times)
{
  double n[COUNT_N];
  for (unsigned k = 0; k < COUNT_N; k++)
    n[k] = (double)c->insts[k] * times;
  double flat_rd = n[COUNT_FLAT_RD] + n[COUNT_GLOBAL_RD];
  double flat_wr = n[COUNT_FLAT_WR] + n[COUNT_GLOBAL_WR];
  r->counted_share = 1 / times;
  r->sq_waves = (double)c->waves * times;
  r->sq_insts_valu = n[COUNT_VALU];
  r->sq_insts_salu = n[COUNT_SALU];
  r->sq_insts_smem = n[COUNT_SMEM];
  r->sq_insts_lds = n[COUNT_LDS] + n[COUNT_FLAT_RD] + n[COUNT_FLAT_WR];
  r->sq_insts_vmem_rd = n[COUNT_BUFFER_RD] + flat_rd;
  r->sq_insts_vmem_wr = n[COUNT_BUFFER_WR] + flat_wr;
  r->sq_insts_flat = flat_rd + flat_wr;
  r->ta_flat_read_wavefronts = flat_rd;
  r->ta_flat_write_wavefronts = flat_wr;
}

void counters_fill(struct hipsim_report *r, const struct tally *y,
                   double times)
{
  r->sq_insts_flat_lds_only = y->flat_lds * times;
  r->sq_active_inst_valu = y->valu_busy * times / QUAD;
  r->sq_thread_cycles_valu = y->valu_lanes * times / QUAD;
  r->sq_inst_cycles_salu = y->salu_busy * times / QUAD;
  r->sq_wait_inst_lds = y->lds_wait * times / QUAD;
  r->sq_lds_bank_conflict = y->lds_conflict * times;
  r->sq_lds_idx_active = y->lds_active * times;
  r->tcp_line_reads = y->l1_reads * times;
  r->tcp_misses = y->l1_misses * times;
  r->tcc_line_reads = y->l2_reads * times;
  r->tcc_misses = y->l2_misses * times;
  r->tcc_ea_rdreq = y->l2_misses * times;
  r->tcc_ea_wrreq = y->l2_write_misses * times;
  r->tcc_miss = r->tcc_ea_rdreq + r->tcc_ea_wrreq;
  r->tcc_hit = (y->l2_reads + y->l2_writes) * times - r->tcc_miss;
}
