/* program.c - other programs, run to their end or to a deadline. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "tuner/device/program.h"

static void its_words_come_back(void **state)
{
  (void)state;
  const char *argv[] = {"sh", "-c", "cat; echo bad >&2; exit 3", NULL};
  struct str input = {0};
  struct program_said said;
  str_add(&input, "one\ntwo\n");
  assert_int_equal(program_run(argv, &input, 20, &said, NULL), 0);
  assert_int_equal(said.status, 3);
  assert_string_equal(said.out.at, "one\ntwo\n");
  assert_string_equal(said.words.at, "bad\n");
  program_free(&said);
  str_free(&input);
}

static void one_that_says_nothing(void **state)
{
  (void)state;
  const char *argv[] = {"true", NULL};
  struct program_said said;
  assert_int_equal(program_run(argv, NULL, 20, &said, NULL), 0);
  assert_int_equal(said.status, 0);
  assert_string_equal(said.out.at, "");
  assert_string_equal(said.words.at, "");
  program_free(&said);
}

static void one_that_is_not_there(void **state)
{
  (void)state;
  const char *argv[] = {"no-such-program-here", NULL};
  struct program_said said;
  assert_int_equal(program_run(argv, NULL, 20, &said, NULL), 0);
  assert_int_equal(said.status, PROGRAM_MISSING);
  program_free(&said);
}

static void one_that_is_killed(void **state)
{
  (void)state;
  const char *argv[] = {"sh", "-c", "kill -9 $$", NULL};
  struct program_said said;
  assert_int_equal(program_run(argv, NULL, 20, &said, NULL), 0);
  assert_int_equal(said.status, -1);
  program_free(&said);
}

static void one_that_does_not_end(void **state)
{
  (void)state;
  const char *argv[] = {"sleep", "100", NULL};
  struct program_said said;
  struct err e = {0};
  double begun = clock_now();
  assert_int_equal(program_run(argv, NULL, 0.3, &said, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "sleep: "));
  assert_true(clock_now() - begun < 20);
  program_free(&said);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_words_come_back),
      cmocka_unit_test(one_that_says_nothing),
      cmocka_unit_test(one_that_is_not_there),
      cmocka_unit_test(one_that_is_killed),
      cmocka_unit_test(one_that_does_not_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
