/* study_report.c - the tables of a report. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/study/study_report.h"

static struct str config(const char *text)
{
  struct str s = {0};
  str_add(&s, text);
  return s;
}

/* A study that two families share: each shows its own figures only, compared
 * with its own first. */
static void shared_study(void **state)
{
  (void)state;
  const struct quantity *gbps = quantity_find("gbps");
  struct figure figures[] = {
    { .study = "card", .id = "read", .what = "a | b", .note = "",
      .quantity = gbps, .low = 880, .high = 892 },
    { .study = "card", .id = "fma", .what = "fma", .note = "",
      .quantity = quantity_find("tflops"), .low = 13, .high = 13 },
    { .study = "card", .id = "copy", .what = "copy", .note = "a reason",
      .quantity = gbps, .low = 700, .high = 700 },
  };
  struct row rows[] = {
    { .figure = &figures[0], .family = "x", .value = 886,
      .config = config("w=1") },
    { .figure = &figures[1], .family = "y", .value = 13,
      .config = config("z=2") },
    { .figure = &figures[2], .family = "x", .value = 350,
      .config = config("w=1") },
  };
  struct sheet sheet = {3, rows};
  struct device device = {.modelled = 1};
  struct experiment experiment = {.target = {.device = &device}};
  struct str text = {0};
  study_figures(&text, &experiment, &sheet, "x");
  assert_non_null(strstr(text.at, "| read | a \\| b | 880 to 892 GB/s | 886 | "
                                  "1.00 | 1 | 1 | |\n"));
  assert_non_null(strstr(text.at, "| copy | copy | 700 GB/s | 350 | 0.50 | "
                                  "0.7848 to 0.7955 | 0.395 | off |\n"));
  assert_non_null(strstr(text.at, "- copy: a reason\n"));
  assert_non_null(strstr(text.at, "- `w=1`: read, copy\n"));
  assert_null(strstr(text.at, "fma"));
  str_clear(&text);
  study_figures(&text, &experiment, &sheet, "z");
  assert_int_equal(text.len, 0);
  str_free(&text);
  for (int i = 0; i < 3; i++)
    str_free(&rows[i].config);
}

static void undrawn_plots(void **state)
{
  (void)state;
  struct device device = {.modelled = 0};
  struct experiment experiment = {.target = {.device = &device}};
  struct plot plot = {.title = "Speed"};
  struct drawing d = { .points = 9, .excluded = 2, .failed = 3, .left = 4,
                       .reason = "wrong: c[0]" };
  struct str text = {0};
  study_plot(&text, &experiment, &plot, &d, "p.svg");
  assert_null(strstr(text.at, "p.svg"));
  assert_non_null(strstr(text.at, "Rules exclude 2 of 9 points."));
  assert_non_null(strstr(text.at, "3 of 9 points failed; the first: wrong"));
  assert_non_null(strstr(text.at, "4 of 9 points were left"));
  str_clear(&text);
  d.drawn = 1;
  study_plot(&text, &experiment, &plot, &d, "p.svg");
  assert_non_null(strstr(text.at, "![Speed, measured](p.svg)"));
  str_free(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(shared_study), cmocka_unit_test(undrawn_plots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
