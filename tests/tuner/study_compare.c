/* study_compare.c - what calibrate concludes, on figures worked by hand. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/study/study_figures.h"

/* Published 90..110, 200, 45..55 and in another unit 400; ours 105, 240, 30
 * and 390. */
static struct figure figures[] = {
  {.study = "s", .id = "a", .low = 90, .high = 110, .note = ""},
  {.study = "s", .id = "b", .low = 200, .high = 200, .note = ""},
  {.study = "s", .id = "c", .low = 45, .high = 55, .note = ""},
  {.study = "s", .id = "d", .low = 400, .high = 400, .note = ""},
  {.study = "t", .id = "a", .low = 10, .high = 10, .note = ""},
};
static struct row rows[] = {
  {.figure = &figures[0], .value = 105},
  {.figure = &figures[1], .value = 240},
  {.figure = &figures[2], .value = 30},
  {.figure = &figures[3], .value = 390},
  {.figure = &figures[4], .value = 0},
};
static const struct sheet sheet = {5, rows};

static int make(void **state)
{
  (void)state;
  for (int i = 0; i < 5; i++)
    figures[i].quantity = quantity_at(i == 3);
  return 0;
}

static int near(double a, double b)
{
  return fabs(a - b) < 1e-9;
}

static void verdicts(void **state)
{
  (void)state;
  static const enum verdict want[] = { VERDICT_RANGE, VERDICT_OFF,
                                       VERDICT_OFF, VERDICT_CLOSE };
  static const double ratios[] = {1.05, 1.2, 0.6, 0.975};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(row_verdict(&rows[i]), want[i]);
    assert_true(near(row_ratio(&rows[i]), ratios[i]));
  }
}

/* 1.15 times and 1/1.15 of the published are the edges. */
static void edges(void **state)
{
  (void)state;
  static const struct {
    double value;
    enum verdict want;
  } at[] = {
    {200, VERDICT_RANGE},         {229.9, VERDICT_CLOSE},
    {230.1, VERDICT_OFF},         {200 / 1.149, VERDICT_CLOSE},
    {200 / 1.151, VERDICT_OFF},
  };
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    struct row r = {.figure = &figures[1], .value = at[i].value};
    assert_int_equal(row_verdict(&r), at[i].want);
  }
}

static void pairs(void **state)
{
  (void)state;
  struct pair_ratio p;
  /* published 100/200 in 90/200..110/200, ours 105/240 = 0.4375: 14 % off */
  assert_true(rows_compare(&rows[0], &rows[1], &p));
  assert_true(near(p.published, 0.5) && near(p.low, 0.45) &&
              near(p.high, 0.55) && near(p.ours, 0.4375));
  assert_int_equal(p.verdict, VERDICT_CLOSE);
  /* published 2 in 90/55..110/45, ours 3.5 */
  assert_true(rows_compare(&rows[0], &rows[2], &p));
  assert_true(near(p.low, 90.0 / 55) && near(p.high, 110.0 / 45) &&
              near(p.ours, 3.5));
  assert_int_equal(p.verdict, VERDICT_OFF);
  /* another unit, and no value */
  assert_false(rows_compare(&rows[0], &rows[3], &p));
  assert_false(rows_compare(&rows[0], &rows[4], &p));
}

/* Of four with a value a and d are close; apart by 0.05, 0.2, 1/0.6 - 1 and
 * 1/0.975 - 1: the median is between 0.05 and 0.2. Of the three pairs of
 * one unit, a/b holds; b/c (published 4, ours 8) and a/c do not. */
static void tally(void **state)
{
  (void)state;
  struct sheet_totals t = sheet_totals(&sheet);
  assert_int_equal(t.rows, 5);
  assert_int_equal(t.ran, 4);
  assert_int_equal(t.close, 2);
  assert_int_equal(t.pairs, 3);
  assert_int_equal(t.pairs_ok, 1);
  assert_true(near(t.median, 0.125));
  assert_true(near(t.worst, 1 / 0.6 - 1));
  assert_ptr_equal(t.worst_row, &rows[2]);
}

static void studies(void **state)
{
  (void)state;
  static const int want[] = {1, 1, 1, 0, 0};
  assert_int_equal(sheet_study(&sheet, 0), 4);
  assert_int_equal(sheet_study(&sheet, 4), 1);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(row_misses(&sheet, i), want[i]);
}

/* b and c miss for the same reason; d has it too, and does not miss. */
static void notes(void **state)
{
  (void)state;
  struct str ids = {0};
  figures[0].note = "one";
  figures[1].note = figures[2].note = figures[3].note = "two";
  for (int i = 0; i < 5; i++)
    rows[i].family = "f";
  assert_int_equal(sheet_note(&sheet, 0, &ids), 1);
  assert_string_equal(ids.at, "a");
  str_clear(&ids);
  assert_int_equal(sheet_note(&sheet, 1, &ids), 1);
  assert_string_equal(ids.at, "b, c");
  str_clear(&ids);
  for (size_t i = 2; i < 5; i++)
    assert_int_equal(sheet_note(&sheet, i, &ids), 0);
  assert_int_equal(ids.len, 0);
  str_free(&ids);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(verdicts), cmocka_unit_test(edges),
    cmocka_unit_test(pairs),    cmocka_unit_test(tally),
    cmocka_unit_test(studies),  cmocka_unit_test(notes),
  };
  return cmocka_run_group_tests(tests, make, NULL);
}
