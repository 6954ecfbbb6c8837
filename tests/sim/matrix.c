/* matrix.c - the matrix cores, by kernels that the real compiler made.
 *
 * The kernels put A and B where AMD's documents say that a lane has them, and
 * read D as documented; products of small integers are exact in every format. Sums
 * that round are checked by what MMA-Sim says of them.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtimes/sim/run/matrix.h"
#include "tests/sim/launch.h"

/* Each lane l has k = 4 (l / 16) .. + 3 of row or column l % 16, and of D the
 * rows 4 (l / 16) .. + 3 of column l % 16; with 32 rows: k = 4 (l / 32) .. + 3,
 * and rows 8 (r / 4) + 4 (l / 32) + r % 4. */
static const char text[] =
    "typedef _Float16 half4 __attribute__((ext_vector_type(4)));\n"
    "typedef float float4_ __attribute__((ext_vector_type(4)));\n"
    "typedef float float16_ __attribute__((ext_vector_type(16)));\n"
    "typedef int int4_ __attribute__((ext_vector_type(4)));\n"
    "extern \"C\" __global__ void f16x16(float *d, const float *a,\n"
    "                                    const float *b)\n"
    "{\n"
    "  int l = threadIdx.x;\n"
    "  half4 x, y;\n"
    "  for (int n = 0; n < 4; n++) {\n"
    "    x[n] = a[l % 16 * 16 + l / 16 * 4 + n];\n"
    "    y[n] = b[(l / 16 * 4 + n) * 16 + l % 16];\n"
    "  }\n"
    "  float4_ c;\n"
    "  for (int r = 0; r < 4; r++)\n"
    "    c[r] = d[(l / 16 * 4 + r) * 16 + l % 16];\n"
    "  c = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, c, 0, 0, 0);\n"
    "  for (int r = 0; r < 4; r++)\n"
    "    d[(l / 16 * 4 + r) * 16 + l % 16] = c[r];\n"
    "}\n"
    "extern \"C\" __global__ void f16x32(float *d, const float *a,\n"
    "                                    const float *b)\n"
    "{\n"
    "  int l = threadIdx.x;\n"
    "  half4 x, y;\n"
    "  for (int n = 0; n < 4; n++) {\n"
    "    x[n] = a[l % 32 * 8 + l / 32 * 4 + n];\n"
    "    y[n] = b[(l / 32 * 4 + n) * 32 + l % 32];\n"
    "  }\n"
    "  float16_ c = {};\n"
    "  c = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, c, 0, 0, 0);\n"
    "  for (int r = 0; r < 16; r++)\n"
    "    d[(r / 4 * 8 + l / 32 * 4 + r % 4) * 32 + l % 32] = c[r];\n"
    "}\n"
    "extern \"C\" __global__ void i8x16(float *d, const float *a,\n"
    "                                   const float *b)\n"
    "{\n"
    "  int l = threadIdx.x, x = 0, y = 0;\n"
    "  for (int n = 0; n < 4; n++) {\n"
    "    x |= ((int)a[l % 16 * 16 + l / 16 * 4 + n] & 255) << 8 * n;\n"
    "    y |= ((int)b[(l / 16 * 4 + n) * 16 + l % 16] & 255) << 8 * n;\n"
    "  }\n"
    "  int4_ c = {};\n"
    "  c = __builtin_amdgcn_mfma_i32_16x16x16i8(x, y, c, 0, 0, 0);\n"
    "  for (int r = 0; r < 4; r++)\n"
    "    d[(l / 16 * 4 + r) * 16 + l % 16] = c[r];\n"
    "}\n";

enum {MOST = 32 * 32};

struct product {
  float a[MOST], b[MOST], d[MOST];
};

static void run(const struct device *dev, const char *kernel,
                struct product *p)
{
  struct product *there = arena_alloc(dev->arena, sizeof *there);
  float *args[3] = {there->d, there->a, there->b};
  struct dispatch d;
  struct fault fault = {0};
  *there = *p;
  assert_int_equal(device_prepare(dev, &d, kernel, 1, 64, args, sizeof args),
                   0);
  if (dispatch_run(&d, 1, NULL, &fault))
    fail_msg("%s", fault.text);
  *p = *there;
  device_finish(&d);
  arena_free(dev->arena, there);
}

static int open_for(struct device *dev, const char *arch)
{
  struct rtc r;
  return rtc_open(&r) || device_open_for(dev, &r, isa_find(arch), text);
}

static void product_of(const struct device *dev, const char *kernel,
                       unsigned m, unsigned k)
{
  struct product p = {{0}, {0}, {0}};
  for (unsigned n = 0; n < m * k; n++) {
    p.a[n] = (float)((int)(n * 7 % 23) - 11);
    p.b[n] = (float)((int)(n * 5 % 19) - 9);
  }
  run(dev, kernel, &p);
  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j < m; j++) {
      float want = 0;
      for (unsigned n = 0; n < k; n++)
        want += p.a[i * k + n] * p.b[n * m + j];
      if (p.d[i * m + j] < want || p.d[i * m + j] > want)
        fail_msg("%s: row %u, column %u: %g, not %g", kernel, i, j,
                 (double)p.d[i * m + j], (double)want);
    }
}

static void test_products(void **state)
{
  struct device dev;
  if (open_for(&dev, *state))
    skip();
  product_of(&dev, "f16x16", 16, 16);
  product_of(&dev, "f16x32", 32, 8);
  product_of(&dev, "i8x16", 16, 16);
  device_close(&dev);
}

/* A product of a subnormal half and 1, with C = 0: of 2^-15 gfx908 makes 2^-15, gfx90a 0 (AMD: MIOpen, MI200 alternate
 * implementation). */
static void test_subnormals(void **state)
{
  struct device dev;
  const char *arch = *state;
  struct product p = {{0}, {0}, {0}};
  if (open_for(&dev, arch))
    skip();
  p.a[0] = 0x1p-15f;
  p.b[0] = 1;
  run(&dev, "f16x16", &p);
  float want = strcmp(arch, "gfx90a") ? 0x1p-15f : 0;
  assert_true(!(p.d[0] < want) && !(p.d[0] > want));
  device_close(&dev);
}

/* Four products are added by twos before they meet C: 2^24 + (1 + 1) keeps what
 * 2^24 + 1 + 1 would lose, one by one. */
static void test_order(void **state)
{
  struct device dev;
  struct product p = {{0}, {0}, {0}};
  if (open_for(&dev, *state))
    skip();
  p.d[0] = 0x1p24f;
  for (unsigned k = 0; k < 2; k++)
    p.a[k] = p.b[k * 16] = 1;
  run(&dev, "f16x16", &p);
  assert_true(p.d[0] >= 0x1p24f + 2 && p.d[0] <= 0x1p24f + 2);
  device_close(&dev);
}

/* Of AMD's calculator: v_mfma_f32_4x4x4f16 with --cbsz 2 --abid 1 takes A's
 * block 1 for blocks 0 to 3, 5 for 4 to 7; --blgp 3 turns B by 16 lanes. */
static void test_modifiers(void **state)
{
  (void)state;
  assert_int_equal(matrix_block(0, 2, 1), 1);
  assert_int_equal(matrix_block(3, 2, 1), 1);
  assert_int_equal(matrix_block(6, 2, 1), 5);
  assert_int_equal(matrix_block(9, 0, 0), 9);
  assert_int_equal(matrix_lane(0, 3), 16);
  assert_int_equal(matrix_lane(63, 3), 15);
  assert_int_equal(matrix_lane(40, 1), 8);
  assert_int_equal(matrix_lane(40, 2), 40);
  assert_int_equal(matrix_lane(40, 6), 40);
}

/* Every element of D has a place of its own. */
static void test_places(void **state)
{
  (void)state;
  static const struct matrix all[] = {
      {32, 32, 1, 2, {MATRIX_F32, MATRIX_F32}, 0}, {16, 16, 1, 4, {MATRIX_F32, MATRIX_F32}, 0},
      {4, 4, 1, 16, {MATRIX_F32, MATRIX_F32}, 0},  {32, 32, 2, 1, {MATRIX_F32, MATRIX_F32}, 0},
      {16, 16, 4, 1, {MATRIX_F64, MATRIX_F64}, 0}, {4, 4, 4, 4, {MATRIX_F64, MATRIX_F64}, 0},
  };
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
    const struct matrix *x = &all[n];
    uint8_t seen[32][64] = {{0}};
    for (unsigned b = 0; b < x->blocks; b++)
      for (unsigned i = 0; i < x->m; i++)
        for (unsigned j = 0; j < x->n; j++) {
          struct place p = matrix_output(x, b, i, j);
          assert_true(p.lane < 64 && p.bit / 32 < 32);
          assert_int_equal(seen[p.bit / 32][p.lane]++, 0);
        }
  }
}

int main(void)
{
#define ON(test, arch) \
  {#test ", " arch, test, NULL, NULL, (void *)(uintptr_t)arch}
  const struct CMUnitTest tests[] = {
      ON(test_products, "gfx908"),  ON(test_products, "gfx90a"),
      ON(test_subnormals, "gfx908"), ON(test_subnormals, "gfx90a"),
      ON(test_order, "gfx908"),     ON(test_order, "gfx90a"),
      cmocka_unit_test(test_modifiers), cmocka_unit_test(test_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
