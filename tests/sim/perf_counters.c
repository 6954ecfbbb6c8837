/* perf_counters.c - the counters, by instructions that are known one by one.
 *
 * Each row's instructions stand REPEAT times in a kernel of their own, and
 * what that counts more than a kernel without them must be what the counters'
 * definitions say, times REPEAT and the waves of the grid.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "tests/sim/launch.h"

enum {REPEAT = 7, GROUPS = 120, WAVES = 4 * GROUPS};

/* ORDER COUNTER */
enum { VALU, ACTIVE, THREADS, SALU, SCYCLES, SMEMS, LDS, CONFLICT, IDX, RD, WR,
       FLATS, FLAT_LDS, TA_RD, TA_WR, COUNTERS };

static const struct {
  const char *name;
  size_t at; /* in the report */
} counters[COUNTERS] = {
#define COUNTER(name) {#name, offsetof(struct hipsim_report, name)}
    COUNTER(sq_insts_valu), COUNTER(sq_active_inst_valu),
    COUNTER(sq_thread_cycles_valu), COUNTER(sq_insts_salu),
    COUNTER(sq_inst_cycles_salu), COUNTER(sq_insts_smem),
    COUNTER(sq_insts_lds), COUNTER(sq_lds_bank_conflict),
    COUNTER(sq_lds_idx_active), COUNTER(sq_insts_vmem_rd),
    COUNTER(sq_insts_vmem_wr), COUNTER(sq_insts_flat),
    COUNTER(sq_insts_flat_lds_only), COUNTER(ta_flat_read_wavefronts),
    COUNTER(ta_flat_write_wavefronts),
#undef COUNTER
};

/* %0 LDS byte address, dwords in a row; %1 every second dword; %2 a global
 * pointer; %3 a pointer into LDS; %4 a uniform pointer. A full-rate vector
 * instruction takes one quad; LDS of 32 banks needs two cycles for 64 lanes,
 * and two more where each bank is asked for two dwords at a time. */
static const struct row {
  const char *text;
  double each[COUNTERS];
} rows[] = {
    {"v_mov_b32 v60, 0", {[VALU] = 1, [ACTIVE] = 1, [THREADS] = 64}},
    {"v_rcp_f32 v60, 1.0", {[VALU] = 1, [ACTIVE] = 4, [THREADS] = 4 * 64}},
    {"v_fma_f64 v[60:61], 1.0, 1.0, 1.0",
     {[VALU] = 1, [ACTIVE] = 2, [THREADS] = 2 * 64}},
    {"s_mov_b64 s[60:61], exec\n s_mov_b64 exec, 0xff\n v_mov_b32 v60, 0\n"
     "s_mov_b64 exec, s[60:61]",
     {[VALU] = 1, [ACTIVE] = 1, [THREADS] = 8, [SALU] = 3, [SCYCLES] = 3}},
    {"s_nop 0\n s_waitcnt 0", {0}},
    {"s_load_dword s60, %4, 0x0\n s_waitcnt lgkmcnt(0)", {[SMEMS] = 1}},
    {"ds_read_b32 v60, %0", {[LDS] = 1, [IDX] = 2}},
    {"ds_read_b32 v60, %1", {[LDS] = 1, [IDX] = 4, [CONFLICT] = 2}},
    {"ds_write_b32 %1, %0", {[LDS] = 1, [IDX] = 4, [CONFLICT] = 2}},
    {"global_load_dword v60, %2, off",
     {[RD] = 1, [FLATS] = 1, [TA_RD] = 1}},
    {"global_store_dword %2, %0, off",
     {[WR] = 1, [FLATS] = 1, [TA_WR] = 1}},
    {"global_atomic_add %2, %0, off",
     {[WR] = 1, [FLATS] = 1, [TA_WR] = 1}},
    {"flat_load_dword v60, %2",
     {[RD] = 1, [FLATS] = 1, [TA_RD] = 1, [LDS] = 1}},
    {"flat_load_dword v60, %3",
     {[RD] = 1, [FLATS] = 1, [TA_RD] = 1, [LDS] = 1, [FLAT_LDS] = 1,
      [IDX] = 2}},
};
enum {ROWS = sizeof rows / sizeof *rows};

struct state {
  struct rtc rtc;
  struct device dev;
  uint8_t *memory;
};

static void add_kernel(struct str *s, const char *name, const char *text)
{
  str_addf(s, "extern \"C\" __global__ __launch_bounds__(256)\n"
           "void %s(int *p)\n{\n  __shared__ int row[512];\n"
           "  int t = threadIdx.x;\n"
           "  int *flat = row + t;\n"
           "  asm volatile(\"s_waitcnt 0\\n .rept %d\\n ", name, REPEAT);
  for (; *text; text++)
    str_addf(s, *text == '\n' ? "\\n" : "%c", *text);
  str_addf(s, "\\n .endr\\n s_waitcnt 0\"\n"
           "    :: \"v\"(4 * t), \"v\"(8 * (t %% 64)), \"v\"(p + t),\n"
           "    \"v\"(flat), \"s\"(p)\n"
           "    : \"v60\", \"v61\", \"s60\", \"s61\", \"memory\");\n"
           "}\n");
}

/* A long loop with a short one in it, LDS, and a branch now and then. */
static const char loop_text[] =
    "extern \"C\" __global__ __launch_bounds__(256) void loop(int *p)\n{\n"
    "  __shared__ int row[512];\n"
    "  int t = threadIdx.x, x = t;\n"
    "#pragma unroll 1\n"
    "  for (int i = 0; i < 4000; i++) {\n"
    "    row[t] = x;\n"
    "    __syncthreads();\n"
    "#pragma unroll 1\n"
    "    for (int j = 0; j < 3; j++)\n"
    "      x = x * 5 + row[t * 2 & 511];\n"
    "    if (i % 8 == 0)\n"
    "      asm volatile(\"v_add_u32 %0, 1, %0\" : \"+v\"(x));\n"
    "    __syncthreads();\n"
    "  }\n"
    "  p[t] = x;\n}\n";

static int open_device(void **state)
{
  static struct state s;
  struct str text = {0};
  char name[16];
  add_kernel(&text, "nothing", "");
  for (int n = 0; n < ROWS; n++) {
    snprintf(name, sizeof name, "row%d", n);
    add_kernel(&text, name, rows[n].text);
  }
  str_add(&text, loop_text);
  if (rtc_open(&s.rtc) || device_open(&s.dev, &s.rtc, str_text(&text)))
    return -1;
  str_free(&text);
  s.memory = arena_alloc(s.dev.arena, 4096);
  memset(s.memory, 0, 4096);
  *state = &s;
  return 0;
}

static int close_device(void **state)
{
  device_close(&((struct state *)*state)->dev);
  return 0;
}

static struct timing run(struct state *s, const char *name, struct dispatch *d)
{
  struct timing t;
  struct fault fault = {0};
  assert_int_equal(device_prepare(&s->dev, d, name, GROUPS, 256, &s->memory,
                                  sizeof s->memory), 0);
  if (model_run(d, card_find("mi50"), &t, NULL, &fault))
    fail_msg("%s", fault.text);
  assert_true(t.report.sq_waves == WAVES);
  return t;
}

static double value(const struct hipsim_report *r, int n)
{
  double x;
  memcpy(&x, (const char *)r + counters[n].at, sizeof x);
  return x;
}

static void compare(const struct row *row, const struct hipsim_report *r,
                    const struct hipsim_report *nothing)
{
  for (int n = 0; n < COUNTERS; n++) {
    double have = value(r, n) - value(nothing, n);
    if (have != row->each[n] * REPEAT * WAVES)
      fail_msg("%s: %s is %g a wave, not %g", row->text, counters[n].name,
               have / REPEAT / WAVES, row->each[n]);
  }
}

static void test_by_definition(void **state)
{
  struct state *s = *state;
  struct dispatch d;
  struct timing nothing = run(s, "nothing", &d);
  device_finish(&d);
  for (int n = 0; n < ROWS; n++) {
    char name[16];
    snprintf(name, sizeof name, "row%d", n);
    struct timing t = run(s, name, &d);
    compare(&rows[n], &t.report, &nothing.report);
    timing_free(&t);
    device_finish(&d);
  }
  timing_free(&nothing);
}

/* What functional runs count is the same. */
static void test_functional(void **state)
{
  struct state *s = *state;
  for (int n = 0; n < ROWS; n++) {
    char name[16];
    struct dispatch d;
    struct counts all = {0};
    struct fault fault = {0};
    snprintf(name, sizeof name, "row%d", n);
    struct timing t = run(s, name, &d);
    assert_int_equal(dispatch_run(&d, 1, &all, &fault), 0);
    assert_int_equal(all.waves, WAVES);
    for (int k = 0; k < CLASS_N; k++)
      assert_int_equal(all.insts[k], t.executed.insts[k] * 60);
    timing_free(&t);
    device_finish(&d);
  }
}

/* What is skipped in the middle of a long loop is executed, and so counted:
 * hits are those of a run that skips nothing, and so are an instruction's LDS
 * cycles. */
static void test_sampled_hits(void **state)
{
  struct state *s = *state;
  struct dispatch d;
  struct fault fault = {0};
  struct timing all, t = run(s, "loop", &d);
  assert_int_equal(model_run_complete(&d, card_find("mi50"), &all, NULL,
                                      &fault), 0);
  assert_int_equal(t.n, all.n);
  double hits = 0;
  for (size_t pc = 0; pc < t.n; pc++) {
    const struct inst_count *a = &t.counts[pc], *b = &all.counts[pc];
    assert_true(a->hits == b->hits);
    assert_float_equal(a->lds_cycles, b->lds_cycles, 1e-6 * b->lds_cycles);
    assert_float_equal(a->lds_conflicts, b->lds_conflicts,
                       1e-6 * b->lds_conflicts);
    hits += a->hits;
  }
  assert_true(hits > 4000 * 4 * 20);
  for (int n = 0; n < COUNTERS; n++)
    assert_float_equal(value(&t.report, n), value(&all.report, n),
                       1e-9 * value(&all.report, n));
  timing_free(&t);
  timing_free(&all);
  device_finish(&d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_by_definition),
    cmocka_unit_test(test_functional),
    cmocka_unit_test(test_sampled_hits),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
