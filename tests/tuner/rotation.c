/* rotation.c - each candidate is timed over all copies, and none is still in the
 * cache. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/rotation.h"

enum {ROUNDS = 7 * 8};

/* Timed launches of candidate i over copy j, in `rounds` rounds of n candidates
 * with so many launches before each; *nearest becomes the smallest number of
 * other copies between two uses of one that was timed. */
static void go_round(size_t copies, size_t n, const size_t *leads,
                     size_t seen[][ROTATION_MOST], size_t *nearest)
{
  struct rotation r = {0};
  size_t uses[ROTATION_MOST] = {0}, now = 0;
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < n; i++) {
      rotation_begin(&r, copies, i, leads[i]);
      for (size_t l = 0; l < leads[i]; l++)
        uses[rotation_take(&r, copies)] = ++now;
      size_t copy = rotation_take(&r, copies), others = 0;
      for (size_t c = 0; c < copies; c++)
        others += c != copy && uses[c] > uses[copy];
      if (uses[copy] && others < *nearest)
        *nearest = others;
      uses[copy] = ++now;
      seen[i][copy]++;
    }
}

static void all_copies_are_timed(void **state)
{
  (void)state;
  static const size_t copies[] = {2, 3, 5, 7};
  for (size_t c = 0; c < 4; c++)
    for (size_t n = 1; n <= 5; n++)
      for (size_t lead = 0; lead <= 16; lead++) {
        size_t leads[5] = {lead, lead, lead, lead, lead};
        size_t seen[5][ROTATION_MOST] = {{0}}, nearest = copies[c];
        go_round(copies[c], n, leads, seen, &nearest);
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j < copies[c]; j++)
            assert_in_range(seen[i][j], ROUNDS / copies[c] - 1,
                            ROUNDS / copies[c] + 1);
        assert_in_range(nearest, copies[c] - 2, copies[c]);
      }
}

/* Finalists are not equally fast: the fast ones have more launches before. */
static void leads_may_differ(void **state)
{
  (void)state;
  const size_t leads[3] = {0, 1, 4};
  size_t seen[3][ROTATION_MOST] = {{0}}, nearest = 5;
  go_round(5, 3, leads, seen, &nearest);
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 5; j++)
      assert_in_range(seen[i][j], ROUNDS / 5 - 4, ROUNDS / 5 + 4);
  assert_in_range(nearest, 3, 5);
}

static void one_copy_is_enough_for_hot_data(void **state)
{
  (void)state;
  struct rotation r = {0};
  for (size_t i = 0; i < 5; i++) {
    rotation_begin(&r, 1, 0, 3);
    assert_int_equal(rotation_take(&r, 1), 0);
  }
}

/* Between two launches over a copy others fill the cache, one passed over. */
static void copies_overflow_the_cache(void **state)
{
  (void)state;
  assert_int_equal(rotation_copies(100, 0), 3);
  assert_int_equal(rotation_copies(100, 60), 5);
  assert_int_equal(rotation_copies(100, 250), 7);
  assert_int_equal(rotation_copies(1, 1e9), ROTATION_MOST);
  assert_int_equal(rotation_copies(0, 0), 3);
  static const size_t fewer[] = {1, 1, 2, 3, 3, 5, 5, 7, 7};
  for (size_t n = 0; n < 9; n++)
    assert_int_equal(rotation_fewer(n), fewer[n]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_copies_are_timed),
      cmocka_unit_test(leads_may_differ),
      cmocka_unit_test(one_copy_is_enough_for_hot_data),
      cmocka_unit_test(copies_overflow_the_cache),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
