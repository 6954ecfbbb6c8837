/* cards.c - rates of other gfx906 cards beside those that clpeak 1.1.2 printed
 * on them: a Radeon VII at 1801 MHz and a Radeon Pro VII at 1700, issues 103
 * and 109 of krrishnarraj/clpeak (driver 3516.0). The kernels here do the same
 * work: chains of x = x y + y with both in turn; reads of 2 GiB, 16 a lane,
 * apart by a group or by the grid, whichever is faster. Integers by a product
 * and a sum: with the 12 cycles that were measured it was not the one
 * instruction that the compiler here takes.
 *
 * Not here: scalar halves (9133 and 8637), where that driver's compiler seems
 * to take three instructions for two; float16 (693 and 661), which goes by how
 * a compiler spaces the four loads of a line: 860 where they stand together,
 * 417 in two pairs. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "runtimes/sim/timing/card.h"
#include "tests/sim/launch.h"

static const char *const text =
    "#define KERNEL extern \"C\" __global__ __launch_bounds__(256) void\n"
    "#define T (blockIdx.x * 256 + threadIdx.x)\n"
    "typedef _Float16 h2 __attribute__((ext_vector_type(2)));\n"
    "typedef float vec2 __attribute__((ext_vector_type(2)));\n"
    "typedef float vec4 __attribute__((ext_vector_type(4)));\n"
    "typedef float vec8 __attribute__((ext_vector_type(8)));\n"
    "#define CHAIN(name, type, STEP) \\\n"
    "  KERNEL name(const void *in, type *out) { \\\n"
    "    type x = (type)(float)blockDim.x, y = (type)(float)threadIdx.x; \\\n"
    "    for (int i = 0; i < 128; i++) { \\\n"
    "      _Pragma(\"unroll\") \\\n"
    "      for (int j = 0; j < 8; j++) { STEP(x, y); STEP(y, x); } \\\n"
    "    } \\\n"
    "    out[T] = y; }\n"
    "#define MAD(x, y) x = y * x + y\n"
    "#define IMAD(x, y) \\\n"
    "  asm(\"v_mul_lo_u32 %0, %1, %0\\n v_add_u32 %0, %0, %1\" \\\n"
    "      : \"+v\"(x) : \"v\"(y))\n"
    "#define MAD24(x, y) \\\n"
    "  asm(\"v_mad_i32_i24 %0, %1, %0, %1\" : \"+v\"(x) : \"v\"(y))\n"
    "CHAIN(single_mad, float, MAD)\n"
    "CHAIN(double_mad, double, MAD)\n"
    "CHAIN(half2_mad, h2, MAD)\n"
    "CHAIN(int_mad, int, IMAD)\n"
    "CHAIN(int24_mad, int, MAD24)\n"
    "__device__ float all(float v) { return v; }\n"
    "__device__ float all(vec2 v) { return v.x + v.y; }\n"
    "__device__ float all(vec4 v) { return v.x + v.y + v.z + v.w; }\n"
    "__device__ float all(vec8 v) { return all(v.lo) + all(v.hi); }\n"
    "#define READ(name, type, first, step) \\\n"
    "  KERNEL name(const type *in, float *out) { \\\n"
    "    type sum = 0; const type *at = in + (first); \\\n"
    "    _Pragma(\"unroll\") \\\n"
    "    for (int i = 0; i < 16; i++) sum += at[(size_t)i * (step)]; \\\n"
    "    out[T] = all(sum); }\n"
    "#define NEAR blockIdx.x * 256 * 16 + threadIdx.x, 256\n"
    "#define FAR T, gridDim.x * 256\n"
    "#define READS(name, type, where) READ(name, type, where)\n"
    "READS(float_near, float, NEAR) READS(float_far, float, FAR)\n"
    "READS(float2_near, vec2, NEAR) READS(float2_far, vec2, FAR)\n"
    "READS(float4_near, vec4, NEAR) READS(float4_far, vec4, FAR)\n"
    "READS(float8_near, vec8, NEAR) READS(float8_far, vec8, FAR)\n";

#define BUFFER ((size_t)2 << 30) /* as clpeak has it */

struct state {
  struct rtc rtc;
  struct device dev;
  void *in, *out;
};

static int open_device(void **state)
{
  static struct state s;
  if (rtc_open(&s.rtc) || device_open(&s.dev, &s.rtc, text))
    return -1;
  s.in = arena_alloc(s.dev.arena, BUFFER);
  s.out = arena_alloc(s.dev.arena, BUFFER);
  *state = &s;
  return s.in && s.out ? 0 : -1;
}

static int close_device(void **state)
{
  device_close(&((struct state *)*state)->dev);
  return 0;
}

static struct hipsim_report launch(struct state *s, const char *kernel,
                                   const char *card, uint32_t groups)
{
  struct { void *in, *out; } args = {s->in, s->out};
  struct dispatch d;
  struct timing t;
  struct fault fault = {0};
  assert_int_equal(device_prepare(&s->dev, &d, kernel, groups, 256, &args,
                                  sizeof args), 0);
  assert_int_equal(model_run(&d, card_find(card), &t, NULL, &fault), 0);
  struct hipsim_report report = t.report;
  timing_free(&t);
  device_finish(&d);
  return report;
}

struct rate {
  const char *kernel, *other; /* other: NULL, or the faster one counts */
  double work;                /* of a lane: operations, or bytes read */
  double vii, pro_vii;        /* published: G operations/s, or GB/s */
};

/* Bytes of a lane make up the number of groups; operations run in 2048 groups
 * of clpeak's 256 lanes a CU, or 512 for doubles: as long either way. */
static const struct rate rates[] = {
    {"single_mad", NULL, 4096, 13705.64, 12798.81},
    {"double_mad", NULL, 4096, 3434.87, 6455.92},
    {"half2_mad", NULL, 8192, 26691.18, 25210.47},
    {"int_mad", NULL, 4096, 4536.94, 4274.61},
    {"int24_mad", NULL, 4096, 13274.74, 12203.69},
    {"float_near", "float_far", 64, 822.46, 796.86},
    {"float2_near", "float2_far", 128, 840.00, 827.75},
    {"float4_near", "float4_far", 256, 840.63, 822.74},
    {"float8_near", "float8_far", 512, 782.67, 793.45},
};

static double modelled(struct state *s, const struct rate *r, const char *card)
{
  uint32_t groups = r->other ? (uint32_t)(BUFFER / r->work / 256) : 60 * 512;
  double us = launch(s, r->kernel, card, groups).time_us;
  double other = r->other ? launch(s, r->other, card, groups).time_us : us;
  return r->work * 256 * groups / (us < other ? us : other) / 1e3;
}

static void compare(struct state *s, const char *card, int pro)
{
  int bad = 0;
  print_message("%-15s %-12s %9s %9s  ratio\n", card, "", "published",
                "modelled");
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    double have = modelled(s, &rates[i], card);
    double want = pro ? rates[i].pro_vii : rates[i].vii;
    print_message("%-15s %-12s %9.0f %9.0f  %.3f\n", card, rates[i].kernel,
                  want, have, have / want);
    bad += fabs(have / want - 1) > 0.1;
  }
  assert_int_equal(bad, 0);
}

static void radeon_vii(void **state)
{
  compare(*state, "radeon-vii", 0);
}

static void radeon_pro_vii(void **state)
{
  compare(*state, "radeon-pro-vii", 1);
}

/* SQ_ACTIVE_INST_VALU: nearly all of the loop's cycles are the doubles'. */
static void counters_of_doubles(void **state)
{
  enum {GROUPS = 60 * 16};
  struct hipsim_report slow = launch(*state, "double_mad", "radeon-vii",
                                     GROUPS);
  struct hipsim_report fast = launch(*state, "double_mad", "radeon-pro-vii",
                                     GROUPS);
  double ratio = slow.sq_active_inst_valu / fast.sq_active_inst_valu;
  assert_true(fabs(ratio - 2) < 0.05);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(radeon_vii),
      cmocka_unit_test(radeon_pro_vii),
      cmocka_unit_test(counters_of_doubles),
  };
  return cmocka_run_group_tests(tests, open_device, close_device);
}
