/* cache.c - hits, misses and replacement of the cache model. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/cache.h"

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
  cache_init(&c, 256, 64, 2);
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
  cache_init(&c, 16384, 64, 4);
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

static void a_line_keeps_its_time(void **state)
{
  (void)state;
  struct cache c;
  int hit;
  cache_init(&c, 256, 64, 2);
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
      cmocka_unit_test(a_line_keeps_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
