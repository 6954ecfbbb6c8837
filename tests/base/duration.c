/* duration.c - times for people. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/duration.h"

static void times_have_units(void **state)
{
  (void)state;
  static const struct {
    double us;
    const char *text;
  } table[] = {{0, "0 us"},          {0.5, "0.5 us"},     {12.345, "12.3 us"},
               {999, "999 us"},      {999.9, "1 ms"},  {1000, "1 ms"},
               {12345, "12.3 ms"},   {1234567, "1.23 s"}, {5e9, "5000 s"},
               {1.23456e9, "1235 s"}};
  char text[32];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    duration_format(table[i].us, text, sizeof text);
    assert_string_equal(text, table[i].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(times_have_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
