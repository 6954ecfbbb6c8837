/* residual.c - what is left of a rule on a sum, counted by hand. */
// SPDX-License-Identifier: MIT
#include "gen/residual.h"

#include "tests/gen/help.h"

enum {N = 3, VALUES = 3, ALL = VALUES * VALUES * VALUES};

/* Excluded: the three values, 0 to 2 each, add up to more than 3. */
static const struct table sum = {
  .n = N, .reads = {0, 1, 2}, .stride = {9, 3, 1}, .combinations = ALL,
  .bits = (uint64_t[]){1 << 8 | 1 << 14 | 1 << 16 | 1 << 17 | 1 << 20 |
                       1 << 22 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 26},
};

static const size_t values[N] = {VALUES, VALUES, VALUES};

static uint32_t class_of(const struct residual *r, uint8_t a, uint8_t b, uint8_t c)
{
  return residual_class(r, &(struct config){.at = {a, b, c}});
}

static void test_values_alike_are_one_class(void **state)
{
  (void)state;
  struct residual r[N] = {0};
  residual_open(r, &sum, (uint8_t[]){0, 1, 2}, values);
  assert_int_equal(r[1].classes, RESIDUAL_OWN + 3); /* each value asks otherwise */
  assert_int_equal(r[2].classes, RESIDUAL_OWN + 2); /* sums of 2 and of 3 */
  assert_int_equal(class_of(&r[2], 0, 1, 0), RESIDUAL_ALL);
  assert_int_equal(class_of(&r[2], 2, 2, 0), RESIDUAL_NONE);
  assert_int_equal(class_of(&r[2], 1, 1, 0), class_of(&r[2], 2, 0, 0));
  assert_int_not_equal(class_of(&r[2], 1, 1, 0), class_of(&r[2], 1, 2, 0));
  for (size_t i = 0; i < N; i++)
    residual_close(&r[i]);
}

/* The walk assigns the last tunable first. */
static void test_order_is_the_walks(void **state)
{
  (void)state;
  struct residual r[N] = {0};
  residual_open(r, &sum, (uint8_t[]){2, 1, 0}, values);
  assert_int_equal(class_of(&r[1], 2, 2, 0), class_of(&r[1], 0, 0, 0));
  assert_int_not_equal(class_of(&r[1], 0, 0, 1), class_of(&r[1], 0, 0, 0));
  assert_int_equal(class_of(&r[2], 0, 2, 2), RESIDUAL_NONE);
  assert_int_equal(class_of(&r[2], 2, 0, 1), RESIDUAL_ALL);
  for (size_t i = 0; i < N; i++)
    residual_close(&r[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_alike_are_one_class),
      cmocka_unit_test(test_order_is_the_walks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
