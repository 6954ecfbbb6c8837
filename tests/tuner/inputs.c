/* inputs.c - the types of elements, by their definitions. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/reference/inputs.h"

static uint16_t stored_f16(double value)
{
  uint16_t bits;
  element_ops(ELEMENT_F16)->store(&bits, value);
  return bits;
}

static double loaded_f16(uint16_t bits)
{
  return element_ops(ELEMENT_F16)->load(&bits);
}

/* IEEE 754-2019, 3.4: sign, 5 bits of exponent with bias 15, 10 bits. */
static void f16_is_binary16(void **state)
{
  (void)state;
  static const struct {
    double value;
    uint16_t bits;
  } table[] = {
    {1, 0x3c00},        {-2, 0xc000},      {65504, 0x7bff},
    {0x1p-14, 0x0400},  {0x1p-24, 0x0001}, {0x3ffp-24, 0x03ff},
    {0.1, 0x2e66},      {-0.0, 0x8000},    {1.0 / 3, 0x3555},
    {65519.99, 0x7bff}, {65520, 0x7c00},   {-INFINITY, 0xfc00},
    {2049, 0x6800},     {2051, 0x6802},    {0x1p-25, 0x0000},
    {0x3p-25, 0x0002},  {0x1.8p-25, 0x0001},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    assert_int_equal(stored_f16(table[i].value), table[i].bits);
  assert_true(isnan(loaded_f16(0xffff)) && isnan(loaded_f16(0x7e00)));
  assert_true(isnan(loaded_f16(stored_f16(NAN))));
}

/* Every number comes back; what lies half-way goes to the even one. */
static void f16_rounds_to_nearest(void **state)
{
  (void)state;
  for (unsigned bits = 0; bits < 0x7c00; bits++) {
    double value = loaded_f16((uint16_t)bits);
    assert_int_equal(stored_f16(value), bits);
    if (bits == 0x7bff)
      break;
    double next = loaded_f16((uint16_t)(bits + 1)), half = (value + next) / 2;
    assert_true(value < next);
    assert_int_equal(stored_f16(half), bits + (bits & 1));
    assert_int_equal(stored_f16(nextafter(half, 0)), bits);
    assert_int_equal(stored_f16(-nextafter(half, next)), 0x8001 + bits);
  }
}

/* The upper half of a binary32, rounded to nearest, ties to even. */
static void bf16_is_half_of_f32(void **state)
{
  (void)state;
  const struct element_ops *bf16 = element_ops(ELEMENT_BF16);
  for (unsigned bits = 0; bits < 0x7f80; bits++) {
    uint32_t wide = bits << 16;
    uint16_t stored = (uint16_t)bits;
    float value, half;
    memcpy(&value, &wide, sizeof value);
    assert_true(bf16->load(&stored) == (double)value);
    bf16->store(&stored, -(double)value);
    assert_int_equal(stored, 0x8000 | bits);
    wide |= 0x8000; /* half-way to the next */
    memcpy(&half, &wide, sizeof half);
    bf16->store(&stored, (double)half);
    assert_int_equal(stored, bits + (bits & 1));
  }
  uint16_t largest = 0x7f7f;
  assert_true(bf16->load(&largest) == bf16->max);
}

/* Numbers that the OCP 8-bit Floating Point Specification and the paper about those
 * with one zero (Noune et al., 2022) list: the least, the largest subnormal, the
 * least normal and the largest one; 1; and what is none. */
static const struct {
  enum element type;
  struct {
    uint8_t bits;
    double value;
  } list[5];
  uint8_t nan, infinity; /* 0: it has none */
} floats[] = {
    {ELEMENT_FP8, {{0x01, 0x1p-9}, {0x07, 0x1.cp-7}, {0x08, 0x1p-6}, {0x7e, 448},
                   {0x38, 1}}, 0x7f, 0},
    {ELEMENT_BF8, {{0x01, 0x1p-16}, {0x03, 0x1.8p-15}, {0x04, 0x1p-14},
                   {0x7b, 57344}, {0x3c, 1}}, 0x7d, 0x7c},
    {ELEMENT_FP8_FNUZ, {{0x01, 0x1p-10}, {0x07, 0x1.cp-8}, {0x08, 0x1p-7},
                        {0x7f, 240}, {0x40, 1}}, 0x80, 0},
    {ELEMENT_BF8_FNUZ, {{0x01, 0x1p-17}, {0x03, 0x1.8p-16}, {0x04, 0x1p-15},
                        {0x7f, 57344}, {0x40, 1}}, 0x80, 0},
};

static void eight_bits_are_floats(void **state)
{
  (void)state;
  for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
    const struct element_ops *ops = element_ops(floats[f].type);
    uint8_t bits;
    for (int k = 0; k < 5; k++) {
      bits = floats[f].list[k].bits;
      assert_true(ops->load(&bits) == floats[f].list[k].value);
      bits |= 0x80;
      assert_true(ops->load(&bits) == -floats[f].list[k].value);
    }
    assert_true(floats[f].list[2].value == ops->tiny);
    assert_true(floats[f].list[3].value == ops->max);
    assert_true(isnan(ops->load(&floats[f].nan)));
    ops->store(&bits, INFINITY);
    assert_int_equal(isinf(ops->load(&bits)), floats[f].infinity != 0);
    ops->store(&bits, -0x1p-30);
    assert_true(ops->load(&bits) == 0);
  }
}

/* Every number comes back; what lies half-way goes to the even one. */
static void eight_bits_round_to_nearest(void **state)
{
  (void)state;
  for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
    const struct element_ops *ops = element_ops(floats[f].type);
    for (unsigned n = 0; n < floats[f].list[3].bits; n++) {
      uint8_t low = (uint8_t)n, high = (uint8_t)(n + 1), got;
      double value = ops->load(&low), half = (value + ops->load(&high)) / 2;
      assert_true(value < half);
      ops->store(&got, value);
      assert_int_equal(got, low);
      ops->store(&got, half);
      assert_int_equal(got, n + (n & 1));
      ops->store(&got, nextafter(half, 0));
      assert_int_equal(got, low);
      ops->store(&got, -nextafter(half, 1e9));
      assert_int_equal(got, 0x80 | high);
    }
  }
}

static void integers_are_uniform(void **state)
{
  (void)state;
  struct buffer b = {.type = ELEMENT_I8, .elements = 80000, .low = -3,
                     .high = 5};
  int8_t *values = malloc(b.elements);
  int counts[8] = {0};
  input_fill(1, 0, &b, 0, b.elements, values);
  for (size_t i = 0; i < b.elements; i++) {
    assert_true(values[i] >= -3 && values[i] < 5);
    assert_true(input_value(1, 0, &b, i) == values[i]);
    counts[values[i] + 3]++;
  }
  /* 10000 each, standard deviation 94 */
  for (int i = 0; i < 8; i++)
    assert_in_range(counts[i], 9500, 10500);
  free(values);
}

/* A word of random bits is a number from all that there are. */
static void words_have_random_bits(void **state)
{
  (void)state;
  struct buffer b = {.type = ELEMENT_I32, .elements = 10000,
                     .low = -0x1p31, .high = 0x1p31};
  int set[32] = {0};
  for (size_t i = 0; i < b.elements; i++) {
    int32_t word;
    input_fill(1, 0, &b, i, 1, &word);
    assert_true(input_value(1, 0, &b, i) == word);
    for (int bit = 0; bit < 32; bit++)
      set[bit] += (uint32_t)word >> bit & 1;
  }
  for (int bit = 0; bit < 32; bit++) /* 5000, standard deviation 50 */
    assert_in_range(set[bit], 4700, 5300);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f16_is_binary16),
      cmocka_unit_test(f16_rounds_to_nearest),
      cmocka_unit_test(bf16_is_half_of_f32),
      cmocka_unit_test(eight_bits_are_floats),
      cmocka_unit_test(eight_bits_round_to_nearest),
      cmocka_unit_test(integers_are_uniform),
      cmocka_unit_test(words_have_random_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
