/* The LDS cycles of what a wave has done. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "runtimes/sim/lds_access.h"

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

/* A memo answers as if it were asked for the first time, whatever stood in the
 * same place before. */
static void test_again(void **state)
{
  static const uint8_t bytes[] = { 4, 8, 16 };
  static const unsigned strides[] = { 4, 8, 12, 16, 20, 64, 68, 132 };
  struct lds_memo memo = { 0 };
  uint32_t seed = 1;
  (void)state;
  for (unsigned n = 0; n < 20000; n++) {
    seed = seed * 1664525 + 1013904223;
    struct access a = { .bytes = bytes[(seed >> 8) % 3], .n = 1, .lds = 1 };
    a.lanes = seed >> 12 & 7 ? ~(uint64_t)0 : (uint64_t)seed * seed;
    a.store = seed >> 15 & 1;
    a.load = !a.store;
    for (unsigned l = 0; l < LANES; l++)
      a.addr[0][l] = (seed >> 16 & 31) * 4 + l * strides[seed >> 22 & 7] +
                     (l == 63 ? seed >> 30 << 2 : 0);
    struct lds_cost want = lds_access_cost(&a);
    struct lds_cost got = lds_access_again(&memo, seed >> 4 & 1, &a);
    assert_int_equal(got.cycles, want.cycles);
    assert_int_equal(got.conflicts, want.conflicts);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_access),
    cmocka_unit_test(test_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
