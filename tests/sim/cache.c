/* cache.c - hits, misses and replacement of the cache model. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/timing/cache.h"

static int touch(struct cache *c, uint64_t line)
{
  int hit;
  cache_touch(c, line, &hit);
  return hit;
}

/* 2 sets of 2 ways: the least recently used of a set goes first. */
static void replaces_the_least_recent(void **state)
{
  (void)state;
  struct cache c;
  cache_init(&c, CACHE_LRU, 256, 64, 2);
  assert_int_equal(touch(&c, 0), 0);
  assert_int_equal(touch(&c, 2), 0);
  assert_int_equal(touch(&c, 0), 1);
  assert_int_equal(touch(&c, 4), 0); /* 2 goes */
  assert_int_equal(touch(&c, 0), 1);
  assert_int_equal(touch(&c, 2), 0);
  assert_int_equal(touch(&c, 1), 0); /* the other set is untouched */
  assert_int_equal(touch(&c, 0), 1);
  cache_free(&c);
}

static void holds_what_fits(void **state)
{
  (void)state;
  struct cache c;
  cache_init(&c, CACHE_LRU, 16384, 64, 4);
  for (uint64_t i = 0; i < 256; i++)
    assert_int_equal(touch(&c, i), 0);
  for (uint64_t i = 0; i < 256; i++)
    assert_int_equal(touch(&c, i), 1);
  for (uint64_t i = 256; i < 512; i++) /* a stream evicts everything */
    assert_int_equal(touch(&c, i), 0);
  for (uint64_t i = 0; i < 256; i++)
    assert_int_equal(touch(&c, i), 0);
  cache_free(&c);
}

/* A loop over 32 lines in a set of 16: least recently used hits none of them,
 * chance some. With a share m of misses, a line sees 31 m replacements until it
 * is wanted again and outlives each by 15/16: 1 - m = (15/16)^(31 m), which
 * holds at m = 0.797. */
static void replaces_by_chance(void **state)
{
  (void)state;
  struct cache c;
  int hits = 0;
  cache_init(&c, CACHE_RANDOM, 16 * 64, 64, 16);
  for (uint64_t i = 0; i < 16; i++)
    assert_int_equal(touch(&c, i), 0);
  for (uint64_t i = 0; i < 16; i++) /* what fits stays */
    assert_int_equal(touch(&c, i), 1);
  for (uint64_t i = 0; i < 32000; i++)
    hits += touch(&c, i % 32);
  assert_in_range(hits, 32000 * 19 / 100, 32000 * 22 / 100);
  cache_free(&c);
}

/* 4096 sets, of which lines 256 apart would have 16, each with all others' low
 * bits. Folded, 4096 such lines fill 64 sets of 16 ways four times over, and
 * 1024 fit. Neighbours keep apart. */
static void folds_addresses(void **state)
{
  (void)state;
  struct cache c;
  cache_init(&c, CACHE_LRU, 4096 * 16 * 64, 64, 16);
  cache_fold(&c, 64);
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < 1024; i++)
      assert_int_equal(touch(&c, 256 * i), again);
  for (uint64_t i = 0; i < 3 * 1024; i++)
    assert_int_equal(touch(&c, 256 * (1024 + i)), 0);
  for (uint64_t i = 0; i < 1024; i++)
    assert_int_equal(touch(&c, 256 * i), 0);
  for (int again = 0; again < 2; again++)
    for (uint64_t i = 0; i < 1024; i++)
      assert_int_equal(touch(&c, 256 * i + 1), again);
  cache_free(&c);
}

/* Three sets of two: every third line shares one. */
static void sets_that_are_no_power_of_two(void **state)
{
  (void)state;
  struct cache c;
  cache_init(&c, CACHE_LRU, 6 * 64, 64, 2);
  for (uint64_t i = 0; i < 6; i++)
    assert_int_equal(touch(&c, i), 0);
  assert_int_equal(touch(&c, 9), 0);
  for (uint64_t i = 1; i < 6; i++)
    assert_int_equal(touch(&c, i), 1);
  assert_int_equal(touch(&c, 0), 0);
  cache_free(&c);
}

static void a_line_keeps_its_time(void **state)
{
  (void)state;
  struct cache c;
  int hit;
  cache_init(&c, CACHE_LRU, 256, 64, 2);
  cache_touch(&c, 7, &hit)->ready = 450;
  cache_touch(&c, 9, &hit);
  assert_true(cache_touch(&c, 7, &hit)->ready == 450);
  assert_int_equal(hit, 1);
  cache_free(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(replaces_the_least_recent),
      cmocka_unit_test(holds_what_fits),
      cmocka_unit_test(replaces_by_chance),
      cmocka_unit_test(folds_addresses),
      cmocka_unit_test(sets_that_are_no_power_of_two),
      cmocka_unit_test(a_line_keeps_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
