/* report_judge.c - which differences between two nights are told: nights are
 * made with the noise that real cards show, and timed as the program times. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tuner/device/timing.h"
#include "tuner/report/judge.h"

enum {PROBLEMS = 150, NIGHTS = 101};

/* Launches on an MI50, of 15792 recorded configurations of a gemm: coefficient
 * of variation 0.7 % in the median and 1.5 % at the 90th percentile, so its
 * logarithm has a deviation of ln(1.5 / 0.7) / 1.2816. Two runs of one kernel
 * on a warm card differ by 0.14 %. */
static const double cv_median = 0.007, cv_p90 = 0.015, between = 0.0014;
static const double together = 0.001; /* what all problems of a night share */

/* One launch in fifty meets something else on the card. */
static const double disturbed = 0.02, disturbance = 0.08;

struct card {
  struct rng rng;
  double cv[PROBLEMS];
  double us, now; /* of the problem that runs; the card's clock */
  double spread;
};

static double normal(struct rng *r)
{
  double u = rng_unit(r), v = rng_unit(r);
  return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

static int launch(void *user, size_t which, double *us, struct err *e)
{
  struct card *c = user;
  (void)which;
  (void)e;
  *us = c->us * exp(c->spread * normal(&c->rng));
  if (rng_unit(&c->rng) < disturbed)
    *us *= 1 + disturbance * rng_unit(&c->rng);
  c->now += 1e-6 * *us;
  return 0;
}

static double now(void *user)
{
  return ((struct card *)user)->now;
}

static void card_make(struct card *c, uint64_t seed)
{
  *c = (struct card){.now = 1};
  rng_seed(&c->rng, seed);
  double deviation = log(cv_p90 / cv_median) / 1.2816;
  for (size_t i = 0; i < PROBLEMS; i++)
    c->cv[i] = cv_median * exp(deviation * normal(&c->rng));
}

/* A night of all problems, each `change` times as slow as it was, which are
 * added to their noise. As in the program, what is stored of a problem comes
 * from the race of its fastest candidates. */
static void night(struct card *c, const double *change, struct noise *noise,
                  struct timed *out)
{
  enum {FINALISTS = 3};
  struct stopwatch watch = {.user = c, .launch = launch, .now = now};
  struct timing_rule rule = timing_rule(0, 0.005, 0);
  double all = together * normal(&c->rng);
  for (size_t i = 0; i < PROBLEMS; i++) {
    struct timing t[FINALISTS];
    c->us = 100 * (double)(i + 1) * (change ? change[i] : 1) *
            exp(all + between * normal(&c->rng));
    c->spread = c->cv[i];
    assert_int_equal(timing_finals(&rule, &watch, FINALISTS, t, NULL), 0);
    out[i] = (struct timed){t[0].us, t[0].mad_us, t[0].n};
    noise_add(&noise[i], &out[i]);
  }
}

static size_t alarms(const struct timed *a, const struct timed *b,
                     const struct noise *noise, struct judged *out)
{
  struct pair_timed pairs[PROBLEMS];
  size_t n = 0;
  for (size_t i = 0; i < PROBLEMS; i++)
    pairs[i] = (struct pair_timed){a[i], b[i], noise[i]};
  judge_all(pairs, PROBLEMS, JUDGE_DRIFT, out);
  for (size_t i = 0; i < PROBLEMS; i++)
    n += out[i].alarm != 0;
  return n;
}

static void unchanged_nights_are_quiet(void **state)
{
  struct card card;
  struct timed two[2][PROBLEMS];
  struct judged judged[PROBLEMS];
  struct noise noise[PROBLEMS] = {{0}};
  size_t false_alarms = 0;
  (void)state;
  card_make(&card, 1);
  night(&card, NULL, noise, two[0]);
  for (size_t i = 1; i < NIGHTS; i++) {
    night(&card, NULL, noise, two[i % 2]);
    false_alarms += alarms(two[(i + 1) % 2], two[i % 2], noise, judged) > 0;
  }
  print_message("%d unchanged nights of %d problems: %zu with an alarm\n",
                NIGHTS - 1, PROBLEMS, false_alarms);
  assert_true(false_alarms <= 1);
}

/* Of 150 changes, ten in a night after so many others; all of one factor. */
static double found(double factor, size_t nights, uint64_t seed)
{
  enum {CHANGED = 10, TIMES = 15};
  struct card card;
  struct timed a[PROBLEMS], b[PROBLEMS];
  struct judged judged[PROBLEMS];
  struct noise before[PROBLEMS] = {{0}}, noise[PROBLEMS];
  double change[PROBLEMS];
  size_t hits = 0;
  card_make(&card, seed);
  for (size_t k = 0; k < nights; k++)
    night(&card, NULL, before, a);
  for (size_t k = 0; k < TIMES; k++) {
    for (size_t i = 0; i < PROBLEMS; i++)
      change[i] = i % (PROBLEMS / CHANGED) == k ? factor : 1;
    memcpy(noise, before, sizeof noise);
    night(&card, NULL, noise, a);
    night(&card, change, noise, b);
    alarms(a, b, noise, judged);
    for (size_t i = 0; i < PROBLEMS; i++)
      hits += fabs(change[i] - 1) > 0 && judged[i].alarm &&
              (judged[i].d > 0) == (factor > 1);
  }
  return (double)hits / (TIMES * CHANGED);
}

static void changes_of_three_percent_are_found(void **state)
{
  (void)state;
  double slower = found(1.03, 5, 2), faster = found(1 / 1.03, 5, 3);
  double at_once = found(1.03, 0, 4), one = found(1.01, 5, 5);
  print_message("found of 150 changes: 3 %% slower %.1f %%, 3 %% faster "
                "%.1f %%; without earlier nights %.1f %%; 1 %% slower %.1f "
                "%%\n", 100 * slower, 100 * faster, 100 * at_once, 100 * one);
  assert_true(slower >= 0.97 && faster >= 0.97);
  assert_true(at_once >= 0.9);
}

/* Holm's own description: the smallest p against alpha/n, the next against
 * alpha/(n-1), and so on until one is larger. */
static void holm(void **state)
{
  static const double p[] = {0.011, 0.02, 0.04, 0.005, 0.9};
  static const int at_five[] = {1, 0, 0, 1, 0};
  int alarm[5];
  (void)state;
  judge_holm(p, 5, 0.05, alarm); /* .005 < .01, .011 < .0125, .02 > .0167 */
  assert_memory_equal(alarm, at_five, sizeof alarm);
  judge_holm(p, 0, 0.05, alarm);
}

/* Quantiles from a table of Student's t; the last row is the normal
 * distribution's (Abramowitz and Stegun, tables 26.10 and 26.5). */
static void students_t(void **state)
{
  static const struct {
    double freedom, t, tails;
  } table[] = {
      {1, 12.706, 0.05},  {2, 9.925, 0.01},   {5, 2.571, 0.05},
      {10, 4.587, 0.001}, {30, 2.750, 0.01},  {120, 3.373, 0.001},
      {1e6, 4.41717, 1e-5},
  };
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    double got = student_tails(table[i].t, table[i].freedom);
    assert_true(fabs(got / table[i].tails - 1) < 2e-3);
    assert_true(fabs(student_tails(-table[i].t, table[i].freedom) - got) <
                1e-15);
  }
  assert_true(fabs(student_tails(0, 3) - 1) < 1e-12);
  assert_true(student_tails(INFINITY, 3) == 0);
}

/* 1.4826 * 0.005 * sqrt(pi/2 * 2/25) = 0.0026279. */
static void errors(void **state)
{
  struct timed a = {100, 0.5, 25}, b = {200, 1.0, 25};
  (void)state;
  assert_true(fabs(judge_error(&a, &b, judge_spread(&a)) - 0.0026279) < 1e-6);
}

/* Without any spread, as of one launch each, the drift is all there is. */
static void single_launches(void **state)
{
  struct pair_timed pairs[2] = {{.before = {100, 0, 1}, .after = {101, 0, 1}},
                                {.before = {50, 0, 1}, .after = {50, 0, 1}}};
  struct judged out[2];
  (void)state;
  judge_all(pairs, 2, 0.002, out);
  assert_true(fabs(out[0].se - 0.002) < 1e-12 && out[0].alarm);
  assert_true(out[1].p == 1 && !out[1].alarm);
  judge_all(pairs, 0, 0.002, out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holm),
      cmocka_unit_test(students_t),
      cmocka_unit_test(errors),
      cmocka_unit_test(single_launches),
      cmocka_unit_test(unchanged_nights_are_quiet),
      cmocka_unit_test(changes_of_three_percent_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
