/* error_bar.c - which bar a kernel gets. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtimes/sim/timing/error_bar.h"

static void is_kind(struct error_signs s, const char *want)
{
  const struct error_bar *e = error_bar(&s);
  assert_string_equal(e->kind, want);
  assert_true(e->bar > 0.01 && e->bar < 2);
}

/* Of kernels that stage what they share, and find little of it in the L1. */
static void every_bound_has_one(void **state)
{
  (void)state;
  static const char *const bounds[] = {"valu", "lds", "l2", "hbm", "latency"};
  for (size_t n = 0; n < sizeof bounds / sizeof *bounds; n++)
    is_kind((struct error_signs){bounds[n], 0.5, 1, 1}, bounds[n]);
  is_kind((struct error_signs){"l1", 0.5, 1, 1}, "l2");
  is_kind((struct error_signs){"unheard of", 0.5, 1, 1}, "any");
}

static void busy_channels_are_less_sure(void **state)
{
  (void)state;
  is_kind((struct error_signs){"l2", 0.5, 3, 1}, "channels");
  is_kind((struct error_signs){"l1", 0, 3, 0}, "channels");
  is_kind((struct error_signs){"valu", 0.5, 3, 1}, "valu");
}

static void sharing_through_the_l1_is_less_sure(void **state)
{
  (void)state;
  is_kind((struct error_signs){"l2", 0.9, 3, 1}, "reuse");
  is_kind((struct error_signs){"valu", 0.9, 1, 1}, "reuse");
  is_kind((struct error_signs){"lds", 0.9, 1, 1}, "lds");
  is_kind((struct error_signs){"hbm", 0.9, 1, 0}, "direct");
  is_kind((struct error_signs){"latency", 0.9, 1, 0}, "direct");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bound_has_one),
      cmocka_unit_test(busy_channels_are_less_sure),
      cmocka_unit_test(sharing_through_the_l1_is_less_sure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
