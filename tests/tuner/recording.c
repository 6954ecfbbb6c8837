/* recording.c - reading recordings: the three formats, and damaged ones. */
// SPDX-License-Identifier: MIT
#include "tuner/replay/recording.h"

#include <math.h>
#include <string.h>

#include "tests/base/folder.h"
#include "tests/fuzz/recording.h"

#define MI50 SOURCE_DIR "/tests/data/mi50_conv2d.tsv"

static const char tsv[] = "# a comment\n"
                          "wide\tkind\tstatus\tn\tmean_ms\n"
                          "16\tb\tok\t32\t2.5\n"
                          "2\ta\tok\t32\t1.5\n"
                          "16\ta\tcompile\t0\t-\n"
                          "2\tb\tok\t32\t4\n";

static const char t4[] =
    "{\"schema_version\": \"1.0.0\", \"results\": [\n"
    "{\"configuration\": {\"wide\": 16, \"kind\": \"b\"}, \"objectives\": "
    "[\"time\"], \"times\": {\"runtimes\": [9]}, \"invalidity\": \"correct\", "
    "\"measurements\": [{\"name\": \"time\", \"value\": \"2.5\"}]},\n"
    "{\"configuration\": {\"wide\": 2, \"kind\": \"a\"}, \"times\": "
    "{\"runtimes\": [1, 2]}, \"invalidity\": \"correct\"},\n"
    "{\"configuration\": {\"wide\": 16, \"kind\": \"a\"}, \"times\": {}, "
    "\"invalidity\": \"compile\"},\n"
    "{\"configuration\": {\"wide\": 2, \"kind\": \"b\"}, \"times\": "
    "{\"runtimes\": [4]}, \"invalidity\": \"correct\"}]}\n";

static const char cache[] =
    "{\"tune_params_keys\": [\"wide\", \"kind\"],\n\"cache\": {\n"
    "\"16,b\": {\"wide\": 16, \"kind\": \"b\", \"time\": 2.5},\n"
    "\"2,a\": {\"wide\": 2, \"kind\": \"a\", \"time\": 1.5},\n"
    "\"16,a\": {\"wide\": 16, \"kind\": \"a\", \"time\": "
    "\"CompilationFailedConfig\"},\n"
    "\"2,b\": {\"wide\": 2, \"kind\": \"b\", \"time\": 4}";

static struct recording *parse(const char *text)
{
  struct recording *r;
  struct err e = {0};
  if (recording_parse(&r, "x", text, strlen(text), &e))
    fail_msg("%s", e.text);
  return r;
}

/* wide by size: 2, 16; kind as it comes: b, a. */
static void expect_points(const char *text)
{
  struct recording *r = parse(text);
  const double *times;
  static const struct {
    struct config c;
    double ms;
  } points[] = {{{{1, 0}}, 2.5}, {{{0, 1}}, 1.5}, {{{1, 1}}, INFINITY},
                {{{0, 0}}, 4}};
  struct str name = {0};
  assert_int_equal(recording_size(r), 4);
  for (size_t i = 0; i < 4; i++)
    assert_true(recording_cost(r, &points[i].c) == points[i].ms);
  assert_int_equal(recording_times(r, &times), 3);
  assert_true(times[0] == 4 && times[1] == 2.5 && times[2] == 1.5);
  assert_int_equal(space_count(recording_space(r)), 4);
  recording_format(r, &points[1].c, &name);
  assert_string_equal(name.at, "wide=2,kind=a");
  str_free(&name);
  recording_close(r);
}

static void three_formats_give_the_same(void **state)
{
  (void)state;
  char closed[sizeof cache + 2];
  expect_points(tsv);
  expect_points(t4);
  snprintf(closed, sizeof closed, "%s}}", cache);
  expect_points(closed);
}

static void a_cache_cut_short_is_read(void **state)
{
  (void)state;
  char open[sizeof cache + 2];
  expect_points(cache);
  snprintf(open, sizeof open, "%s,\n", cache);
  expect_points(open);
}

static void expect_error(const char *text, const char *says)
{
  struct recording *r;
  struct err e = {0};
  assert_int_equal(recording_parse(&r, "x", text, strlen(text), &e),
                   ERR_FAILED);
  assert_null(r);
  if (!strstr(e.text, says))
    fail_msg("'%s' does not say '%s'", e.text, says);
}

static void damage_is_named(void **state)
{
  (void)state;
  expect_error("", "x: no head line");
  expect_error("# only\n", "x: no head line");
  expect_error("a\tmean_ms\n", "x:1: no column 'status'");
  expect_error("a\tstatus\n", "x:1: no column 'mean_ms'");
  expect_error("a\ta\tstatus\ttime\n", "x:1: the tunable 'a' stands twice");
  expect_error("a\tstatus\ttime\n1\tok\n", "x:2: 2 columns where the head");
  expect_error("a\tstatus\ttime\n1\tok\tfast\n", "x:2: 'fast' is no time");
  expect_error("a\tstatus\ttime\n1\tok\t-1\n", "x:2: the time -1");
  expect_error("a\tstatus\ttime\n\n1\tok\t1\n1\tok\t1\n", "a=1 stands twice");
  expect_error("a\tstatus\ttime\n1\twrong\t-\n", "no configuration that was");
  expect_error("{\n\n\"results\": [,]}", "x:3: ");
  expect_error("{\"results\": [{}]}", "x: result 1: no invalidity");
  expect_error("{\"results\": []}", "no configuration that was timed");
  expect_error("{\"other\": 1}", "neither T4");
  expect_error("{\"cache\": {}}", "no tune_params_keys");
  expect_error("{\"tune_params_keys\": [\"a\"],\n\"cache\": {\n\"1\": {\"a\": 1}"
               "}}", "x:3: entry 1: no time");
}

static void a_real_one_is_read(void **state)
{
  (void)state;
  struct recording *r;
  struct err e = {0};
  const double *times;
  assert_int_equal(recording_read(&r, MI50, &e), 0);
  assert_int_equal(recording_times(r, &times), 2442);
  assert_true(fabs(times[2441] - 1.486293) < 1e-6); /* awk's minimum */
  recording_close(r);
}

static void damaged_files_survive(void **state)
{
  (void)state;
  static const char *const texts[] = {tsv, t4, cache};
  struct rng rng;
  int good = 0;
  rng_seed(&rng, 1);
  for (int i = 0; i < 20000; i++)
    good += recording_damaged(texts[i % 3], &rng);
  assert_in_range(good, 1000, 19000); /* both ways are gone */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_formats_give_the_same),
      cmocka_unit_test(a_cache_cut_short_is_read),
      cmocka_unit_test(damage_is_named),
      cmocka_unit_test(a_real_one_is_read),
      cmocka_unit_test(damaged_files_survive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
