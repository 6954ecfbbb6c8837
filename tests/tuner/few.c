/* few.c - the chosen kernels' losses against sums done by hand, and the choice
 * against all sets there are. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/hash.h"
#include "base/rng.h"
#include "tests/base/folder.h"
#include "tuner/store/few.h"

static void add(struct results *r, int problem, int config, double us)
{
  struct record *one = record_new();
  record_set(one, "problem", "m=%d", problem);
  record_set(one, "config", "x=%d", config);
  record_set(one, "status", "ok");
  record_set(one, "time_us", "%.6g", us);
  results_add(r, one);
}

/* Kernel 1 is right for both, if one is chosen: 1.1 * 1.2 against 2 and 3. */
static void losses_are_what_was_timed(void **state)
{
  (void)state;
  struct results r = {0};
  struct few f;
  add(&r, 1, 0, 10);
  add(&r, 1, 1, 11);
  add(&r, 1, 2, 30);
  add(&r, 2, 0, 20);
  add(&r, 2, 1, 12);
  add(&r, 2, 2, 10);
  add(&r, 3, 2, 5); /* timed with kernel 2 alone */
  few_open(&f, &r);
  assert_int_equal(f.nproblems, 3);
  assert_int_equal(f.nkernels, 3);
  few_choose(&f, 2);
  assert_int_equal(f.nchosen, 2);
  assert_true(fabs(few_cost(&f)) < 1e-9); /* 0 and 2 */
  r.n = 6; /* without the third problem */
  struct few g;
  few_open(&g, &r);
  few_choose(&g, 1);
  assert_string_equal(g.kernels[g.chosen[0]], "x=1");
  assert_true(fabs(g.problems[0].loss - 0.1) < 1e-9);
  assert_true(fabs(g.problems[1].loss - 0.2) < 1e-9);
  few_free(&g);
  r.n = 7;
  few_choose(&f, 1);
  for (int i = 0; i < 3; i++) /* x=2 covers all: ln 3 against 2 ln 1.1 + ln 4 */
    assert_true(f.problems[i].loss >= 0);
  few_free(&f);
  results_free(&r);
}

/* A row's `tried` names configurations by the first digits of their hashes. */
static void tried_counts(void **state)
{
  (void)state;
  struct results r = {0};
  struct few f;
  char hash[HASH_TEXT];
  add(&r, 1, 0, 10);
  add(&r, 2, 1, 10);
  hash_hex("x=0", 3, hash);
  record_set(r.list[1], "tried", "00000000:1,%.8s:15,bad", hash);
  few_open(&f, &r);
  few_choose(&f, 1);
  assert_string_equal(f.kernels[f.chosen[0]], "x=0");
  assert_true(fabs(f.problems[1].loss - 0.5) < 1e-9);
  few_free(&f);
  results_free(&r);
}

static double cost_of(struct few *f, size_t a, size_t b, size_t c)
{
  f->chosen[0] = a;
  f->chosen[1] = b;
  f->chosen[2] = c;
  f->nchosen = 3;
  return few_cost(f);
}

/* Three of nine, 100 times: what is saved against covering nothing is never less
 * than greedy's bound of 1 - 1/e of what the best set saves (Nemhauser, Wolsey,
 * Fisher, Mathematical Programming 14, 1978), and mostly all of it. */
static void choice_is_near_the_best(void **state)
{
  enum {PROBLEMS = 15, KERNELS = 9, TIMES = 100};
  (void)state;
  struct rng rng;
  int best = 0;
  rng_seed(&rng, 1);
  for (int i = 0; i < TIMES; i++) {
    struct results r = {0};
    struct few f;
    for (int p = 0; p < PROBLEMS; p++)
      for (int k = 0; k < KERNELS; k++)
        if (rng_below(&rng, 4))
          add(&r, p, k, 1 + 3 * rng_unit(&rng));
    few_open(&f, &r);
    few_choose(&f, 3);
    double found = few_cost(&f), least = INFINITY;
    for (size_t a = 0; a < f.nkernels; a++)
      for (size_t b = 0; b < a; b++)
        for (size_t c = 0; c < b; c++)
          least = fmin(least, cost_of(&f, a, b, c));
    assert_true(found >= least - 1e-9);
    double none = PROBLEMS * log(UNCOVERED);
    assert_true(none - found >= (1 - exp(-1)) * (none - least));
    best += found < least + 1e-9;
    few_free(&f);
    results_free(&r);
  }
  assert_in_range(best, 60, TIMES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses_are_what_was_timed),
      cmocka_unit_test(tried_counts),
      cmocka_unit_test(choice_is_near_the_best),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
