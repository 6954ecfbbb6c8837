/* published.c - what others measured, beside what is counted here. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "arch/published.h"

static const struct arch *need(const char *name)
{
  const struct arch *a = arch_find(name);
  assert_non_null(a);
  return a;
}

/* What is counted without a clock is what was measured. */
static void counts_are_those_of_cards(void **state)
{
  static const struct {
    const char *arch;
    size_t all, counted;
  } known[] = {{"gfx908", 9, 1}, {"gfx90a", 14, 2}, {"gfx942", 29, 4},
               {"gfx950", 7, 2}};
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct published p;
    size_t n = 0, counted = 0;
    for (; published_at(need(known[i].arch), n, &p); n++) {
      assert_true(p.value > 0 && strlen(p.what) <= 22 && strlen(p.source) > 4);
      counted += p.ours > 0;
      if (p.ours > 0 && (p.ours < p.value || p.ours > p.value))
        fail_msg("%s, %s: %g, not %g", known[i].arch, p.what, p.ours, p.value);
    }
    print_message("%s: %zu figures, %zu counted\n", known[i].arch, n, counted);
    assert_int_equal(n, known[i].all);
    assert_int_equal(counted, known[i].counted);
  }
}

static void others_have_none(void **state)
{
  struct published p;
  (void)state;
  assert_false(published_at(need("gfx906"), 0, &p));
  assert_false(published_at(need("gfx1250"), 0, &p));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_cards),
      cmocka_unit_test(others_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
