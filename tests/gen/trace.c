/* trace.c - what formulas say of other problems against what Lua says. */
// SPDX-License-Identifier: MIT
#include "tests/gen/help.h"

#include "base/rng.h"
#include "db/arch.h"
#include "gen/space.h"
#include "gen/trace.h"

static void gemm_formulas(void **state)
{
  (void)state;
  struct family *f;
  struct err e = { 0 };
  const struct arch *a;
  const struct pair *facts;
  assert_int_equal(arch_need("gfx906", &a, &e), 0);
  assert_int_equal(family_open(&f, "gemm", NULL, &e), 0);
  assert_int_equal(family_set_arch(f, facts, arch_facts(a, &facts), &e), 0);
  family_close(f);
}
int main(void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test(gemm_formulas) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
