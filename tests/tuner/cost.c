/* cost.c - when two times are a tie. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/session/cost.h"

static struct record *modelled(double us, const char *error)
{
  struct record *r = record_new();
  record_set(r, "time_us", "%.6g", us);
  record_set(r, "mad_us", "0");
  record_set(r, "n", "1");
  if (error)
    record_set(r, "error_80", "%s", error);
  return r;
}

static void is_tie(double us, const char *error, double other,
                   const char *its_error, int want)
{
  struct record *a = modelled(us, error), *b = modelled(other, its_error);
  assert_int_equal(cost_tie(a, b), want);
  assert_int_equal(cost_tie(b, a), want);
  record_free(a);
  record_free(b);
}

/* Two factors of 1.1 that have nothing to do with each other make one of
 * exp(sqrt(2) ln 1.1) = 1.1443. */
static void errors_make_ties(void **state)
{
  (void)state;
  is_tie(100, "0.1", 114, "0.1", 1);
  is_tie(100, "0.1", 115, "0.1", 0);
  /* exp(sqrt(ln 1.1 ^ 2 + ln 1.4 ^ 2)) = 1.4192 */
  is_tie(100, "0.1", 141, "0.4", 1);
  is_tie(100, "0.1", 143, "0.4", 0);
}

/* Rows of older versions say nothing of it. */
static void nothing_is_known(void **state)
{
  (void)state;
  is_tie(100, NULL, 100, NULL, 1);
  is_tie(100, NULL, 100.1, NULL, 0);
  is_tie(100, "0.3", 100.1, NULL, 0);
  struct record *r = modelled(100, NULL);
  char text[32];
  cost_error_text(r, text, sizeof text);
  assert_string_equal(text, "");
  record_set(r, "error_80", "0.184");
  cost_error_text(r, text, sizeof text);
  assert_string_equal(text, "+- 18 %");
  record_free(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_make_ties),
      cmocka_unit_test(nothing_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
