/* surprise.c - what results say beyond what was expected of them, by its definition. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/search/surprise.h"

/* Above what was expected, 0.1 is the scale of a logarithm; slow is 0.3 above the best. */
static double mild(double above)
{
  return 0.1 * log(1 + above / 0.1);
}

/* Times e^0, e^0.1 and e^0.2, of which nothing was known: the level is 0.1. */
static void nothing_was_known(void **state)
{
  (void)state;
  struct result r[] = {{.cost = 7}, {.cost = 7 * exp(0.1)}, {.cost = 7 * exp(0.2)}};
  const double leanings[] = {0, 0, 0};
  assert_float_equal(surprise_take(r, leanings, 3), 0.1, 1e-9);
  assert_float_equal(r[0].y, -0.1, 1e-9);
  assert_float_equal(r[1].y, 0, 1e-9);
  assert_float_equal(r[2].y, mild(0.1), 1e-9);
}

/* A level is no surprise: leanings are times but for a factor. */
static void all_as_expected(void **state)
{
  (void)state;
  struct result r[] = {{.cost = 1}, {.cost = exp(0.25)}};
  const double leanings[] = {5, 5.25};
  assert_float_equal(surprise_take(r, leanings, 2), -5, 1e-9);
  assert_float_equal(r[0].y, 0, 1e-9);
  assert_float_equal(r[1].y, 0, 1e-9);
}

/* The level is that of the first. Slow results count as being slow by 0.3, not by 2, and
 * not at all where as much was expected; a failure is slow. */
static void slow_ones(void **state)
{
  (void)state;
  struct result r[] = {{.cost = 1}, {.cost = exp(2)}, {.cost = exp(2)},
                       {.cost = exp(2)}, {.cost = INFINITY}};
  const double leanings[] = {0, 0.1, 0.3, 3, -0.2};
  assert_float_equal(surprise_take(r, leanings, 5), 0, 1e-9);
  assert_float_equal(r[1].y, mild(0.2), 1e-9);
  assert_float_equal(r[2].y, 0, 1e-9);
  assert_float_equal(r[3].y, -1, 1e-9); /* e^2, where e^3 was expected */
  assert_float_equal(r[4].y, mild(0.5), 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_was_known),
      cmocka_unit_test(all_as_expected),
      cmocka_unit_test(slow_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
