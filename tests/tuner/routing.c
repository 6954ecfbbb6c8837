/* routing.c - rows of experts, by the laws that deal them out. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/routing.h"

enum {GROUPS = 16};

static struct buffer offsets(enum routing law, size_t rows, size_t used)
{
  return (struct buffer){.type = ELEMENT_I32, .elements = GROUPS + 1,
                         .routed = rows, .used = used, .routing = law};
}

/* Rows of each group, in falling order. */
static void count(uint64_t seed, const struct buffer *b, int *rows)
{
  int32_t begin[GROUPS + 1];
  input_fill(seed, 3, b, 0, b->elements, begin);
  assert_int_equal(begin[0], 0);
  assert_int_equal(begin[GROUPS], b->routed);
  for (int i = 0; i < GROUPS; i++) {
    int n = begin[i + 1] - begin[i], at = i;
    assert_true(n >= 0);
    for (; at > 0 && rows[at - 1] < n; at--)
      rows[at] = rows[at - 1];
    rows[at] = n;
  }
}

/* One group a token: of 100,000 rows rank r has 1 / (r H) of them, H = 1 + 1/2 + ...
 * + 1/16 = 3.380729; a standard deviation is at most 145. */
static void zipf_is_zipf(void **state)
{
  (void)state;
  int rows[GROUPS];
  struct buffer b = offsets(ROUTING_ZIPF, 100000, 1);
  count(1, &b, rows);
  for (int r = 1; r <= GROUPS; r++)
    assert_in_range(rows[r - 1], 29579 / r - 600, 29579 / r + 600);
}

/* A token has no group twice: of 1000 tokens none has more than 1000 rows of one,
 * however likely it is. */
static void tokens_go_to_different_groups(void **state)
{
  (void)state;
  int rows[GROUPS];
  struct buffer b = offsets(ROUTING_ZIPF, 8000, 8);
  count(1, &b, rows);
  assert_in_range(rows[0], 900, 1000); /* 8 draws of 0.3 */
  b = offsets(ROUTING_ZIPF, 16000, GROUPS);
  count(1, &b, rows);
  assert_true(rows[0] == 1000 && rows[GROUPS - 1] == 1000);
}

static void seeds_change_who_is_first(void **state)
{
  (void)state;
  struct buffer b = offsets(ROUTING_ZIPF, 8000, 8);
  int32_t one[GROUPS + 1], again[GROUPS + 1], other[GROUPS + 1];
  input_fill(1, 3, &b, 0, b.elements, one);
  input_fill(1, 3, &b, 0, b.elements, again);
  input_fill(2, 3, &b, 0, b.elements, other);
  assert_memory_equal(one, again, sizeof one);
  assert_memory_not_equal(one, other, sizeof one);
  for (size_t i = 0; i <= GROUPS; i++)
    assert_true(input_value(1, 3, &b, i) == one[i]);
}

/* Three tokens of 4 groups and a row of a fourth: all or none. */
static void same_leaves_groups_empty(void **state)
{
  (void)state;
  int rows[GROUPS];
  struct buffer b = offsets(ROUTING_SAME, 13, 4);
  count(1, &b, rows);
  assert_int_equal(rows[0], 4);
  for (int i = 1; i < GROUPS; i++)
    assert_int_equal(rows[i], i < 4 ? 3 : 0);
}

static void rows_know_their_group(void **state)
{
  (void)state;
  static const int32_t begin[] = {0, 0, 2, 2, 3};
  static const size_t want[] = {1, 1, 3, 4};
  for (size_t row = 0; row < 4; row++)
    assert_int_equal(routing_group(begin, 4, row), want[row]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(zipf_is_zipf),
    cmocka_unit_test(tokens_go_to_different_groups),
    cmocka_unit_test(seeds_change_who_is_first),
    cmocka_unit_test(same_leaves_groups_empty),
    cmocka_unit_test(rows_know_their_group),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
