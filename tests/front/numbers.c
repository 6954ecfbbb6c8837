/* numbers.c - numbers of rocBLAS's types, by their formats' definitions. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ship/rocblas/number.h"
#include "ship/rocblas/product.h"

/* IEEE 754-2008, binary16; bf16 is the upper half of binary32. */
static void test_halves(void **state)
{
  static const uint16_t f16[] = {0x3c00, 0xc000, 0x7bff, 0x0400, 0x03ff, 0x0001,
                                 0x8001, 0x0000, 0x3555, 0x7c00, 0xfc00};
  static const double want[] = {1, -2, 65504, 0x1p-14, 1023 * 0x1p-24, 0x1p-24,
                                -0x1p-24, 0, 1365 * 0x1p-12, INFINITY,
                                -INFINITY};
  static const uint16_t bf16[] = {0x3f80, 0xc049, 0x7f7f, 0x0001, 0x7f80};
  static const double wide[] = {1, -3.140625, 255 * 0x1p120, 0x1p-133, INFINITY};
  (void)state;
  for (size_t i = 0; i < sizeof f16 / sizeof *f16; i++)
    assert_true(number_at(TYPE_F16, f16, i) == want[i]);
  for (size_t i = 0; i < sizeof bf16 / sizeof *bf16; i++)
    assert_true(number_at(TYPE_BF16, bf16, i) == wide[i]);
  assert_true(isnan(number_at(TYPE_F16, (const uint16_t[]){0x7e00}, 0)));
  assert_true(isnan(number_at(TYPE_BF16, (const uint16_t[]){0xffc0}, 0)));
}

static void test_whole(void **state)
{
  (void)state;
  assert_true(number_at(TYPE_I8, (const int8_t[]){1, -128}, 1) == -128);
  assert_true(number_at(TYPE_I32, (const int32_t[]){INT32_MIN}, 0) == -0x1p31);
  assert_true(number_at(TYPE_F32, (const float[]){0, 0.1f}, 1) == 0.1f);
  assert_int_equal(number_bytes(TYPE_F16), 2);
  assert_int_equal(number_bytes(TYPE_I32), 4);
  assert_int_equal(number_bytes(152), 0); /* f64 */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_halves), cmocka_unit_test(test_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
