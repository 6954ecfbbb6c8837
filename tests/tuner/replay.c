/* replay.c - what replay computes, against counts made by hand. */
// SPDX-License-Identifier: MIT
#include "tuner/replay/rivals.h"
#include "tuner/replay/replay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MI50 SOURCE_DIR "/tests/data/mi50_conv2d.tsv"

static struct recording *read(const char *path)
{
  struct recording *r;
  struct err e = {0};
  if (recording_read(&r, path, &e))
    fail_msg("%s", e.text);
  return r;
}

/* The budget of the published score on this space is 6 evaluations by the
 * authors' own program. */
static void the_published_budget(void **state)
{
  (void)state;
  struct recording *r = read(MI50);
  struct replay_target t;
  replay_target(r, &t);
  assert_int_equal(t.to, 6);
  assert_true(fabs(t.optimum - 1.486293) < 1e-6);
  recording_close(r);
}

/* Ten points in the order in which they are enumerated: 10, fails, 8, 7, ...
 * 1 ms. An exhaustive search is at the optimum after all 10; no seed matters.
 * P: of the 9 that ran, 99 % of the way from the median 5 to 1 is met at index
 * 5 from the worst, 95 % at 8: from 5 / 5 = 1 to 8 / 2 = 4 evaluations. There
 * random search is expected at index 10/2 = 5 (4 ms), 20/3 = 7 (2 ms), then
 * at the optimum, where nothing can be compared; the search has 10 ms:
 * ((4 - 10) / (4 - 1) + (2 - 10) / (2 - 1)) / 2. */
static void an_exhaustive_run_is_counted(void **state)
{
  (void)state;
  struct str text = {0};
  struct recording *r;
  struct replay_target t;
  struct replay_score s;
  str_add(&text, "a\tstatus\ttime\n");
  for (int i = 0; i < 10; i++)
    str_addf(&text, "%d\t%s\t%d\n", i, i == 1 ? "timeout" : "ok", 10 - i);
  assert_int_equal(recording_parse(&r, "x", text.at, text.len, NULL), 0);
  replay_target(r, &t);
  assert_true(t.optimum == 1 && t.median == 5);
  assert_true(t.from == 1 && t.to == 4);
  for (size_t ahead = 1; ahead <= 16; ahead += 5) {
    replay_score(r, &t, &search_exhaustive, 1, 3, ahead, &s);
    assert_true(s.fraction[0] == 1);
    assert_true(s.expected[0] == 10 && s.expected[1] == 10);
    assert_int_equal(s.reached[1], 3);
    assert_true(s.p == -5);
  }
  recording_close(r);
  str_free(&text);
}

/* A slope of 255 values by 2, the most that a recording has: the default search goes
 * down it, and none looks beyond its tables. */
static void tunables_have_255_values(void **state)
{
  (void)state;
  const struct search_ops *ops;
  struct str text = {0};
  struct recording *r;
  struct replay_target t;
  struct replay_score s;
  str_add(&text, "a\tb\tstatus\ttime\n");
  for (int i = 0; i < 2 * RECORDING_VALUES; i++)
    str_addf(&text, "%d\t%d\tok\t%d\n", i / 2, i % 2, 1000 - i);
  assert_int_equal(recording_parse(&r, "x", text.at, text.len, NULL), 0);
  replay_target(r, &t);
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    replay_score(r, &t, ops, 1, 1, 8, &s);
    assert_true(s.fraction[REPLAY_AFTER - 1] > (i == 0 ? 0.99 : 0.5));
  }
  recording_close(r);
  str_free(&text);
}

/* Random draws from n points, g of them good, meet the first good one at
 * (n + 1) / (g + 1): three points lie within 5 % here. The mean of 400 runs
 * is known to about 8 %; three of these. */
static void random_search_meets_its_expectation(void **state)
{
  (void)state;
  struct recording *r = read(MI50);
  struct replay_target t;
  struct replay_score s;
  replay_target(r, &t);
  replay_score(r, &t, &search_random, 1, 400, 8, &s);
  double want = (2442 + 1) / (3 + 1.);
  assert_true(fabs(s.expected[0] / want - 1) < 0.15);
  recording_close(r);
}

/* Two halves make the whole: evaluations add up where every run arrives. */
static void seeds_begin_where_asked(void **state)
{
  (void)state;
  struct recording *r = read(MI50);
  struct replay_target t;
  struct replay_score low, high, all;
  replay_target(r, &t);
  replay_score(r, &t, &search_bayes, 1, 10, 8, &low);
  replay_score(r, &t, &search_bayes, 11, 10, 8, &high);
  replay_score(r, &t, &search_bayes, 1, 20, 8, &all);
  assert_int_equal(low.reached[0] + high.reached[0], 20);
  assert_true(low.expected[0] != high.expected[0]);
  double mean = (low.expected[0] + high.expected[0]) / 2;
  assert_true(fabs(mean - all.expected[0]) < 1e-9);
  recording_close(r);
}

static double score(struct recording *r, const struct search_ops *ops)
{
  struct replay_target t;
  struct replay_score s;
  replay_target(r, &t);
  replay_score(r, &t, ops, 1, 20, SEARCH_AHEAD, &s);
  return s.expected[0];
}

static void every_search_that_learns_beats_random(void **state)
{
  (void)state;
  struct recording *r = read(MI50);
  static const struct search_ops *const learning[] = {
      &search_bayes,  &search_forest,    &search_local,
      &search_genetic, &search_annealing, &search_hybrid};
  for (size_t i = 0; i < sizeof learning / sizeof *learning; i++)
    assert_true(score(r, learning[i]) < 300);
  recording_close(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_published_budget),
      cmocka_unit_test(an_exhaustive_run_is_counted),
      cmocka_unit_test(tunables_have_255_values),
      cmocka_unit_test(random_search_meets_its_expectation),
      cmocka_unit_test(seeds_begin_where_asked),
      cmocka_unit_test(every_search_that_learns_beats_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
