/* progress.c - a bar that fits. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tuner/cli/progress.h"

static void the_bar_fits(void **state)
{
  (void)state;
  char line[256];
  const struct device device = {0};
  for (size_t done = 0; done <= 1000000; done += 99991) {
    struct session s = {
        .setup = {.evals = 1000000, .begun = 0, .device = &device},
        .result = {.done = done, .best_number = done, .best_cost = 123456}};
    progress_line(&s, 500000, done, 79, line, sizeof line);
    assert_true(strlen(line) <= 79);
    progress_line(&s, 500000, done, 30, line, sizeof line);
    assert_true(strlen(line) <= 30);
  }
}

/* 10 of 110 took 20 s; what the journal knew took none. */
static void eta_counts_what_was_worked(void **state)
{
  (void)state;
  char line[256];
  struct session s = {.setup = {.evals = 110, .begun = 100},
                      .result = {.done = 60, .known = 50}};
  progress_line(&s, 120, 10, 79, line, sizeof line);
  assert_non_null(strstr(line, "60/110"));
  assert_non_null(strstr(line, "eta 1:40 min"));
  s.setup.until = 150; /* the budget ends sooner */
  progress_line(&s, 120, 10, 79, line, sizeof line);
  assert_non_null(strstr(line, "eta 30 s"));
  s.result.done = 110; /* nothing is left, whatever the budget */
  progress_line(&s, 120, 10, 79, line, sizeof line);
  assert_non_null(strstr(line, "eta 0 s"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bar_fits),
      cmocka_unit_test(eta_counts_what_was_worked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
