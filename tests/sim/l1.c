/* l1.c - what the L1 of a compute unit holds, and who waits for whom. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/timing/l1.h"

/* 64 sets of 4 lines, which 5 bits of the line and one folded one choose. */
static const struct card CARD = {
  .l1 = 16384, .line = 64, .l1_ways = 4, .l1_plain = 32};

/* Data come 500 cycles after a miss. 1: a hit. */
static int touch(struct l1 *l, uint64_t line, uint16_t group, double t)
{
  int hit;
  struct cache_line *at = l1_touch(l, line, group, t, &hit);
  if (!hit)
    at->ready = t + 500;
  return hit;
}

/* Of rows of lines a large power of two apart it holds 8, in two sets. */
static void rows_share_two_sets(void **state)
{
  (void)state;
  for (uint64_t apart = 64; apart <= 4096; apart *= 2) {
    struct l1 l;
    l1_init(&l, &CARD, 1);
    for (int again = 0; again < 2; again++)
      for (uint64_t n = 0; n < 8; n++)
        assert_int_equal(touch(&l, n * apart, 0, 1000 * again), again);
    for (uint64_t n = 8; n < 64; n++)
      assert_int_equal(touch(&l, n * apart, 0, 2000), 0);
    for (uint64_t n = 0; n < 64; n++)
      assert_int_equal(touch(&l, n * apart, 0, 4000), 0);
    l1_free(&l);
  }
}

/* What is there serves all; what is under way, the group that asked. */
static void others_ask_for_what_is_under_way(void **state)
{
  (void)state;
  struct l1 l;
  l1_init(&l, &CARD, 1);
  assert_int_equal(touch(&l, 7, 1, 0), 0);
  assert_int_equal(touch(&l, 7, 1, 100), 1);
  assert_int_equal(touch(&l, 7, 2, 100), 0);
  assert_int_equal(touch(&l, 7, 2, 110), 1); /* and waits for its own */
  assert_int_equal(touch(&l, 7, 1, 120), 1);
  assert_int_equal(touch(&l, 7, 3, 500), 1); /* group 1's data came */
  l1_free(&l);
}

/* A line that its set lost before its data came: its group waits for them. */
static void what_was_lost_still_comes(void **state)
{
  (void)state;
  struct l1 l;
  int hit;
  l1_init(&l, &CARD, 1);
  for (uint64_t n = 0; n < 16; n++)
    assert_int_equal(touch(&l, n * 256, 1, 0), 0);
  assert_true(l1_touch(&l, 0, 1, 100, &hit)->ready == 500);
  assert_int_equal(hit, 1);
  assert_int_equal(touch(&l, 256, 2, 100), 0);
  assert_int_equal(touch(&l, 512, 1, 501), 0); /* they came and went */
  l1_free(&l);
}

/* A quarter of it holds 64 blocks. */
static void a_sample_fills_its_part(void **state)
{
  (void)state;
  struct l1 l;
  l1_init(&l, &CARD, 4);
  for (int again = 0; again < 2; again++)
    for (uint64_t block = 0; block < 64; block++)
      assert_int_equal(touch(&l, block, 0, 1000 * again), again);
  assert_int_equal(touch(&l, 64, 0, 2000), 0);
  l1_free(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_share_two_sets),
      cmocka_unit_test(others_ask_for_what_is_under_way),
      cmocka_unit_test(what_was_lost_still_comes),
      cmocka_unit_test(a_sample_fills_its_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
