/* request.c - command lines, right and wrong. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "bowl.h"
#include "tuner/options/request.h"

enum { WORDS = 16 };

/* Split at blanks, parse; the words live in a buffer of the test's. */
static int parse(struct request *r, const char *line, struct err *e)
{
  static char copy[1024];
  char *argv[WORDS], *rest = copy, *word;
  int argc = 0;
  *e = (struct err){0};
  strcpy(copy, line);
  while (argc < WORDS && (word = strsep(&rest, " ")))
    argv[argc++] = word;
  return request_parse(r, argc, argv, e);
}

static void options_and_keys(void **state)
{
  (void)state;
  struct request r;
  struct err e;
  assert_int_equal(parse(&r, "gemm --arch gfx906 --m=64 --evals 12 --json "
                         "--k 8 --seconds=0.5 --set a=1,b=2 --set c=x", &e),
                   0);
  assert_int_equal(r.nwords, 1);
  assert_string_equal(r.words[0], "gemm");
  assert_string_equal(r.arch, "gfx906");
  assert_int_equal(r.evals, 12);
  assert_true(r.seconds == 0.5);
  assert_true(r.json && !r.quiet);
  assert_int_equal(r.nkeys, 2);
  assert_string_equal(r.names[0], "m");
  assert_string_equal(r.texts[0], "64");
  assert_string_equal(r.names[1], "k");
  assert_string_equal(r.texts[1], "8");
  assert_int_equal(r.nsets, 2);
  assert_string_equal(r.sets[1], "c=x");
}

static void defaults(void **state)
{
  (void)state;
  struct request r;
  struct err e;
  assert_int_equal(parse(&r, "gemm", &e), 0);
  assert_string_equal(r.device, "auto");
  assert_null(r.search); /* the default of search_find() */
  assert_int_equal(r.seed, 1);
  assert_true(r.evals >= 100 && r.jobs >= 1 && r.seconds == 0);
}

static void wrong_usage_is_said(void **state)
{
  (void)state;
  static const struct {
    const char *line, *says;
  } table[] = {
      {"gemm --arch", "--arch needs a value"},
      {"gemm --m --n 5", "--m needs a value"},
      {"gemm --evals 0", "--evals 0: must be a whole number from 1"},
      {"gemm --evals 1.5", "must be a whole number"},
      {"gemm --evals ten", "--evals ten: must be"},
      {"gemm --evals 5x", "--evals 5x: must be"},
      {"gemm --evals 1e99", "must be"},
      {"gemm --seconds -1", "--seconds -1: must be"},
      {"gemm --seconds nan", "must be"},
      {"gemm --jobs 99999999999999999999", "must be"},
      {"gemm --json=1", "--json takes no value"},
      {"gemm -m 5", "options begin with two dashes"},
      {"a b c d e", "'e' is one word too many"},
  };
  struct request r;
  struct err e;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    assert_int_equal(parse(&r, table[i].line, &e), ERR_USAGE);
    if (!strstr(e.text, table[i].says))
      fail_msg("%s: %s", table[i].line, e.text);
  }
}

static void unknown_options_are_suggested(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  struct request r;
  struct err e;
  assert_int_equal(parse(&r, "bowl --n 5", &e), 0);
  assert_int_equal(request_keys(&r, b.family, &e), 0);
  assert_int_equal(request_keys(&r, NULL, &e), ERR_USAGE);
  assert_int_equal(parse(&r, "bowl --arhc gfx906", &e), 0);
  assert_int_equal(request_keys(&r, b.family, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "did you mean --arch?"));
  assert_int_equal(parse(&r, "bowl --zzzzzz 6", &e), 0);
  assert_int_equal(request_keys(&r, b.family, &e), ERR_USAGE);
  assert_null(strstr(e.text, "did you mean"));
  bowl_close(&b);
}

static void every_option_is_explained(void **state)
{
  (void)state;
  const char *form, *meaning;
  size_t i = 0;
  for (; request_option(i, &form, &meaning); i++) {
    assert_int_equal(strncmp(form, "--", 2), 0);
    assert_true(strlen(meaning) > 5);
    assert_true(strlen(form) <= 24 && strlen(meaning) <= 53); /* 80 columns */
  }
  assert_true(i > 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_and_keys),
      cmocka_unit_test(defaults),
      cmocka_unit_test(wrong_usage_is_said),
      cmocka_unit_test(unknown_options_are_suggested),
      cmocka_unit_test(every_option_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
