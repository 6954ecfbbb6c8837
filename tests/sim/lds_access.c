/* The LDS cycles of what a wave has done. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "runtimes/sim/model.h"

/* Two addresses are two accesses. */
static void test_access(void **state)
{
  struct access a = { .lanes = ~(uint64_t)0, .bytes = 8, .n = 2, .load = 1, .lds = 1 };
  (void)state;
  for (unsigned l = 0; l < LANES; l++) {
    a.addr[0][l] = 8 * l;
    a.addr[1][l] = 128 * l;
  }
  struct lds_cost cost = lds_access_cost(&a);
  assert_int_equal(cost.cycles, 4 + 64);
  assert_int_equal(cost.conflicts, 60);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_access),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
