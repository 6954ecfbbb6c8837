/* options.c - command lines, right and wrong. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/status.h"
#include "bowl.h"
#include "tuner/cli/cli.h"
#include "tuner/options/options.h"

enum {WORDS = 16};

/* Split at blanks, parse; the words live in a buffer of the test's. */
static int parse(struct options *r, const char *line, struct err *e)
{
  static char copy[1024];
  char *argv[WORDS], *rest = copy, *word;
  int argc = 0;
  *e = (struct err){0};
  strcpy(copy, line);
  while (argc < WORDS && (word = strsep(&rest, " ")))
    argv[argc++] = word;
  return options_parse(r, argc, argv, e);
}

static void options_and_keys(void **state)
{
  (void)state;
  struct options r;
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
  assert_int_equal(r.retry, 0);
  assert_int_equal(parse(&r, "gemm --retry timeout,crash", &e), 0);
  assert_int_equal(r.retry, 1 << STATUS_TIMEOUT | 1 << STATUS_CRASH);
}

static void defaults(void **state)
{
  (void)state;
  struct options r;
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
      {"gemm --retry ok", "--retry ok: must be words of compile"},
      {"gemm --retry timeout,crush", "must be words of compile"},
      {"gemm --retry=", "--retry: needs a value"},
      {"gemm --json=1", "--json takes no value"},
      {"gemm -m 5", "options begin with two dashes"},
      {"gemm --arch gfx906 --arch gfx908", "--arch is given twice"},
      {"gemm --evals=3 --evals 3", "--evals is given twice"},
      {"gemm --m 5 --n 6 --m=5", "--m is given twice"},
  };
  struct options r;
  struct err e;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    assert_int_equal(parse(&r, table[i].line, &e), ERR_USAGE);
    if (!strstr(e.text, table[i].says))
      fail_msg("%s: %s", table[i].line, e.text);
  }
}

/* There is room for the stores of many shards, and for no more. */
static void words_have_a_limit(void **state)
{
  (void)state;
  char word[] = "a", last[] = "m", *argv[OPTIONS_WORDS + 1];
  struct options r;
  struct err e = {0};
  for (int i = 0; i < OPTIONS_WORDS; i++)
    argv[i] = word;
  argv[OPTIONS_WORDS] = last;
  assert_int_equal(options_parse(&r, OPTIONS_WORDS, argv, &e), 0);
  assert_int_equal(r.nwords, OPTIONS_WORDS);
  assert_int_equal(options_parse(&r, OPTIONS_WORDS + 1, argv, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "'m' is one word too many"));
}

static void unknown_options_are_suggested(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  struct options r;
  struct err e;
  assert_int_equal(parse(&r, "bowl --n 5", &e), 0);
  assert_int_equal(options_keys(&r, b.family, &e), 0);
  assert_int_equal(options_keys(&r, NULL, &e), ERR_USAGE);
  assert_int_equal(parse(&r, "bowl --arhc gfx906", &e), 0);
  assert_int_equal(options_keys(&r, b.family, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "did you mean --arch?"));
  assert_int_equal(parse(&r, "bowl --zzzzzz 6", &e), 0);
  assert_int_equal(options_keys(&r, b.family, &e), ERR_USAGE);
  assert_null(strstr(e.text, "did you mean"));
  bowl_close(&b);
}

/* Whole numbers may have an exponent, as they may in a problem's keys. */
static void whole_numbers(void **state)
{
  (void)state;
  struct options r;
  struct err e;
  assert_int_equal(parse(&r, "gemm --evals 1e3 --seed 9e15", &e), 0);
  assert_int_equal(r.evals, 1000);
  assert_true(r.seed == 9000000000000000);
  assert_int_equal(parse(&r, "gemm --evals 0x10", &e), ERR_USAGE);
}

/* What a verb does not use is refused, and who uses it is named. */
static void strangers_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *line, *verb, *says; /* NULL: fine */
  } table[] = {
      {"gemm --evals 5 --json --json", "tune", NULL},
      {"gemm --vary pad_a", "tune",
       "--vary has no effect here; it is an option of `tune explain`"},
      {"gemm --svg x", "tune", "`tune explain`"},
      {"gemm --svg x", "explain", NULL},
      {"show --set a=1", "show", "`tune FAMILY`, `tune emit`, `tune explain`"},
      {"show --device sim", "show", "--device has no effect here"},
      {"lds --budget 5", "tune", "`tune lds --solve`"},
      {"lds --solve --budget 5 --set a=1 --set b=2", "solve", NULL},
      {"lds --solve --evals 5", "solve", "--evals has no effect here"},
      {"list --arch gfx906", "list", "--arch has no effect here"},
      {"list --help --version --templates x", "list", NULL},
  };
  struct options r;
  struct err e;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    assert_int_equal(parse(&r, table[i].line, &e), 0);
    assert_int_equal(options_uses(&r, table[i].verb, &e),
                     table[i].says ? ERR_USAGE : 0);
    if (table[i].says && !strstr(e.text, table[i].says))
      fail_msg("%s: %s", table[i].line, e.text);
  }
}

/* On the page of each verb that takes it, in 80 columns. */
static void every_option_is_explained(void **state)
{
  (void)state;
  const char *form, *meaning, *verb;
  size_t i = 0, options = 0, shown = 0;
  for (size_t v = 0; cli_verb(v); v++) {
    verb = cli_verb(v)->name;
    for (i = 0; options_help(i, verb, &form, &meaning); i++) {
      assert_true(strlen(meaning) > 5 && strlen(meaning) <= 53);
      assert_true(!form || strlen(form) <= 24);
      assert_true(!form || !strncmp(form, "--", 2));
      shown += form != NULL;
    }
    options = i;
  }
  assert_true(options > 10);
  assert_true(shown > 2 * options && shown < 8 * options);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_and_keys),
      cmocka_unit_test(defaults),
      cmocka_unit_test(wrong_usage_is_said),
      cmocka_unit_test(words_have_a_limit),
      cmocka_unit_test(whole_numbers),
      cmocka_unit_test(strangers_are_refused),
      cmocka_unit_test(unknown_options_are_suggested),
      cmocka_unit_test(every_option_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
