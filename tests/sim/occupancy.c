/* occupancy.c - against the table that LLVM and CLRX publish. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/model.h"
#include "runtimes/sim/timing/occupancy.h"

static void vgpr_table(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  static const unsigned rows[][2] = {
      {24, 10}, {25, 9}, {28, 9}, {32, 8}, {36, 7},  {40, 6},  {41, 5},
      {48, 5},  {64, 4}, {65, 3}, {84, 3}, {85, 2},  {128, 2}, {129, 1},
      {256, 1}, {1, 10}, {0, 10},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(occupancy_vgpr(c, rows[i][0]), rows[i][1]);
}

static void sgpr_table(void **state)
{
  (void)state;
  const struct card *c = card_find("mi50");
  static const unsigned rows[][2] = {{80, 10}, {81, 8}, {96, 8}, {102, 7}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(occupancy_sgpr(c, rows[i][0]), rows[i][1]);
}

static void limits(void **state)
{
  (void)state;
  const struct card *c = card_find("mi60");
  static const struct {
    unsigned vgprs, sgprs;
    uint32_t lds;
    unsigned waves, groups, simd;
    const char *limit;
  } rows[] = {
      {24, 32, 0, 4, 10, 10, "waves"},   {128, 32, 0, 4, 2, 2, "vgpr"},
      {24, 96, 0, 4, 8, 8, "sgpr"},      {24, 32, 33000, 4, 1, 1, "lds"},
      {24, 32, 32768, 4, 2, 2, "lds"},   {24, 32, 32769, 4, 1, 1, "lds"},
      {24, 32, 0, 2, 16, 8, "groups"},   {24, 32, 0, 1, 40, 10, "waves"},
      {24, 32, 0, 16, 2, 8, "waves"},    {256, 32, 0, 16, 0, 0, "vgpr"},
      {24, 32, 65537, 4, 0, 0, "lds"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct occupancy o = occupancy(c, rows[i].vgprs, rows[i].sgprs,
                                   rows[i].lds, rows[i].waves);
    assert_int_equal(o.groups, rows[i].groups);
    assert_int_equal(o.waves, rows[i].simd);
    assert_string_equal(o.limit, rows[i].limit);
  }
}

static void every_constant_has_a_source(void **state)
{
  (void)state;
  size_t n;
  const struct constant *k = card_constants(&n);
  assert_true(n > 30);
  for (size_t i = 0; i < n; i++) {
    assert_non_null(k[i].source);
    assert_true(k[i].source[0] != 0);
  }
  assert_null(card_find("mi5000"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vgpr_table),
      cmocka_unit_test(sgpr_table),
      cmocka_unit_test(limits),
      cmocka_unit_test(every_constant_has_a_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
