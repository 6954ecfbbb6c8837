/* err.c - messages, and what is put in front of them. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void set_and_prefix(void **state)
{
  (void)state;
  struct err e = {0};
  assert_int_equal(err_set(&e, ERR_USAGE, "%d of %s", 3, "them"), ERR_USAGE);
  assert_int_equal(e.code, ERR_USAGE);
  assert_string_equal(e.text, "3 of them");
  assert_int_equal(err_prefix(&e, "file:%d", 7), ERR_USAGE);
  assert_string_equal(e.text, "file:7: 3 of them");
  assert_int_equal(err_set(NULL, ERR_FAILED, "nobody asks"), ERR_FAILED);
}

static void long_messages_are_cut(void **state)
{
  (void)state;
  struct err e = {0};
  err_set(&e, ERR_FAILED, "%*d", 5000, 1);
  assert_int_equal(strlen(e.text), sizeof e.text - 1);
  err_set(&e, ERR_FAILED, "%s", "end");
  err_prefix(&e, "%01990d", 1);
  assert_int_equal(strlen(e.text), 1990 + 2 + 3);
  err_prefix(&e, "front");
  assert_int_equal(strlen(e.text), sizeof e.text - 1); /* the end is lost */
  assert_memory_equal(e.text, "front: 000", 10);
}

/* A front that fills all the room leaves the message as it is. */
static void nobody_asks_why(void **state)
{
  (void)state;
  assert_int_equal(err_set(NULL, ERR_USAGE, "%d", 1), ERR_USAGE);
  assert_int_equal(err_prefix(NULL, "%d", 1), ERR_FAILED);
}

static void too_long_a_prefix(void **state)
{
  (void)state;
  struct err e = {0};
  for (int n = 1990; n <= 2010; n++) {
    err_set(&e, ERR_FAILED, "message");
    err_prefix(&e, "%0*d", n, 1);
    assert_true(strlen(e.text) < sizeof e.text);
    if (n > 1997)
      assert_string_equal(e.text, "message");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(set_and_prefix),
    cmocka_unit_test(long_messages_are_cut),
    cmocka_unit_test(nobody_asks_why),
    cmocka_unit_test(too_long_a_prefix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
