/* guessed.c - what a guess likes best: legal, new, each of another kind, and found. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "bowl.h"
#include "tuner/search/guessed.h"

enum {APART = 3, SEEDS = 10};

static double by_cost(void *user, const struct config *c)
{
  (void)user;
  return bowl_cost(c);
}

static double none(void *user, const struct config *c)
{
  (void)user;
  (void)c;
  return INFINITY;
}

static void fill(struct bowl *b, struct guessed *g, const struct config_set *seen,
                 double (*guess)(void *, const struct config *), uint64_t seed)
{
  struct rng r;
  rng_seed(&r, seed);
  guessed_fill(g, b->space, seen, (struct prior){guess, NULL}, &r);
}

static int differ(const struct bowl *b, const struct config *x, const struct config *y)
{
  int n = 0;
  for (size_t t = 0; t < space_tunables(b->space); t++)
    n += x->at[t] != y->at[t];
  return n;
}

/* Of 8^6 configurations 4000 draws alone have the lowest one time in 60. */
static void the_best_is_found(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct guessed g;
  int found = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    fill(&b, &g, &(struct config_set){0}, by_cost, seed);
    found += g.guess[0] == 1;
  }
  assert_true(found >= SEEDS - 1);
  bowl_close(&b);
}

static void each_is_of_another_kind(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct guessed g;
  fill(&b, &g, &(struct config_set){0}, by_cost, 1);
  assert_true(g.n > 20);
  for (size_t i = 0; i < g.n; i++) {
    assert_null(space_rule(b.space, &g.at[i]));
    assert_true(g.guess[i] == bowl_cost(&g.at[i]));
    assert_true(i == 0 || g.guess[i - 1] <= g.guess[i]);
    for (size_t j = 0; j < i; j++)
      assert_true(differ(&b, &g.at[i], &g.at[j]) >= APART);
  }
  bowl_close(&b);
}

static void what_was_tried_does_not_come_again(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct guessed g;
  struct config_set seen = {0};
  fill(&b, &g, &seen, by_cost, 1);
  config_set_add(&seen, &g.at[0]);
  struct config first = g.at[0];
  fill(&b, &g, &seen, by_cost, 2);
  for (size_t i = 0; i < g.n; i++)
    assert_int_not_equal(differ(&b, &g.at[i], &first), 0);
  config_set_free(&seen);
  bowl_close(&b);
}

/* It ends, and whatever there is is legal. */
static void nothing_can_be_guessed(void **state)
{
  (void)state;
  struct bowl b = bowl_open();
  static struct guessed g;
  fill(&b, &g, &(struct config_set){0}, none, 1);
  assert_true(g.n > 0);
  for (size_t i = 0; i < g.n; i++)
    assert_null(space_rule(b.space, &g.at[i]));
  bowl_close(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_is_found),
      cmocka_unit_test(each_is_of_another_kind),
      cmocka_unit_test(what_was_tried_does_not_come_again),
      cmocka_unit_test(nothing_can_be_guessed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
