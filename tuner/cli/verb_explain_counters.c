/* verb_explain_counters.c - the counters of a launch: see explain.h. */
// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdio.h>

#include "tuner/cli/explain.h"

#define AT(field) offsetof(struct hipsim_report, field)

static const struct counter {
  const char *name;
  size_t at;
  int counted;
  const char *unit;
} counters[] = {
  {"SQ_WAVES",                AT(sq_waves),                1, ""},
  {"SQ_INSTS_VALU",           AT(sq_insts_valu),           1, ""},
  {"SQ_INSTS_SALU",           AT(sq_insts_salu),           1, ""},
  {"SQ_INSTS_SMEM",           AT(sq_insts_smem),           1, ""},
  {"SQ_INSTS_LDS",            AT(sq_insts_lds),            1, ""},
  {"SQ_INSTS_VMEM_RD",        AT(sq_insts_vmem_rd),        1, ""},
  {"SQ_INSTS_VMEM_WR",        AT(sq_insts_vmem_wr),        1, ""},
  {"SQ_INSTS_FLAT",           AT(sq_insts_flat),           1, ""},
  {"SQ_INSTS_FLAT_LDS_ONLY",  AT(sq_insts_flat_lds_only),  0, ""},
  {"SQ_ACTIVE_INST_VALU",     AT(sq_active_inst_valu),     0, "quads"},
  {"SQ_THREAD_CYCLES_VALU",   AT(sq_thread_cycles_valu),   0, "quads x lanes"},
  {"SQ_INST_CYCLES_SALU",     AT(sq_inst_cycles_salu),     0, "quads"},
  {"SQ_WAIT_INST_LDS",        AT(sq_wait_inst_lds),        0, "quads"},
  {"SQ_LDS_BANK_CONFLICT",    AT(sq_lds_bank_conflict),    0, "cycles"},
  {"SQ_LDS_IDX_ACTIVE",       AT(sq_lds_idx_active),       0, "cycles"},
  {"SQC_ICACHE_MISSES",       AT(sqc_icache_misses),       0, "lines"},
  {"TA_FLAT_READ_WAVEFRONTS", AT(ta_flat_read_wavefronts), 1, ""},
  {"TA_FLAT_WRITE_WAVEFRONTS", AT(ta_flat_write_wavefronts), 1, ""},
  {"TCC_HIT",                 AT(tcc_hit),                 0, "lines"},
  {"TCC_MISS",                AT(tcc_miss),                0, "lines"},
  {"TCC_EA_RDREQ",            AT(tcc_ea_rdreq),            0, "lines"},
  {"TCC_EA_WRREQ",            AT(tcc_ea_wrreq),            0, "lines"},
};

enum {COUNTERS = sizeof counters / sizeof *counters};

int explain_counter(size_t i, const struct hipsim_report *r,
                    const char **name, double *value, int *counted)
{
  if (i >= COUNTERS)
    return 0;
  *name = counters[i].name;
  *value = *(const double *)((const char *)r + counters[i].at);
  *counted = counters[i].counted;
  return 1;
}

static void print_one(const struct counter *c, const struct hipsim_report *r)
{
  double value = *(const double *)((const char *)r + c->at);
  double share = c->counted ? r->counted_share : r->sampled_share;
  printf(share >= 1 ? "  %-25s %16.0f%s%s\n" : "  %-25s %16.6g%s%s\n", c->name,
         value, *c->unit ? "  " : "", c->unit);
}

void explain_counters(const struct hipsim_report *r)
{
  printf("\n  %-25s %16s\n", "counter (modelled)", "whole launch");
  for (size_t i = 0; i < COUNTERS; i++)
    print_one(&counters[i], r);
  if (r->sampled_share >= 1)
    printf("  (every wave was simulated; ");
  else
    printf("  (extrapolated from %.2g %% of the waves; ",
           100 * r->sampled_share);
  printf("a quad is 4 cycles, a line 64 bytes)\n");
}
