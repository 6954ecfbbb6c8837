/* timing.c - statistics and sampling, on a synthetic device and clock. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "base/stats.h"
#include "tuner/device/timing.h"

/* Candidate i takes us[i], with normal noise of sd[i] * us[i]; the first
 * launches are `cold` times slower; the clock runs with the launches. */
struct device {
  struct rng rng;
  double us[4], sd[4], cold;
  size_t launches[4], order[64], n;
  double clock;
  size_t fail_at; /* launch that fails, from 1 */
  size_t looks, looked_at[16]; /* and how many launches were before each */
};

static double normal(struct rng *r)
{
  double u = rng_unit(r), v = rng_unit(r);
  return sqrt(-2 * log(1 - u)) * cos(2 * acos(-1.0) * v);
}

static int launch(void *user, size_t which, double *us, struct err *e)
{
  struct device *d = user;
  if (d->n < 64)
    d->order[d->n] = which;
  if (++d->n == d->fail_at)
    return err_set(e, ERR_FAILED, "broken");
  *us = d->us[which] * (1 + d->sd[which] * normal(&d->rng));
  if (d->launches[which]++ < 5)
    *us *= 1 + d->cold;
  d->clock += 1e-6 * *us;
  return 0;
}

static double now(void *user)
{
  return ((struct device *)user)->clock;
}

static struct stopwatch watch(struct device *d)
{
  return (struct stopwatch){.user = d, .launch = launch, .now = now};
}

static struct device device(double us, double sd, uint64_t seed)
{
  struct device d = {.us = {us}, .sd = {sd}, .cold = 0.06};
  rng_seed(&d.rng, seed);
  return d;
}

static void medians(void **state)
{
  (void)state;
  double odd[] = {5, 1, 9, 3, 100}, even[] = {4, 1, 2, 3};
  assert_true(stats_median(odd, 5) == 5);
  assert_true(stats_mad(odd, 5) == 4); /* of 0 4 4 2 95 */
  assert_true(stats_median(even, 4) == 2.5);
  assert_true(stats_mad(even, 4) == 1); /* of 1.5 1.5 0.5 0.5 */
  assert_true(odd[0] == 5 && odd[4] == 100); /* left as they were */
}

/* A 95 % interval holds the true median 95 times in 100; with so few samples
 * MAD underestimates a little. */
static void intervals_hold_the_median(void **state)
{
  (void)state;
  struct rng rng;
  int held = 0;
  double x[25];
  rng_seed(&rng, 11);
  for (int i = 0; i < 2000; i++) {
    for (int j = 0; j < 25; j++)
      x[j] = 100 + normal(&rng);
    double w = stats_half_width(stats_mad(x, 25), 25);
    held += fabs(stats_median(x, 25) - 100) <= w;
  }
  assert_in_range(held, 2000 * 88 / 100, 2000 * 99 / 100);
}

static void warm_up_is_not_sampled(void **state)
{
  (void)state;
  struct device d = device(100, 0, 1);
  struct stopwatch w = watch(&d);
  struct timing_rule r = timing_rule(0, 0.01, 0);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_true(t.us == 100 && t.mad_us == 0);
  assert_int_equal(t.n, r.min);
  assert_int_equal(d.n, 5 + r.min);
}

static void noise_takes_more_samples(void **state)
{
  (void)state;
  struct timing quiet, noisy;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct device d = device(100, 0.002, seed), f = device(100, 0.02, seed);
    struct stopwatch w = watch(&d), v = watch(&f);
    struct timing_rule r = timing_rule(0, 0.01, 0);
    assert_int_equal(timing_run(&r, &w, &quiet, NULL), 0);
    assert_int_equal(timing_run(&r, &v, &noisy, NULL), 0);
    assert_true(quiet.n <= noisy.n);
    assert_true(fabs(quiet.us - 100) < 0.5);
    assert_true(fabs(noisy.us - 100) < 4);
  }
  assert_true(noisy.n > 7);
}

static void slow_candidates_are_dropped(void **state)
{
  (void)state;
  struct device d = device(250, 0, 1);
  struct stopwatch w = watch(&d);
  struct timing_rule r = timing_rule(0, 0.01, 100);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_int_equal(t.n, 1);
  assert_true(t.us == 250);
  d = device(190, 0, 1);
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_int_equal(t.n, r.min);
}

static void the_budget_is_hard(void **state)
{
  (void)state;
  struct device d = device(2e6, 0.1, 1); /* two seconds a launch */
  struct stopwatch w = watch(&d);
  struct timing_rule r = timing_rule(0, 0.001, 0);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_true(t.n >= 1);
  assert_true(d.clock < r.seconds + 3 * 2.5); /* one warm-up, one sample over */
}

static void a_modelled_time_is_taken_once(void **state)
{
  (void)state;
  struct device d = device(100, 0, 1);
  struct stopwatch w = watch(&d);
  struct timing_rule r = timing_rule(1, 0.01, 0);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_int_equal(d.n, 1);
  assert_int_equal(t.n, 1);
  assert_true(t.mad_us == 0);
}

static void failures_end_it(void **state)
{
  (void)state;
  struct timing_rule r = timing_rule(0, 0.01, 0);
  for (size_t at = 1; at <= 12; at++) {
    struct device d = device(100, 0, 1);
    struct stopwatch w = watch(&d);
    struct timing t;
    struct err e = {0};
    d.fail_at = at;
    assert_int_equal(timing_run(&r, &w, &t, &e), ERR_FAILED);
    assert_int_equal(d.n, at);
  }
}

static void finalists_take_turns(void **state)
{
  (void)state;
  struct device d = device(0, 0, 5);
  struct stopwatch w = watch(&d);
  struct timing_rule r = timing_rule(0, 0.005, 0);
  struct timing t[3];
  for (int i = 0; i < 3; i++) {
    d.us[i] = 100 + i;
    d.sd[i] = 0.01;
  }
  assert_int_equal(timing_finals(&r, &w, 3, t, NULL), 0);
  for (size_t i = 0; i < 64 && i < d.n; i++)
    assert_int_equal(d.order[i], i % 3);
  assert_int_equal(t[0].n, t[1].n);
  assert_int_equal(t[1].n, t[2].n);
  assert_true(t[0].n >= r.min && t[0].n <= r.max);
  assert_true(fabs(t[2].us - 102) < 1.5);
}

static int look(void *user, size_t which, struct err *e)
{
  struct device *d = user;
  double us;
  d->looked_at[d->looks++ % 16] = d->n;
  return launch(user, which, &us, e);
}

static struct stopwatch looking(struct device *d)
{
  struct stopwatch w = watch(d);
  w.look = look;
  return w;
}

/* The device is looked at in its last warm-up and after the last sample, in
 * launches that are none of the samples. */
static void looks_are_not_sampled(void **state)
{
  (void)state;
  struct device d = device(100, 0, 1);
  struct stopwatch w = looking(&d);
  struct timing_rule r = timing_rule(0, 0.01, 0);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_int_equal(t.n, r.min);
  assert_int_equal(d.n, 5 + r.min + 1);
  assert_int_equal(d.looks, 2);
  assert_int_equal(d.looked_at[0], 4);
  assert_int_equal(d.looked_at[1], 5 + r.min);
}

/* Launches of 100 ms: a look every 0.25 s, so after every second or third. */
static void long_samples_are_looked_at_between(void **state)
{
  (void)state;
  struct device d = device(1e5, 0, 1);
  struct stopwatch w = looking(&d);
  struct timing_rule r = timing_rule(0, 0.01, 0);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_int_equal(t.n, r.min);
  assert_in_range(d.looks, 4, 6);
  assert_int_equal(d.n, 4 + r.min + d.looks);
}

static void what_is_dropped_is_not_looked_at_again(void **state)
{
  (void)state;
  struct device d = device(250, 0, 1);
  struct stopwatch w = looking(&d);
  struct timing_rule r = timing_rule(0, 0.01, 100);
  struct timing t;
  assert_int_equal(timing_run(&r, &w, &t, NULL), 0);
  assert_int_equal(t.n, 1);
  assert_int_equal(d.looks, 1);
}

static void finalists_are_looked_at(void **state)
{
  (void)state;
  struct device d = device(100, 0, 1);
  d.us[1] = 100;
  struct stopwatch w = looking(&d);
  struct timing_rule r = timing_rule(0, 0.01, 0);
  struct timing t[2];
  assert_int_equal(timing_finals(&r, &w, 2, t, NULL), 0);
  assert_int_equal(t[0].n, r.min);
  assert_int_equal(d.looks, 2);
  assert_int_equal(d.looked_at[0], 10);
  assert_int_equal(d.n, 2 * (5 + r.min) + 2);
}

static void a_look_that_fails_ends_it(void **state)
{
  (void)state;
  struct timing_rule r = timing_rule(0, 0.01, 0);
  for (size_t at = 1; at <= 13; at++) {
    struct device d = device(100, 0, 1);
    struct stopwatch w = looking(&d);
    struct timing t;
    struct err e = {0};
    d.fail_at = at;
    assert_int_equal(timing_run(&r, &w, &t, &e), ERR_FAILED);
    assert_int_equal(d.n, at);
  }
}

static void ties_are_within_noise(void **state)
{
  (void)state;
  struct timing a = {100, 0.5, 25}, b = {100.3, 0.5, 25}, c = {103, 0.5, 25};
  assert_true(timing_tie(&a, &b));
  assert_false(timing_tie(&a, &c));
  struct timing x = {100, 0, 1}, y = {100, 0, 1}, z = {100.1, 0, 1};
  assert_true(timing_tie(&x, &y));
  assert_false(timing_tie(&x, &z));
}

static void short_launches_follow_others(void **state)
{
  (void)state;
  assert_int_equal(timing_leads(0), 0);
  assert_int_equal(timing_leads(nan("")), 0);
  assert_int_equal(timing_leads(20), 2); /* 40 us */
  assert_int_equal(timing_leads(499), 1);
  assert_int_equal(timing_leads(500), 0);
  assert_int_equal(timing_leads(0.01), 16);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(medians),
      cmocka_unit_test(intervals_hold_the_median),
      cmocka_unit_test(warm_up_is_not_sampled),
      cmocka_unit_test(noise_takes_more_samples),
      cmocka_unit_test(slow_candidates_are_dropped),
      cmocka_unit_test(the_budget_is_hard),
      cmocka_unit_test(a_modelled_time_is_taken_once),
      cmocka_unit_test(failures_end_it),
      cmocka_unit_test(finalists_take_turns),
      cmocka_unit_test(looks_are_not_sampled),
      cmocka_unit_test(long_samples_are_looked_at_between),
      cmocka_unit_test(what_is_dropped_is_not_looked_at_again),
      cmocka_unit_test(finalists_are_looked_at),
      cmocka_unit_test(a_look_that_fails_ends_it),
      cmocka_unit_test(ties_are_within_noise),
      cmocka_unit_test(short_launches_follow_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
