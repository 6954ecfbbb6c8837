/* valu_compiled.c - the same functions by the host's compiler on the host and
 * by hiprtc on the simulated device. Arithmetic is the same to the bit. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/sim/launch.h"

#define FN
#include "tests/sim/valu_compiled.h"

static const char kernels[] =
    "\n"
    "#define DEFINE(name, expr) \\\n"
    "  static __device__ u32 f_##name(u32 a, u32 b) { return expr; }\n"
    "INTEGER(DEFINE) FLOATING(DEFINE) HALVES(DEFINE)\n"
    "#define STORE(name, expr) out[n * k++ + i] = f_##name(a[i], b[i]);\n"
    "extern \"C\" __global__ void integer(u32 *out, const u32 *a,\n"
    "    const u32 *b, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;\n"
    "  INTEGER(STORE) }\n"
    "extern \"C\" __global__ void floating(u32 *out, const u32 *a,\n"
    "    const u32 *b, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;\n"
    "  FLOATING(STORE) }\n"
    "extern \"C\" __global__ void halves(u32 *out, const u32 *a,\n"
    "    const u32 *b, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;\n"
    "  HALVES(STORE) }\n"
    "#define STORE_NEAR(name, expr) out[n * k++ + i] = float_bits(expr);\n"
    "extern \"C\" __global__ void near(u32 *out, const u32 *a,\n"
    "    const u32 *b, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;\n"
    "  float x = as_float(a[i]); NEAR(STORE_NEAR) }\n";

struct function {
  const char *name;
  u32 (*f)(u32 a, u32 b);
};

#define DEFINE(name, expr)                                                   \
  static u32 f_##name(u32 a, u32 b)                                          \
  {                                                                          \
    (void)a, (void)b;                                                        \
    return (u32)(expr);                                                      \
  }
#define DEFINE_NEAR(name, expr)                                              \
  static u32 near_##name(u32 a, u32 b)                                       \
  {                                                                          \
    const float x = as_float(a);                                             \
    (void)b;                                                                 \
    return float_bits(expr);                                                 \
  }
INTEGER(DEFINE)
FLOATING(DEFINE)
HALVES(DEFINE)
NEAR(DEFINE_NEAR)

#define ROW(name, expr) {#name, f_##name},
#define ROW_NEAR(name, expr) {#name, near_##name},
static const struct function integers[] = {INTEGER(ROW)};
static const struct function floats[] = {FLOATING(ROW)};
static const struct function halves[] = {HALVES(ROW) {NULL, NULL}};
static const struct function nears[] = {NEAR(ROW_NEAR)};

enum {THREADS = 256, GROUPS = 8, N = THREADS * GROUPS, FUNCTIONS = 80};

static struct device device;
static int have_device;
static u32 a[N], b[N], out[FUNCTIONS][N];

static int setup(void **state)
{
  (void)state;
  struct rtc r;
  if (rtc_open(&r)) {
    fprintf(stderr, "skipped: no hiprtc (Debian package libamdhip64-5)\n");
    return 0;
  }
  struct str text = {0};
  str_add(&text, "#pragma clang fp contract(off)\n#define FN __device__\n");
  if (file_read(SOURCE_DIR "/tests/sim/valu_compiled.h", 1 << 20, &text, NULL))
    return -1;
  str_add(&text, kernels);
  have_device = !device_open(&device, &r, text.at);
  str_free(&text);
  return have_device ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  if (have_device)
    device_close(&device);
  return 0;
}

/* Run kernel `name`, which fills n rows of out from a and b. */
static void launch(const char *name, size_t n)
{
  if (!have_device)
    skip();
  assert_true(n <= FUNCTIONS);
  u32 *memory = arena_alloc(device.arena, sizeof out + sizeof a + sizeof b);
  u32 *ga = memory + FUNCTIONS * N, *gb = ga + N;
  memcpy(ga, a, sizeof a);
  memcpy(gb, b, sizeof b);
  const struct { void *out, *a, *b; int n; } args = {memory, ga, gb, N};
  struct dispatch d;
  assert_int_equal(device_prepare(&device, &d, name, GROUPS, THREADS, &args,
                                  sizeof args), 0);
  struct fault fault;
  if (dispatch_run(&d, 1, NULL, &fault))
    fail_msg("%s", fault.text);
  memcpy(out, memory, n * sizeof *out);
  device_finish(&d);
  arena_free(device.arena, memory);
}

static u32 random_bits(struct rng *r)
{
  static const u32 edges[] = { 0, 1, 0x80000000, 0x7fffffff, 0xffffffff,
                               0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000,
                               0x00800000, 0x007fffff, 0x7f7fffff, 0x477fe000,
                               0x33000000, 0x4effffff, 0x00003c00, 0x00007c00 };
  switch (rng_below(r, 4)) {
  case 0: return edges[rng_below(r, sizeof edges / sizeof *edges)];
  case 1: return 0x3f000000 + (u32)rng_below(r, 0x02000000);
  default: return (u32)rng_next(r);
  }
}

/* Of a signalling NaN C promises nothing: set the quiet bits of f32 and f64. */
static u32 quiet(u32 x)
{
  return (x & 0x7fffffff) > 0x7f800000 ? x | 0x480000 : x;
}

static void random_inputs(uint64_t seed)
{
  struct rng r;
  rng_seed(&r, seed);
  for (int n = 0; n < N; n++) {
    a[n] = quiet(random_bits(&r));
    b[n] = quiet(random_bits(&r));
  }
}

static int is_nan_of_any_kind(u32 x)
{
  return as_float(x) != as_float(x) ||
         ((x & 0x7c00) == 0x7c00 && x & 0x3ff && x < 0x10000);
}

static void compare(const struct function *f, size_t n)
{
  for (size_t k = 0; k < n; k++)
    for (int i = 0; i < N; i++) {
      const u32 want = f[k].f(a[i], b[i]);
      if (out[k][i] != want &&
          !(is_nan_of_any_kind(want) && is_nan_of_any_kind(out[k][i])))
        fail_msg("%s(%#x, %#x) is %#x, expected %#x", f[k].name, a[i], b[i],
                 out[k][i], want);
    }
}

static void integer(void **state)
{
  (void)state;
  random_inputs(1);
  launch("integer", sizeof integers / sizeof *integers);
  compare(integers, sizeof integers / sizeof *integers);
}

static void floating(void **state)
{
  (void)state;
  random_inputs(2);
  launch("floating", sizeof floats / sizeof *floats);
  compare(floats, sizeof floats / sizeof *floats);
}

static void half(void **state)
{
  (void)state;
  const size_t n = sizeof halves / sizeof *halves - 1;
  random_inputs(3);
  launch("halves", n);
  compare(halves, n);
}

static void library(void **state)
{
  (void)state;
  for (int n = 0; n < N; n++)
    a[n] = 0x3f800000 + (u32)n * (0x00800000 / N);
  launch("near", sizeof nears / sizeof *nears);
  for (size_t k = 0; k < sizeof nears / sizeof *nears; k++)
    for (int i = 0; i < N; i++) {
      const float want = as_float(nears[k].f(a[i], 0));
      const float got = as_float(out[k][i]);
      if (!(fabsf(got - want) <= fabsf(want) * 8 * 0x1p-23f + 1e-7f))
        fail_msg("%s(%a) is %a, expected %a", nears[k].name, as_float(a[i]),
                 got, want);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(integer),
    cmocka_unit_test(floating),
    cmocka_unit_test(half),
    cmocka_unit_test(library),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
