/* pairs.c - names and values of a text. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pairs.h"

static void takes_apart(void **state)
{
  (void)state;
  char text[] = "m=64,layout=nt,bare,empty=,,twice=a=b";
  static const struct {
    const char *name, *value;
  } known[] = {
      {"m", "64"}, {"layout", "nt"}, {"bare", NULL}, {"empty", ""},
      {"", NULL},  {"twice", "a=b"},
  };
  char *rest = text, *value;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    assert_string_equal(pairs_next(&rest, &value), known[i].name);
    if (known[i].value)
      assert_string_equal(value, known[i].value);
    else
      assert_null(value);
  }
  assert_null(pairs_next(&rest, &value));
  assert_null(pairs_next(&rest, &value));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(takes_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
