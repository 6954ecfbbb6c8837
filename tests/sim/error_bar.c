/* error_bar.c - which bar a kernel gets. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtimes/sim/timing/error_bar.h"

static void is_kind(const char *bound, double hits, const char *want)
{
  const struct error_bar *e = error_bar(bound, hits);
  assert_string_equal(e->kind, want);
  assert_true(e->bar > 0.01 && e->bar < 2);
}

static void every_bound_has_one(void **state)
{
  (void)state;
  is_kind("valu", 0.9, "valu");
  is_kind("lds", 0, "lds");
  is_kind("hbm", 0.9, "hbm");
  is_kind("latency", 0.9, "latency");
  is_kind("l1", 0.9, "reuse");
  is_kind("l2", 0.9, "reuse");
  is_kind("l1", 0.5, "l2");
  is_kind("l2", 0, "l2");
  is_kind("unheard of", 0.9, "any");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_bound_has_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
