/* terminal.c - lines as wide as their reader. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/cli/terminal.h"

static char text[4096];

/* What has been written to the file. */
static const char *written(FILE *f)
{
  rewind(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  return text;
}

static void messages_break_at_blanks(void **state)
{
  (void)state;
  static const struct {
    const char *message, *lines;
    size_t columns;
  } table[] = {
      {"", "\n", 40},
      {"short", "short\n", 40},
      {"one two three", "one two\nthree\n", 8},
      {"one two three", "one two\nthree\n", 7},
      {"one two three", "one\ntwo\nthree\n", 6},
      {"a/path/that/is/too/long for it", "a/path/that/is/too/long\nfor it\n",
       10},
      {"first line\nsecond", "first\nline\nsecond\n", 6},
      {"log:\n  an excerpt that stays\nend",
       "log:\n  an excerpt that stays\nend\n", 10},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    FILE *f = tmpfile();
    terminal_wrap(f, table[i].message, table[i].columns);
    assert_string_equal(written(f), table[i].lines);
  }
}

static void rows_break_at_commas_too(void **state)
{
  (void)state;
  static const struct {
    const char *label, *row, *lines;
    size_t columns;
  } table[] = {
      {"rate", "11 GFLOP/s", "  rate       11 GFLOP/s\n", 80},
      {"device", "none:\nlibrary a\n", "  device     none:\n"
       "             library a\n", 80},
      {"config", "a=1,b=22,c=333", "  config     a=1,b=22,\n"
       "             c=333\n", 22},
      {"config", "a=1,b=22,c=333", "  config     a=1,\n"
       "             b=22,\n             c=333\n", 21},
      {"a_long_label", "x", "  a_long_label\n             x\n", 80},
      {"none", "", "  none       \n", 80},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    FILE *f = tmpfile();
    terminal_row(f, table[i].label, table[i].row, table[i].columns);
    assert_string_equal(written(f), table[i].lines);
  }
}

/* A file is no terminal: its readers get the full width. */
static void files_have_80_columns(void **state)
{
  (void)state;
  FILE *f = tmpfile();
  assert_int_equal(terminal_columns(f), 80);
  fclose(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_break_at_blanks),
      cmocka_unit_test(rows_break_at_commas_too),
      cmocka_unit_test(files_have_80_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
