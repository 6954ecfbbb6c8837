/* course.c - when a search begins anew, and what it knows then. */
// SPDX-License-Identifier: MIT
#include "bowl.h"
#include "tuner/search/course.h"

enum {AHEAD = 8, LONG = 1000};

struct run {
  struct course course;
  struct config asked[LONG];
  size_t nasked, ntold;
};

static int draw(void *state, struct config *c)
{
  struct run *r = state;
  return config_set_draw(&r->course.seen, r->course.space, &r->course.rng, c);
}

static const struct course_model model = {NULL, draw, draw};

static void ask(struct run *r)
{
  assert_int_equal(course_ask(&r->course, &model, r, &r->asked[r->nasked++]),
                   SEARCH_CONFIG);
}

static void tell(struct run *r, double cost)
{
  course_tell(&r->course, &r->asked[r->ntold++], cost);
}

/* The first result is the best. Those that were proposed before it came say nothing of
 * what followed from it, so that it begins anew that much later. Then of AHEAD - 1 whose
 * results are still to come none counts, though they are better than all; the first
 * that does was proposed afterwards. */
static void what_is_under_way_is_forgotten(void **state)
{
  (void)state;
  static struct run r;
  struct bowl b = bowl_open();
  course_open(&r.course, b.space, 1);
  while (r.nasked < AHEAD)
    ask(&r);
  tell(&r, 1);
  do {
    ask(&r);
    if (r.course.results.n)
      tell(&r, 2);
    if (r.ntold == AHEAD)
      assert_int_equal(r.course.idle, 0);
  } while (r.course.results.n);
  assert_int_equal(r.course.begun, r.nasked - 1);
  assert_int_equal(r.ntold, r.course.begun - (AHEAD - 1));
  while (r.ntold < r.course.begun) {
    tell(&r, 0.5);
    assert_int_equal(r.course.results.n, 0);
    ask(&r);
  }
  tell(&r, 3);
  assert_int_equal(r.course.results.n, 1);
  assert_true(r.course.results.list[0].cost == 3);
  course_close(&r.course);
  bowl_close(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_under_way_is_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
