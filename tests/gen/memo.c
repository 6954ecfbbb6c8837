/* memo.c - counts are found again, and a full memo forgets nothing. */
// SPDX-License-Identifier: MIT
#include "gen/memo.h"

#include "tests/gen/help.h"

static struct memo_state state(uint64_t low)
{
  return (struct memo_state){.low = low};
}

static void test_finds_what_was_put(void **unused)
{
  (void)unused;
  struct memo m = {0};
  uint64_t n;
  assert_false(memo_get(&m, state(7), &n));
  for (uint64_t i = 0; i < 1000; i++)
    memo_put(&m, state(i * i << 20), i);
  for (uint64_t i = 0; i < 1000; i++) {
    assert_true(memo_get(&m, state(i * i << 20), &n));
    assert_int_equal(n, i);
  }
  assert_false(memo_get(&m, state(2), &n));
  assert_false(memo_get(&m, (struct memo_state){1 << 20, 1}, &n));
  memo_free(&m);
  assert_false(memo_get(&m, state(0), &n));
}

static void test_full(void **unused)
{
  (void)unused;
  struct memo m = {0};
  uint64_t n;
  for (uint64_t i = 0; i < MEMO_MOST; i++)
    memo_put(&m, state(~i), 0);
  assert_true(memo_full(&m));
  memo_put(&m, state(3), 3);
  assert_false(memo_get(&m, state(3), &n));
  for (uint64_t i = 0; i < MEMO_MOST; i++)
    assert_true(memo_get(&m, state(~i), &n) && n == 0);
  memo_free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_finds_what_was_put),
      cmocka_unit_test(test_full),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
