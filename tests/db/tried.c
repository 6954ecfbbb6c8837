/* tried.c - times that a row keeps of other configurations. */
// SPDX-License-Identifier: MIT
#include "db/tried.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void damage_is_passed_over(void **state)
{
  (void)state;
  const char *text = "00000000:1,short:2,,00000001:,00000002:-1,00000003:nan,"
                     "00000004:inf,00000005:3x,000000066:4,00000007:5.25,00000008";
  char name[TRIED_NAME];
  double time;
  assert_true(tried_next(&text, name, &time));
  assert_string_equal(name, "00000000");
  assert_true(time == 1);
  assert_true(tried_next(&text, name, &time));
  assert_string_equal(name, "00000007");
  assert_true(time == 5.25);
  assert_false(tried_next(&text, name, &time));
  assert_false(tried_next(&text, name, &time));
}

/* What is there stays: the newer is merged into. */
static void the_first_time_of_a_name_counts(void **state)
{
  (void)state;
  struct str list = {0};
  tried_add(&list, "0000000a", 12.5);
  tried_merge(&list, "0000000b:2.25,0000000a:99,bad,0000000c:3");
  assert_string_equal(list.at, "0000000a:12.5,0000000b:2.25,0000000c:3");
  str_free(&list);
}

static void a_list_is_bounded(void **state)
{
  (void)state;
  struct str list = {0};
  char name[TRIED_NAME];
  for (int i = 0; i < TRIED_MOST + 5; i++) {
    snprintf(name, sizeof name, "%08x", (unsigned)i);
    tried_add(&list, name, 1);
  }
  assert_int_equal(list.len, TRIED_MOST * 11 - 1); /* "00000000:1," */
  str_free(&list);
}

static void names_are_compared(void **state)
{
  (void)state;
  char a[TRIED_NAME], b[TRIED_NAME];
  assert_true(tried_holds("0000000a:1,0000000b:2", "0000000b:3"));
  assert_true(tried_holds("", ""));
  assert_false(tried_holds("0000000a:1", "0000000a:1,0000000b:2"));
  tried_name("tile_m=1", a);
  tried_name("tile_m=2", b);
  assert_string_not_equal(a, b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(damage_is_passed_over),
    cmocka_unit_test(the_first_time_of_a_name_counts),
    cmocka_unit_test(a_list_is_bounded),
    cmocka_unit_test(names_are_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
