/* steady.c - when a measurement is repeated because the card throttled. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/steady.h"

/* How often it is measured where every try throttles so. */
static int tries(struct steady *s, int throttle, double left)
{
  int n = 1;
  steady_begin(s);
  while (steady_again(s, throttle, 0.1, left))
    n++;
  return n;
}

static void a_steady_card_is_measured_once(void **state)
{
  (void)state;
  struct steady s = {0};
  assert_int_equal(tries(&s, 0, 100), 1);
  assert_int_equal(tries(&s, -1, 100), 1); /* not known: nothing is claimed */
}

static void repeats_are_bounded(void **state)
{
  (void)state;
  struct steady s = {0};
  assert_int_equal(tries(&s, 1, 100), 1 + STEADY_TRIES);
  steady_begin(&s);
  assert_true(steady_again(&s, 4, 0.1, 100));
  assert_false(steady_again(&s, 0, 0.1, 100)); /* it helped */
}

static void there_must_be_time(void **state)
{
  (void)state;
  struct steady s = {0};
  assert_int_equal(tries(&s, 1, 0.1 + STEADY_REST - 0.01), 1);
  assert_int_equal(tries(&s, 1, -5), 1);
}

static void a_stubborn_card_is_left_alone(void **state)
{
  (void)state;
  struct steady s = {0};
  for (int i = 0; i < STEADY_STUBBORN; i++)
    assert_int_equal(tries(&s, 2, 100), 1 + STEADY_TRIES);
  for (int i = 0; i < 10; i++)
    assert_int_equal(tries(&s, 2, 100), 1);
  assert_int_equal(tries(&s, 0, 100), 1); /* it is well again */
  assert_int_equal(tries(&s, 2, 100), 1 + STEADY_TRIES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_steady_card_is_measured_once),
      cmocka_unit_test(repeats_are_bounded),
      cmocka_unit_test(there_must_be_time),
      cmocka_unit_test(a_stubborn_card_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
