/* reference_gload.c - words that are read, written or copied, one by one. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tuner/opened.h"

static uint32_t x_at(const struct opened *o, size_t i)
{
  return (uint32_t)(int32_t)input_at(o, "x", i);
}

static void a_read_sums_columns(void **state)
{
  (void)state;
  struct opened o;
  open_family(&o, "gload", "op=read,n=12288,depth=4", "");
  struct expected *all = all_of(&o, "y");
  for (size_t tile = 0; tile < 3; tile++)
    for (size_t c = 0; c < 1024; c++) {
      size_t at = tile * 4096 + c;
      uint32_t sum = x_at(&o, at) + x_at(&o, at + 1024) + x_at(&o, at + 2048)
                     + x_at(&o, at + 3072);
      assert_true(all[tile * 1024 + c].want == (int32_t)sum);
      assert_true(all[tile * 1024 + c].bound == 0);
    }
  free(all);
  close_family(&o);
}

/* Of every three pieces of 16 bytes, the first: 2048 words are used, the
 * others stay as they were. */
static void a_copy_leaves_the_gaps(void **state)
{
  (void)state;
  struct opened o;
  size_t used = 0;
  open_family(&o, "gload", "op=copy,n=2048,depth=2,stride=3", "");
  struct expected *all = all_of(&o, "y");
  for (size_t i = 0; i < 2048 * 3; i++) {
    int first = i % 12 < 4;
    assert_int_equal(all[i].bound == 0, first);
    assert_int_equal(all[i].bound < 0, !first);
    assert_true(!first || all[i].want == (int32_t)x_at(&o, i));
    used += (size_t)first;
  }
  assert_int_equal(used, 2048);
  free(all);
  close_family(&o);
}

/* i ^ key of its number i, which is all that tells one word from another. */
static void a_write_numbers_its_words(void **state)
{
  (void)state;
  struct opened o;
  open_family(&o, "gload", "op=write,n=2048,depth=1,stride=2", "");
  struct expected *all = all_of(&o, "y");
  const struct launch *l = &o.plan.launches[0];
  uint32_t key = (uint32_t)l->args[l->nargs - 1].i;
  for (uint32_t i = 0; i < 2048; i++)
    assert_true(all[i / 4 * 8 + i % 4].want == (int32_t)(i ^ key));
  free(all);
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_read_sums_columns),
      cmocka_unit_test(a_copy_leaves_the_gaps),
      cmocka_unit_test(a_write_numbers_its_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
