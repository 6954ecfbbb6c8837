/* search.c - searches on a synthetic space: repeatable, legal, good. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bowl.h"
#include "tuner/replay/rivals.h"
#include "tuner/search/config_set.h"

enum {EVALS = 400};

struct trace {
  size_t n;
  struct config at[EVALS];
  double best;
  size_t best_at;
};

/* The session's own order: ask ahead, tell the oldest. */
static void run_advised(struct bowl *b, const struct search_ops *ops,
                        uint64_t seed, size_t evals,
                        double (*cost)(const struct config *),
                        struct prior prior, struct trace *t)
{
  struct search s = search_open(ops, b->space, seed);
  search_advise(&s, prior);
  size_t told = 0;
  int ended = 0;
  *t = (struct trace){.best = INFINITY};
  while (!ended || told < t->n) {
    while (!ended && t->n - told < SEARCH_AHEAD && t->n < evals) {
      enum search_answer a = search_ask(&s, &t->at[t->n]);
      if (a != SEARCH_CONFIG) {
        assert_true(a == SEARCH_END || told < t->n); /* or it hangs */
        ended = a == SEARCH_END;
        break;
      }
      t->n++;
    }
    ended = ended || t->n == evals;
    if (told == t->n)
      continue;
    double us = cost(&t->at[told]);
    if (us < t->best) {
      t->best = us;
      t->best_at = told;
    }
    search_tell(&s, &t->at[told], us);
    told++;
  }
  search_close(&s);
}

static void run(struct bowl *b, const struct search_ops *ops, uint64_t seed,
                size_t evals, double (*cost)(const struct config *),
                struct trace *t)
{
  run_advised(b, ops, seed, evals, cost, (struct prior){0}, t);
}

static void proposals_are_legal_and_new(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  const struct search_ops *ops;
  struct trace t;
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    struct config_set seen = {0};
    run(&b, ops, 7, EVALS, bowl_cost, &t);
    assert_int_equal(t.n, EVALS);
    for (size_t j = 0; j < t.n; j++) {
      assert_null(space_rule(b.space, &t.at[j]));
      assert_true(config_set_add(&seen, &t.at[j]));
    }
    config_set_free(&seen);
  }
  bowl_close(&b);
}

static void a_seed_repeats(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  const struct search_ops *ops;
  static struct trace x, y;
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    run(&b, ops, 3, EVALS, bowl_cost, &x);
    run(&b, ops, 3, EVALS, bowl_cost, &y);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.at, y.at, x.n * sizeof *x.at);
  }
  run(&b, &search_local, 4, EVALS, bowl_cost, &y);
  assert_memory_not_equal(x.at, y.at, sizeof x.at);
  bowl_close(&b);
}

/* The valley's floor is 1 of 2^18 points. Those that wander need longer: for
 * each so many evaluations that 18 of 20 runs come within 2 %. */
static void searches_find_the_valley(void **state)
{
  (void)state;
  static const struct {
    const struct search_ops *ops;
    size_t evals;
  } list[] = {{&search_bayes, 120},  {&search_forest, 120}, {&search_local, 120},
              {&search_genetic, 400}, {&search_annealing, 400},
              {&search_hybrid, 400}};
  struct bowl b = bowl_open();
  static struct trace t;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    size_t within = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      run(&b, list[i].ops, seed, list[i].evals, bowl_cost, &t);
      within += t.best <= 1.02;
    }
    if (within < 18)
      fail_msg("%s: %zu of 20", list[i].ops->name, within);
  }
  bowl_close(&b);
}

/* In other units costs are the same; a power of two, for rounding would tell. */
static double bowl_in_other_units(const struct config *c)
{
  return 1024 * bowl_cost(c);
}

static void units_do_not_matter(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct trace x, y;
  run(&b, &search_bayes, 3, EVALS, bowl_cost, &x);
  run(&b, &search_bayes, 3, EVALS, bowl_in_other_units, &y);
  assert_int_equal(x.n, y.n);
  assert_memory_equal(x.at, y.at, x.n * sizeof *x.at);
  bowl_close(&b);
}

static double only_few_run(const struct config *c)
{
  return c->at[0] % 4 == 1 ? bowl_cost(c) : INFINITY;
}

static double none_runs(const struct config *c)
{
  (void)c;
  return INFINITY;
}

static double plateau(const struct config *c)
{
  return c->at[0] == 5 && c->at[1] == 3 ? 1 : 2;
}

static void failures_and_plateaus_do_not_stop_it(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct trace t;
  const struct search_ops *ops;
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    run(&b, ops, 1, EVALS, only_few_run, &t);
    assert_int_equal(t.n, EVALS);
    run(&b, ops, 1, EVALS, none_runs, &t);
    assert_int_equal(t.n, EVALS);
    run(&b, ops, 1, EVALS, plateau, &t);
    assert_int_equal(t.n, EVALS);
  }
  static const struct search_ops *const steady[] = {
      &search_bayes, &search_forest, &search_local};
  for (size_t i = 0; i < sizeof steady / sizeof *steady; i++) {
    run(&b, steady[i], 1, EVALS, only_few_run, &t);
    assert_true(t.best < 1.05);
    run(&b, steady[i], 1, EVALS, plateau, &t);
    assert_true(t.best == 1);
  }
  bowl_close(&b);
}

/* A space that is smaller than a population is tried to its end. */
static void a_small_space_is_exhausted(void **state)
{
  (void)state;
  struct config points[13] = {{{0}}};
  const size_t values[] = {13, 1};
  const struct search_ops *ops;
  for (uint8_t i = 0; i < 13; i++)
    points[i].at[0] = i;
  struct bowl b = {.space = space_open_list(values, 2, points, 13)};
  static struct trace t;
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    run(&b, ops, 1, EVALS, bowl_cost, &t);
    assert_int_equal(t.n, 13);
  }
  space_close(b.space);
}

static void exhaustive_search_ends(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  struct search s = search_open(&search_exhaustive, b.space, 1);
  struct config c;
  uint64_t n = 0;
  while (search_ask(&s, &c) == SEARCH_CONFIG)
    n++;
  assert_int_equal(n, space_count(b.space));
  assert_int_equal(search_ask(&s, &c), SEARCH_END);
  search_close(&s);
  bowl_close(&b);
}

/* --- with a guess --------------------------------------------------------- */

static double knows(void *user, const struct config *c)
{
  (void)user;
  return bowl_cost(c);
}

static double lies(void *user, const struct config *c)
{
  (void)user;
  return 1 / bowl_cost(c);
}

static double has_none(void *user, const struct config *c)
{
  (void)user;
  (void)c;
  return INFINITY;
}

/* Within 2 % of the floor in 18 of 20 runs of so many evaluations? */
static int finds(struct bowl *b, double (*guess)(void *, const struct config *),
                 size_t evals)
{
  int good = 0;
  struct trace t;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    run_advised(b, &search_bayes, seed, evals, bowl_cost,
                (struct prior){guess, NULL}, &t);
    assert_int_equal(t.n, evals);
    good += t.best <= 1.02;
  }
  return good >= 18;
}

/* A good guess is followed, and one that is no good does not keep the search from
 * the floor. */
static void a_guess_is_weighed(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  assert_false(finds(&b, NULL, 40));
  assert_true(finds(&b, knows, 40));
  assert_true(finds(&b, has_none, 160));
  assert_true(finds(&b, lies, 300));
  bowl_close(&b);
}

static void names_are_suggested(void **state)
{
  (void)state;
  const struct search_ops *ops;
  struct err e = {0};
  assert_int_equal(search_find(search_list, "random", &ops, &e), 0);
  assert_ptr_equal(ops, &search_random);
  assert_int_equal(search_find(search_list, NULL, &ops, &e), 0);
  assert_ptr_equal(ops, &search_bayes);
  assert_int_equal(search_find(search_list, "randon", &ops, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "did you mean 'random'"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proposals_are_legal_and_new),
      cmocka_unit_test(a_seed_repeats),
      cmocka_unit_test(searches_find_the_valley),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(failures_and_plateaus_do_not_stop_it),
      cmocka_unit_test(a_small_space_is_exhausted),
      cmocka_unit_test(exhaustive_search_ends),
      cmocka_unit_test(a_guess_is_weighed),
      cmocka_unit_test(names_are_suggested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
