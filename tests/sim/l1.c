/* l1.c - what the L1 of a compute unit holds, and for whom. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/timing/l1.h"

/* 64 sets of 4 lines. */
static const struct card CARD = {.l1 = 16384, .line = 64, .l1_ways = 4};

static int touch(struct cache *l1, uint64_t line, uint16_t group)
{
  int hit;
  cache_touch_own(l1, line, group, &hit);
  return hit;
}

/* 256 lines, a power of two apart, fill all sets: the eight bits in which they
 * differ go to the set's six in turn, so that each set has four of them. */
static void rows_a_power_of_two_apart_fit(void **state)
{
  (void)state;
  for (uint64_t apart = 1; apart <= 4096; apart *= 2) {
    struct cache l1;
    l1_init(&l1, &CARD, 1);
    for (int again = 0; again < 2; again++)
      for (uint64_t n = 0; n < 256; n++)
        assert_int_equal(touch(&l1, n * apart, 0), again);
    cache_free(&l1);
  }
}

static void a_group_finds_its_own_lines(void **state)
{
  (void)state;
  struct cache l1;
  l1_init(&l1, &CARD, 1);
  assert_int_equal(touch(&l1, 7, 1), 0);
  assert_int_equal(touch(&l1, 7, 2), 0); /* though it is there for group 1 */
  assert_int_equal(touch(&l1, 7, 1), 1);
  assert_int_equal(touch(&l1, 7, 2), 1);
  assert_int_equal(touch(&l1, 7, 3), 0);
  assert_int_equal(touch(&l1, 7, 4), 0);
  assert_int_equal(touch(&l1, 7, 5), 0); /* the set has four: 1's goes */
  assert_int_equal(touch(&l1, 7, 2), 1);
  assert_int_equal(touch(&l1, 7, 1), 0);
  cache_free(&l1);
}

/* A quarter of it holds 64 blocks. */
static void a_sample_fills_its_part(void **state)
{
  (void)state;
  struct cache l1;
  l1_init(&l1, &CARD, 4);
  for (int again = 0; again < 2; again++)
    for (uint64_t block = 0; block < 64; block++)
      assert_int_equal(touch(&l1, block * 64, 0), again);
  assert_int_equal(touch(&l1, 64 * 64, 0), 0);
  cache_free(&l1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_a_power_of_two_apart_fit),
      cmocka_unit_test(a_group_finds_its_own_lines),
      cmocka_unit_test(a_sample_fills_its_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
