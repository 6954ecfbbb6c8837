/* warm_search.c - a search with a warm start tries each configuration once,
 * and misses none. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bowl.h"
#include "tuner/replay/rivals.h"
#include "tuner/session/warm_search.h"
#include "tuner/search/config_set.h"

enum {MOST = 4096};

struct trace {
  size_t n;
  struct config at[MOST];
  double best;
};

/* Near the bottom of the valley, and anywhere. */
static const struct config starts[] = {
    {{5, 3, 6, 2, 4, 0}}, {{5, 3, 6, 2, 3, 1}}, {{0, 0, 0, 0, 0, 1}}};
enum {STARTS = sizeof starts / sizeof *starts};

/* The session's order: ask ahead, tell the oldest. */
static void run(struct space *space, const struct search_ops *ops,
                uint64_t seed, size_t nstarts, size_t evals, struct trace *t)
{
  struct warm_search s = warm_search_open(search_open(ops, space, seed),
                                          starts, nstarts);
  size_t told = 0;
  int ended = 0;
  *t = (struct trace){.best = INFINITY};
  while (!ended || told < t->n) {
    enum search_answer a = SEARCH_CONFIG;
    while (!ended && a == SEARCH_CONFIG && t->n - told < SEARCH_AHEAD) {
      a = t->n < evals ? warm_search_ask(&s, &t->at[t->n]) : SEARCH_END;
      t->n += a == SEARCH_CONFIG;
      ended = a == SEARCH_END;
    }
    assert_true(told < t->n || ended); /* or it hangs */
    if (told == t->n)
      continue;
    double cost = bowl_cost(&t->at[told]);
    t->best = fmin(t->best, cost);
    warm_search_tell(&s, &t->at[told++], cost);
  }
  warm_search_close(&s);
}

static void all_are_new(const struct trace *t)
{
  struct config_set seen = {0};
  for (size_t i = 0; i < t->n; i++)
    assert_true(config_set_add(&seen, &t->at[i]));
  config_set_free(&seen);
}

static void starts_come_first_and_once(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  const struct search_ops *ops;
  static struct trace t, again;
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    run(b.space, ops, 5, STARTS, 300, &t);
    assert_int_equal(t.n, 300);
    assert_memory_equal(t.at, starts, sizeof starts);
    all_are_new(&t);
    run(b.space, ops, 5, STARTS, 300, &again);
    assert_memory_equal(t.at, again.at, sizeof t.at);
    run(b.space, ops, 5, STARTS, 2, &t);
    assert_int_equal(t.n, 2);
  }
  bowl_close(&b);
}

/* In a space of 27 points, three of them starts, all are tried. */
static void none_is_missed(void **state)
{
  (void)state;
  static const size_t values[] = {3, 3, 3};
  struct config points[27] = {0};
  struct config few[STARTS];
  const struct search_ops *ops;
  for (int i = 0; i < 27; i++)
    points[i] = (struct config){
        {(uint8_t)(i / 9), (uint8_t)(i / 3 % 3), (uint8_t)(i % 3)}};
  for (int i = 0; i < STARTS; i++)
    few[i] = points[i * 5];
  struct space *space = space_open_list(values, 3, points, 27);
  for (size_t i = 0; (ops = replay_list[i]); i++) {
    struct warm_search s = warm_search_open(search_open(ops, space, 1), few,
                                            STARTS);
    static struct trace t;
    enum search_answer a;
    t.n = 0;
    while ((a = warm_search_ask(&s, &t.at[t.n])) == SEARCH_CONFIG) {
      warm_search_tell(&s, &t.at[t.n], 1 + t.at[t.n].at[0]);
      t.n++;
    }
    assert_int_equal(a, SEARCH_END);
    assert_int_equal(t.n, 27);
    all_are_new(&t);
    warm_search_close(&s);
  }
  space_close(space);
}

/* The bottom is one step from the first seed: those that learn get there
 * sooner than from nowhere (searches_find_the_valley: 120), 18 of 20 times. */
static void the_search_learns_from_them(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static const struct search_ops *const list[] = {&search_bayes,
                                                  &search_local};
  static struct trace t;
  for (size_t i = 0; i < 2; i++) {
    int there = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      run(b.space, list[i], seed, STARTS, 60, &t);
      there += t.best == 1;
    }
    assert_true(there >= 18);
  }
  bowl_close(&b);
}

static void without_starts_it_is_the_search(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct trace t;
  run(b.space, &search_local, 5, 0, 100, &t);
  struct search s = search_open(&search_local, b.space, 5);
  struct config c;
  for (size_t i = 0; i < SEARCH_AHEAD; i++) {
    assert_int_equal(search_ask(&s, &c), SEARCH_CONFIG);
    assert_memory_equal(&c, &t.at[i], sizeof c);
  }
  search_close(&s);
  bowl_close(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_come_first_and_once),
      cmocka_unit_test(none_is_missed),
      cmocka_unit_test(the_search_learns_from_them),
      cmocka_unit_test(without_starts_it_is_the_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
