/* cost.c - cycles of instructions against what AMD's compiler model and
 * measurements on GCN say, and the LDS servers against CLRX's rates.
 */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/timing/lds.h"
#include "runtimes/sim/timing/model.h"

/* The opcode of a mnemonic in an encoding, by the decoder's own table. */
static struct inst find(unsigned format, const char *name)
{
  struct inst i = {.format = (uint8_t)format};
  for (unsigned op = 0; op < 1024; op++) {
    const struct op *o = op_find(isa_at(0), format, op);
    if (o && !strcmp(o->name, name)) {
      i.op = (uint16_t)op;
      i.unit = (uint8_t)inst_unit(&i);
      return i;
    }
  }
  fail_msg("no %s", name);
  return i;
}

static void vector_rates(void **state)
{
  (void)state;
  static const struct {
    unsigned format;
    const char *name;
    unsigned cycles;
  } rows[] = {
      {VOP2, "v_add_f32", 4},      {VOP2, "v_fmac_f32", 4},
      {VOP3, "v_fma_f32", 4},      {VOP3P, "v_pk_fma_f16", 4},
      {VOP3P, "v_dot4_i32_i8", 4}, {VOP3P, "v_dot8_i32_i4", 4},
      {VOP3, "v_perm_b32", 4},     {VOP3, "v_fma_f64", 8},
      {VOP3, "v_mul_f64", 8},      {VOP3, "v_add_f64", 8},
      {VOP3, "v_lshlrev_b64", 8},  {VOP1, "v_rcp_f32", 16},
      {VOP1, "v_exp_f32", 16},     {VOP1, "v_sqrt_f32", 16},
      {VOP3, "v_mul_lo_u32", 8},   {VOP3, "v_mul_hi_u32", 8},
      {VOP3, "v_mad_u64_u32", 8},  {VOP2, "v_mul_hi_u32_u24", 4},
      {VOP2, "v_mul_u32_u24", 4},  {VOP3, "v_cvt_pkrtz_f16_f32", 4},
      {VOP1, "v_cvt_f16_f32", 4},   {VOP1, "v_cvt_f32_i32", 4},
      {VOPC, "v_cmp_lt_f32", 4},   {VOPC, "v_cmp_lt_f64", 8},
      {VOP1, "v_mov_b32", 4},      {VOP3, "v_div_scale_f32", 16},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct inst in = find(rows[i].format, rows[i].name);
    assert_int_equal(in.unit, UNIT_VALU);
    struct price p;
    cost_price(&in, 1, &p);
    if (p.busy != rows[i].cycles)
      fail_msg("%s: %u cycles, not %u", rows[i].name, p.busy,
               rows[i].cycles);
  }
}

static void units(void **state)
{
  (void)state;
  static const struct {
    unsigned format;
    const char *name;
    unsigned unit;
  } rows[] = {
      {SOP2, "s_add_u32", UNIT_SALU},      {SOPP, "s_waitcnt", UNIT_OTHER},
      {SOPP, "s_barrier", UNIT_OTHER},     {SOPP, "s_branch", UNIT_BRANCH},
      {SOPP, "s_cbranch_scc1", UNIT_BRANCH}, {SMEM, "s_load_dword", UNIT_SMEM},
      {DS, "ds_read_b32", UNIT_LDS},       {FLAT, "flat_load_dword", UNIT_VMEM},
      {GLOBAL, "global_store_dword", UNIT_VMEM},
      {MUBUF, "buffer_load_dwordx4", UNIT_VMEM},
      {SOPP, "s_endpgm", UNIT_OTHER},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(find(rows[i].format, rows[i].name).unit, rows[i].unit);
}

/* s_waitcnt's fields as LLVM's AMDGPUUsage has them for gfx9. */
static void wait_fields(void **state)
{
  (void)state;
  struct inst i = find(SOPP, "s_waitcnt");
  struct price p;
  i.imm = (int16_t)0xcf7f; /* vmcnt 63, expcnt 7, lgkmcnt 15: no wait */
  cost_price(&i, 1, &p);
  assert_true(p.flags & OP_WAIT);
  assert_int_equal(p.vm, 63);
  assert_int_equal(p.lgkm, 15);
  i.imm = 0x0f70; /* vmcnt(0) */
  cost_price(&i, 1, &p);
  assert_int_equal(p.vm, 0);
  assert_int_equal(p.lgkm, 15);
  i.imm = (int16_t)0xc27f; /* lgkmcnt(2) */
  cost_price(&i, 1, &p);
  assert_int_equal(p.vm, 63);
  assert_int_equal(p.lgkm, 2);
}

static void writers(void **state)
{
  (void)state;
  static const struct {
    unsigned format;
    const char *name;
    int writes;
  } rows[] = {
      {GLOBAL, "global_load_dword", 0},  {GLOBAL, "global_store_dword", 1},
      {GLOBAL, "global_atomic_add", 1},  {FLAT, "flat_store_byte", 1},
      {MUBUF, "buffer_store_dword", 1},  {SMEM, "s_load_dword", 0},
      {SMEM, "s_store_dword", 1},        {SMEM, "s_atomic_add", 1},
      {MTBUF, "tbuffer_store_format_x", 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct inst in = find(rows[i].format, rows[i].name);
    struct price p;
    cost_price(&in, 1, &p);
    assert_int_equal(!!(p.flags & OP_WRITES), rows[i].writes);
  }
}

/* Cycles for each of a long stream of one instruction, issued as fast as the
 * ports take it from so many SIMDs: neighbours (apart 1: of one pair) or of
 * both pairs (apart 2). `banks`: cycles of the banks, 32 banks of 4 bytes. */
static double stream(const char *name, double banks, unsigned simds,
                     unsigned apart)
{
  const struct card *c = card_find("mi50");
  enum {N = 4000};
  struct lds l = {0};
  struct inst i = find(DS, name);
  struct price p;
  double busy, t = 0;
  cost_price(&i, 1, &p);
  for (unsigned n = 0; n < N; n++) {
    unsigned simd = n % simds * apart;
    double at = lds_free(&l, simd);
    t = lds_take(&l, c, simd, at, &p, banks, &busy);
  }
  return t / N;
}

/* CLRX GcnTimings.md: cycles an instruction holds one wave, and the highest
 * rate of a CU; AMD's rocprofiler-compute docs give 8 and 20 cycles for the
 * b32 and b128 stores of one wave. */
static void lds_rates(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double banks, one, both;
  } rows[] = {
      {"ds_read_b32", 2, 4, 2},     {"ds_read_b64", 4, 8, 4},
      {"ds_read_b96", 6, 16, 8},    {"ds_read_b128", 8, 16, 8},
      {"ds_read2_b32", 4, 8, 4},    {"ds_read2_b64", 8, 16, 8},
      {"ds_write_b32", 2, 8, 4},    {"ds_write_b64", 4, 12, 8},
      {"ds_write_b96", 6, 16, 10},  {"ds_write_b128", 8, 20, 10},
      {"ds_write2_b32", 4, 12, 6},  {"ds_write2_b64", 8, 20, 10},
      {"ds_swizzle_b32", 0, 4, 2},  {"ds_add_rtn_u32", 2, 8, 4},
      {"ds_cmpst_b32", 2, 12, 6},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double one = stream(rows[i].name, rows[i].banks, 1, 1);
    double both = stream(rows[i].name, rows[i].banks, 2, 2);
    if (one < rows[i].one || one > rows[i].one * 1.02 + 0.02)
      fail_msg("%s: %.2f cycles from one pair", rows[i].name, one);
    if (both < rows[i].both || both > rows[i].both * 1.02 + 0.02)
      fail_msg("%s: %.2f cycles from both pairs", rows[i].name, both);
  }
}

/* pyhip, MI308X: with two SIMDs or more, whichever they are, a ds_read_b128
 * every 8 cycles. */
static void a_pair_can_use_all_banks(void **state)
{
  (void)state;
  double pair = stream("ds_read_b128", 8, 2, 1);
  assert_true(pair >= 8 && pair <= 8 * 1.02);
}

/* pyhip, MI308X: a b32 read of stride 2, 4, 8, 16, 32 dwords takes 4.22,
 * 8.07, 16.06, 32.02, 64.0 cycles of the CU (the banks' own 4 to 64). */
static void conflicts_bind_the_banks(void **state)
{
  (void)state;
  for (double banks = 4; banks <= 64; banks *= 2) {
    double both = stream("ds_read_b32", banks, 2, 2);
    assert_true(both >= banks && both <= banks * 1.06);
  }
}

/* pyhip, MI308X, one wave: 52 cycles for b32, 64 for b128. */
static void lds_latency(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  static const struct { const char *name; double banks, cycles; } rows[] = {
      {"ds_read_b32", 2, 52}, {"ds_read_b128", 8, 64}};
  for (size_t i = 0; i < 2; i++) {
    struct lds l = {0};
    struct inst in = find(DS, rows[i].name);
    struct price p;
    double busy;
    cost_price(&in, 1, &p);
    double done = lds_take(&l, c, 0, 0, &p, rows[i].banks, &busy);
    assert_true(done == rows[i].cycles);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vector_rates), cmocka_unit_test(units),
      cmocka_unit_test(wait_fields),  cmocka_unit_test(writers),
      cmocka_unit_test(lds_rates),    cmocka_unit_test(conflicts_bind_the_banks),
      cmocka_unit_test(lds_latency),
      cmocka_unit_test(a_pair_can_use_all_banks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
