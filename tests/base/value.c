/* value.c - values as text, the eight words, and near names. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/status.h"
#include "base/suggest.h"
#include "base/value.h"

static void as_people_see_them(void **state)
{
  (void)state;
  static const struct {
    struct value v;
    const char *text;
  } known[] = {
    {{.kind = VALUE_INT, .i = 128}, "128"},
    {{.kind = VALUE_INT, .i = INT64_MIN}, "-9223372036854775808"},
    {{.kind = VALUE_NUM, .d = 0.5}, "0.5"},
    {{.kind = VALUE_NUM, .d = 0.1}, "0.1"},
    {{.kind = VALUE_NUM, .d = -1e300}, "-1e+300"},
    {{.kind = VALUE_STR, .s = "nn"}, "nn"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char text[64];
    value_format(&known[i].v, text, sizeof text);
    assert_string_equal(text, known[i].text);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      assert_int_equal(value_equal(&known[i].v, &known[k].v), i == k);
  }
}

/* What people write for whole numbers, and what is none. */
static void whole_numbers(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    long long value;
  } good[] = {
    {"0", 0}, {"4096", 4096}, {"-1", -1}, {"+7", 7}, {"1e3", 1000},
    {"1E9", 1000000000}, {"2.5e3", 2500}, {"-4e0", -4}, {"16.0", 16},
    {"9223372036854775807", INT64_MAX},
    {"9e15", 9000000000000000},
  };
  static const char *const bad[] = {
    "", " ", "1e-1", "1.5", "0x10", "ten", "4k", " 4", "4 ", "inf", "nan",
    "1e16", "1e999", "e3", "--1", "9223372036854775808", "1e3,", "1,000",
  };
  long long value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(value_whole(good[i].text, &value), 0);
    assert_true(value == good[i].value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (!value_whole(bad[i], &value))
      fail_msg("'%s' is read as %lld", bad[i], value);
}

/* Any double that is read back is the same, to the bit. */
static void numbers_come_back(void **state)
{
  (void)state;
  struct rng r;
  rng_seed(&r, 3);
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = rng_next(&r);
    struct value v = {.kind = VALUE_NUM};
    char text[64];
    memcpy(&v.d, &bits, sizeof bits);
    if (v.d != v.d)
      continue;
    value_format(&v, text, sizeof text);
    double again = strtod(text, NULL);
    assert_memory_equal(&again, &v.d, sizeof again);
  }
}

static void too_little_room(void **state)
{
  (void)state;
  struct value v = {.kind = VALUE_STR, .s = "a long string"};
  char text[4] = "xxx";
  value_format(&v, text, sizeof text);
  assert_string_equal(text, "a l");
}

static void eight_words(void **state)
{
  (void)state;
  static const char *const words[] = {"ok",     "rule",  "compile", "resource",
                                      "launch", "wrong", "timeout", "crash"};
  assert_int_equal(STATUS_N, 8);
  for (int i = 0; i < STATUS_N; i++) {
    assert_string_equal(status_name((enum status)i), words[i]);
    assert_int_equal(status_parse(words[i]), i);
  }
  assert_int_equal(status_parse("OK"), -1);
  assert_int_equal(status_parse(""), -1);
}

static void near_names(void **state)
{
  (void)state;
  static const char *const names[] = {"tile_m", "tile_n", "vector", "pad"};
  static const struct {
    const char *wrong, *right;
  } known[] = {
    {"tile_k", "tile_m"},  {"tilem", "tile_m"},  {"tiel_n", "tile_n"},
    {"vectr", "vector"},   {"dap", NULL},        {"pda", "pad"},
    {"padd", "pad"},       {"unroll", NULL},     {"", NULL},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *found = suggest(known[i].wrong, names, 4);
    if (known[i].right)
      assert_string_equal(found, known[i].right);
    else
      assert_null(found);
  }
  char longest[200];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  const char *const one[] = {longest};
  assert_null(suggest(longest, names, 4));
  assert_null(suggest("xxx", one, 1));
  assert_null(suggest("pad", names, 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(as_people_see_them),
    cmocka_unit_test(whole_numbers),
    cmocka_unit_test(numbers_come_back),
    cmocka_unit_test(too_little_room),
    cmocka_unit_test(eight_words),
    cmocka_unit_test(near_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
