/* problem.c - problems as text. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "tests/tuner/opened.h"

/* Quiet keys are left out where they have their default: bias is one. */
static void is_read_as_it_is_written(void **state)
{
  static const char *const texts[] = {
      "m=64,n=32,k=16,layout=nt,dtype=f32,alpha=1,beta=0.5,lda=16,ldb=24,ldc=32",
      "m=1,n=2,k=3,layout=nn,dtype=f16,alpha=1,beta=0,lda=3,ldb=2,ldc=2,bias=col",
  };
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct opened o;
    struct problem again;
    struct str text = {0};
    struct err e = {0};
    open_family(&o, "gemm", texts[i], "");
    problem_format(o.family, &o.problem, &text);
    assert_string_equal(text.at, texts[i]);
    if (problem_parse(o.family, text.at, &again, &e))
      fail_msg("%s", e.text);
    assert_true(problem_equal(&o.problem, &again));
    assert_int_equal(problem_parse(o.family, "m=65", &again, &e), 0);
    assert_false(problem_equal(&o.problem, &again));
    str_free(&text);
    close_family(&o);
  }
}

static void damage_is_no_problem(void **state)
{
  static const struct {
    const char *text, *says;
  } table[] = {
      {"m=64,n", "'m=64,n' is no problem of gemm: it must be KEY=VALUE,..."},
      {"m=64,=3", "'' is not a key of gemm"},
      {"m=sixty", "m is 'sixty'; it must be an integer"},
      {"width=3", "'width' is not a key of gemm"},
  };
  struct opened o;
  (void)state;
  open_family(&o, "gemm", "", "");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct err e = {0};
    struct problem p;
    assert_int_not_equal(problem_parse(o.family, table[i].text, &p, &e), 0);
    if (!strstr(e.text, table[i].says))
      fail_msg("%s: %s", table[i].text, e.text);
  }
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_read_as_it_is_written),
      cmocka_unit_test(damage_is_no_problem)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
