/* list.c - a listed space: its points and no others, by every function. */
// SPDX-License-Identifier: MIT
#include "gen/space.h"
#include "tests/gen/help.h"

enum {A = 5, B = 7, C = 3, DRAWS = 20000};

/* Every third point of the 5 x 7 x 3 product, in falling order. */
static size_t points(struct config *out)
{
  size_t n = 0;
  for (int i = A * B * C - 1; i >= 0; i--)
    if (i % 3 == 1)
      out[n++] = (struct config){{(uint8_t)(i / (B * C)),
                                  (uint8_t)(i / C % B), (uint8_t)(i % C)}};
  return n;
}

static size_t number(const struct config *c)
{
  return (size_t)(c->at[0] * B * C + c->at[1] * C + c->at[2]);
}

static const size_t values[] = {A, B, C};

static void it_has_the_points_of_the_list(void **state)
{
  (void)state;
  struct config list[A * B * C], c = {{0}};
  size_t n = points(list), listed = 0;
  struct space *s = space_open_list(values, 3, list, n);
  assert_int_equal(space_tunables(s), 3);
  assert_int_equal(space_values(s, 1), B);
  assert_int_equal(space_product(s), A * B * C);
  assert_int_equal(space_count(s), n);
  for (c.at[0] = 0; c.at[0] < A; c.at[0]++)
    for (c.at[1] = 0; c.at[1] < B; c.at[1]++)
      for (c.at[2] = 0; c.at[2] < C; c.at[2]++)
        listed += !space_rule(s, &c) && number(&c) % 3 == 1;
  assert_int_equal(listed, n);
  space_close(s);
}

static void it_is_walked_once(void **state)
{
  (void)state;
  struct config list[A * B * C], c;
  size_t n = points(list), seen = 0, last = 0;
  struct space *s = space_open_list(values, 3, list, n);
  for (int more = space_first(s, &c); more; more = space_next(s, &c)) {
    assert_int_equal(number(&c) % 3, 1);
    assert_true(!seen || number(&c) > last);
    last = number(&c);
    seen++;
  }
  assert_int_equal(seen, n);
  space_close(s);
}

static void draws_are_uniform(void **state)
{
  (void)state;
  struct config list[A * B * C], c;
  size_t n = points(list), count[A * B * C] = {0};
  struct space *s = space_open_list(values, 3, list, n);
  struct rng r;
  rng_seed(&r, 1);
  for (int i = 0; i < DRAWS; i++) {
    assert_true(space_random(s, &r, &c));
    count[number(&c)]++;
  }
  for (size_t i = 0; i < A * B * C; i++) /* five standard deviations */
    assert_in_range(count[i], i % 3 == 1 ? 450 : 0, i % 3 == 1 ? 693 : 0);
  space_close(s);
}

static void neighbours_are_in_the_list(void **state)
{
  (void)state;
  struct config list[A * B * C], *near;
  size_t n = points(list);
  struct space *s = space_open_list(values, 3, list, n);
  /* (2,3,1) is 52: number % 3 = position of the last, so 4 + 6 others */
  struct config c = {{2, 3, 1}};
  assert_int_equal(space_neighbours(s, &c, NULL, &near), 10);
  free(near);
  space_close(s);
}

static void it_may_be_empty(void **state)
{
  (void)state;
  struct space *s = space_open_list(values, 3, NULL, 0);
  struct config c;
  struct rng r;
  rng_seed(&r, 1);
  assert_int_equal(space_count(s), 0);
  assert_false(space_first(s, &c));
  assert_false(space_random(s, &r, &c));
  space_close(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_has_the_points_of_the_list),
      cmocka_unit_test(it_is_walked_once),
      cmocka_unit_test(draws_are_uniform),
      cmocka_unit_test(neighbours_are_in_the_list),
      cmocka_unit_test(it_may_be_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
