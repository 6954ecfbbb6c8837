/* cost.c - cycles of each instruction; see cost.h.
 *
 * Rows match by the start of the mnemonic, and where `with` is given also by
 * a piece of the rest; the first match wins, so the particular stand before
 * the general. Times are cycles of one SIMD (VALU), one of the two ports
 * (LDS) or the address unit (VMEM) for a whole wave.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/cost.h"

#include <string.h>

#include "runtimes/sim/run/matrix.h"

struct row {
  const char *start, *with;
  uint8_t cycles;
  const char *source;
};

/* CLRX: GcnTimings.md, GCN 1.2 with 64-bit at half rate (DPFACTOR 1). LLVM:
 * SISchedule.td of 15.0, SIQuarterSpeedModel. ACO: Mesa aco_statistics. */
static const struct row valu[] = {
  {"v_rcp_",          "f64", 32, "LLVM; unverified at half rate"},
  {"v_rsq_",          "f64", 32, "LLVM; unverified at half rate"},
  {"v_sqrt_",         "f64", 32, "LLVM; unverified at half rate"},
  {"v_rcp_",          "",    16, "CLRX, LLVM, ACO; 16.000 measured on gfx942 (pyhip)"},
  {"v_rsq_",          "",    16, "CLRX, LLVM, ACO"},
  {"v_sqrt_",         "",    16, "CLRX, LLVM, ACO"},
  {"v_exp_",          "",    16, "CLRX, LLVM, ACO; 16.000 measured on gfx942 (pyhip)"},
  {"v_log_",          "",    16, "CLRX, LLVM, ACO"},
  {"v_sin_",          "",    16, "CLRX, LLVM, ACO"},
  {"v_cos_",          "",    16, "CLRX, LLVM, ACO"},
  {"v_mul_lo_u32",    "",     8, "clpeak: docs/model.md#v_mul_lo_u32"},
  {"v_mul_hi_i32_i24", "",    4, "CLRX"},
  {"v_mul_hi_u32_u24", "",    4, "CLRX"},
  {"v_mul_hi_",       "",     8, "unverified: as v_mul_lo_u32, as LLVM has it for all chips"},
  {"v_mad_u64_u32",   "",     8, "unverified: as v_mul_hi_"},
  {"v_mad_i64_i32",   "",     8, "unverified: as v_mul_hi_"},
  {"v_div_",          "f32", 16, "CLRX"},
  {"v_div_",          "f64", 16, "CLRX; unverified at half rate"},
  {"v_qsad_",         "",    16, "CLRX"},
  {"v_mqsad_",        "",    16, "CLRX"},
  {"v_trig_preop_",   "",    16, "LLVM"},
  {"v_cvt_pk",        "",     4, "CLRX, LLVM"},
  {"v_cvt_norm_",     "",     4, "unverified"},
  {"v_cvt_",          "f64", 16, "LLVM"},
  {"v_cvt_",          "",     4, "CLRX: docs/model.md#v_cvt_"},
  {"v_add_f64",       "",     8, "conflict: LLVM 8, CLRX 4"},
  {"v_lshlrev_b64",   "",     8, "LLVM"},
  {"v_lshrrev_b64",   "",     8, "LLVM"},
  {"v_ashrrev_i64",   "",     8, "LLVM"},
  {"v_swap_b32",      "",     8, "CLRX"},
  {"v_",              "f64",  8, "CLRX, LLVM: half rate"},
  {"v_cmp",           "64",   8, "LLVM: half rate"},
  {"v_",              "",     4, "CLRX, LLVM; 4.008..4.016 measured on gfx942 (pyhip)"},
};

static const struct row salu[] = {
  {"s_setreg_",       "",          8, "CLRX"},
  {"s_",              "_saveexec", 8, "CLRX"},
  {"s_load_dwordx16", "",         16, "CLRX: 16 to 24"},
  {"s_load_dwordx8",  "",          8, "CLRX"},
  {"s_buffer_load_dwordx16", "",  16, "CLRX: 16 to 24"},
  {"s_buffer_load_dwordx8",  "",   8, "CLRX"},
  {"s_",              "",          4, "CLRX; 4.0 in an MI210 trace"},
};

/* The address unit: the larger of this and the lines touched. */
static const struct row vmem[] = {
  {"", "_load_dwordx4",       16, "CLRX buffer_load"},
  {"", "_load_dwordx3",       16, "CLRX buffer_load"},
  {"", "_load_format_xyzw",   16, "CLRX buffer_load"},
  {"", "_load_format_xyz",    16, "CLRX buffer_load"},
  {"", "_load_dwordx2",       16, "sebbbi/perftest, a Radeon VII; CLRX has 18(?)"},
  {"", "_load_format_xy",     16, "as dwordx2"},
  {"", "_load_",               8, "CLRX buffer_load"},
  {"", "_store_",             16, "CLRX buffer_store"},
  {"", "_atomic_",            16, "unverified: as a store"},
  {"", "",                     4, "cache control"},
};

/* issue: 4 for addresses, and 4 a dword of data; rocRoller LDSModel, the same
 * as CLRX's "cycles a wave is held" for writes. port: dwords at 16 b32, 8 b64,
 * 4 b96/b128 lanes a cycle. shared: CLRX's highest rate of a CU. */
struct lds_row {
  const char *start, *with;
  uint8_t issue, port, shared;
  const char *source;
};
static const struct lds_row lds[] = {
  {"ds_read2_b64",      "",       4, 16,  8, "CLRX"},
  {"ds_read2st64_b64",  "",       4, 16,  8, "CLRX"},
  {"ds_read2",          "",       4,  8,  4, "CLRX"},
  {"ds_read_b128",      "",       4, 16,  8, "CLRX, rocRoller"},
  {"ds_read_b96",       "",       4, 16,  8, "CLRX, rocRoller"},
  {"ds_read_b64",       "",       4,  8,  4, "CLRX, rocRoller"},
  {"ds_read_",          "",       4,  4,  2, "CLRX, rocRoller"},
  {"ds_write2_b64",     "",      20, 16, 10, "CLRX"},
  {"ds_write2st64_b64", "",      20, 16, 10, "CLRX"},
  {"ds_write2",         "",      12,  8,  6, "CLRX"},
  {"ds_write_b128",     "",      20, 16, 10, "CLRX, rocRoller"},
  {"ds_write_b96",      "",      16, 16, 10, "CLRX, rocRoller"},
  {"ds_write_b64",      "",      12,  8,  8, "CLRX, rocRoller"},
  {"ds_write_",         "",       8,  4,  4, "CLRX, rocRoller"},
  {"ds_swizzle_b32",    "",       4,  4,  2, "CLRX"},
  {"ds_bpermute_b32",   "",       8, 12,  6, "fitted: write and read, 962..970 Gxchg/s (wiki-gfx906)"},
  {"ds_permute_b32",    "",       8, 12,  6, "unverified: as ds_bpermute_b32"},
  {"ds_wrxchg2",        "",      20, 16, 10, "unverified: as ds_write2_b64"},
  {"ds_cmpst_",         "32",    12,  8,  6, "CLRX"},
  {"ds_cmpst_",         "64",    20, 16, 10, "unverified: as ds_write2_b64"},
  {"ds_mskor_",         "32",    12,  8,  6, "unverified: as ds_cmpst_b32"},
  {"ds_mskor_",         "64",    20, 16, 10, "unverified: as ds_write2_b64"},
  {"ds_",               "64",    12,  8,  8, "unverified: as ds_write_b64"},
  {"ds_",               "",       8,  4,  4, "CLRX ds_add_rtn_u32"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static int matches(const char *name, const char *start, const char *with)
{
  size_t n = strlen(start);
  return !strncmp(name, start, n) && (!*with || strstr(name + n, with));
}

static uint8_t cycles(const struct row *rows, size_t n, const char *name)
{
  for (size_t i = 0; i + 1 < n; i++)
    if (matches(name, rows[i].start, rows[i].with))
      return rows[i].cycles;
  return rows[n - 1].cycles;
}

static const struct lds_row *lds_find(const char *name)
{
  size_t i = 0;
  while (i + 1 < COUNT(lds) && !matches(name, lds[i].start, lds[i].with))
    i++;
  return &lds[i];
}

/* Cycles that the unit of i is busy. */
static unsigned cost_of(const struct inst *i)
{
  const char *name = inst_name(i);
  unsigned passes = matrix_passes(i);
  switch (i->unit) {
  case UNIT_VALU:
    return passes ? 4 * passes : cycles(valu, COUNT(valu), name);
  case UNIT_LDS:
    return lds_find(name)->port;
  case UNIT_VMEM:
    return cycles(vmem, COUNT(vmem), name);
  default:
    return cycles(salu, COUNT(salu), name);
  }
}

static void lds_op(const struct inst *i, struct price *p)
{
  const struct lds_row *r = lds_find(inst_name(i));
  p->issue = p->held = r->issue;
  p->shared = r->shared;
  p->flags = OP_LGKM;
}

static void smem_op(const struct inst *i, struct price *p)
{
  p->flags = OP_LGKM | (inst_writes(i) ? OP_WRITES : 0);
}

static void vmem_op(const struct inst *i, struct price *p)
{
  p->held = 4;
  p->flags = OP_VMCNT | (inst_writes(i) ? OP_WRITES : 0);
  if (i->format == FLAT)
    p->flags |= OP_LGKM | OP_FLAT;
}

/* Of s_waitcnt exports are not modelled, and GFX9 stores do not count there. */
static void sopp_op(const struct inst *i, struct price *p)
{
  uint32_t imm = (uint32_t)i->imm;
  if (i->op == S_WAITCNT) {
    p->flags = OP_WAIT;
    p->vm = (uint8_t)inst_waitcnt(i).vm;
    p->lgkm = (uint8_t)inst_waitcnt(i).lgkm;
  } else if (i->op == S_ENDPGM) {
    p->flags = OP_END;
  } else if (i->op == S_NOP) {
    p->held = (uint16_t)(4 * ((imm & 15) + 1)); /* a wait state: one issue */
  } else if (i->op == S_SLEEP) {
    p->held = (uint16_t)(4 + 64 * (imm & 127)); /* units of 64: "Vega" ISA */
  }
}

/* Issue of a double is slower where a card has fewer of its units in use. */
static double slower(const struct inst *i, double f64)
{
  return i->unit == UNIT_VALU && strstr(inst_name(i), "f64") ? f64 : 1;
}

void cost_price(const struct inst *i, double f64, struct price *p)
{
  double cycles = cost_of(i) * slower(i, f64);
  *p = (struct price){.unit = i->unit, .held = (uint16_t)cycles,
                      .busy = (uint8_t)cycles, .words = i->words};
  switch (i->unit) {
  case UNIT_LDS:
    lds_op(i, p);
    break;
  case UNIT_VMEM:
    vmem_op(i, p);
    break;
  case UNIT_SMEM:
    smem_op(i, p);
    break;
  case UNIT_OTHER:
    sopp_op(i, p);
    break;
  }
}
