/* channel_camping.c - which loads ask many lines of few channels. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtimes/sim/timing/channel_camping.h"

enum {CHANNELS = 16};

/* n blocks, `step` apart, each named twice. */
static int narrow(unsigned n, uint64_t step)
{
  struct camping s = {0};
  for (unsigned i = 0; i < 2 * n; i++)
    camping_add(&s, 1000 + i / 2 * step, CHANNELS);
  return camping_found(&s, CHANNELS);
}

static void neighbours_are_not(void **state)
{
  (void)state;
  for (unsigned n = 0; n <= 64; n++)
    assert_false(narrow(n, 1));
}

static void rows_of_one_channel_are(void **state)
{
  (void)state;
  assert_false(narrow(1, CHANNELS));
  assert_true(narrow(2, CHANNELS));
  assert_true(narrow(64, 4 * CHANNELS));
  assert_true(narrow(4, CHANNELS / 2));  /* two channels, four blocks */
  assert_false(narrow(3, CHANNELS / 2)); /* three */
}

/* Every other block is half of the channels, odd steps are all. */
static void strides(void **state)
{
  (void)state;
  assert_true(narrow(64, 2));
  assert_false(narrow(64, 3));
  assert_false(narrow(64, CHANNELS + 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_are_not),
      cmocka_unit_test(rows_of_one_channel_are),
      cmocka_unit_test(strides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
