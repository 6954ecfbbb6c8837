/* gauss.c - what a Gaussian process expects, beside its definition. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "tuner/search/gauss.h"

static const double weight = 0.3, noise = 0.004; /* before it learns; of results */

/* What two have in common whose distance, with its weights, is this. */
static double common(double distance)
{
  return 0.82 * exp(-distance) + 0.18 * exp(-8 * distance);
}

static struct space *grid(size_t a, size_t b)
{
  static struct config points[64];
  const size_t values[] = {a, b};
  for (size_t i = 0; i < a * b; i++) {
    points[i].at[0] = (uint8_t)(i / b);
    points[i].at[1] = (uint8_t)(i % b);
  }
  return space_open_list(values, 2, points, a * b);
}

static struct config at(int a, int b)
{
  return (struct config){.at = {(uint8_t)a, (uint8_t)b}};
}

static struct result sample(int a, int b, double y)
{
  return (struct result){at(a, b), 0, y};
}

/* The mean of what a normal distribution has below `best`, as a sum of strips. */
static double gain(double mean, double deviation, double best)
{
  double sum = 0, width = 1e-3;
  for (double z = -12; z < 12; z += width) {
    double below = best - (mean + deviation * z);
    if (below > 0)
      sum += below * exp(-0.5 * z * z) / sqrt(2 * M_PI) * width;
  }
  return sum;
}

/* Where `before` is expected, beside one sample of the y, by what it has in common. */
static double gain_beside(double before, double y, double k)
{
  double variance = y * y / (1 + noise), mean = before + k / (1 + noise) * y;
  return gain(mean, sqrt(variance * (1 - k * k / (1 + noise))), 0);
}

static void one_sample(void **state)
{
  (void)state;
  struct space *space = grid(3, 2);
  struct gauss *g = gauss_open(space);
  const struct result s = sample(0, 0, -0.2);
  const struct config c = at(2, 1);
  gauss_take(g, &s, 1, 0);
  double k = common(2 * weight); /* both tunables by their whole range */
  double want = gain_beside(0.1, -0.2, k);
  assert_float_equal(gauss_gain(g, &c, 0.1, 0, 0), want, 1e-6);
  assert_float_equal(gauss_gain(g, &c, 0.1, 0, 0.99 * want), want, 1e-6);
  assert_true(gauss_gain(g, &c, 0.1, 0, 1.01 * want) == 0);
  gauss_close(g);
  space_close(space);
}

static void weights_are_set(void **state)
{
  (void)state;
  struct space *space = grid(3, 2);
  struct gauss *g = gauss_open(space);
  const struct result s = sample(0, 0, 0.2);
  const struct config one = at(1, 0), other = at(0, 1);
  gauss_weigh(g, 0, 1.2);
  gauss_take(g, &s, 1, 0);
  assert_float_equal(gauss_gain(g, &one, 0, 0, 0), gain_beside(0, 0.2, common(1.2 / 2)), 1e-6);
  assert_float_equal(gauss_gain(g, &other, 0, 0, 0), gain_beside(0, 0.2, common(weight)), 1e-6);
  gauss_close(g);
  space_close(space);
}

static struct family *open_gemm(void)
{
  struct family *f;
  struct err e = {0};
  const struct pair *facts;
  size_t n = arch_facts(arch_find("gfx906"), &facts);
  if (family_open(&f, "gemm", NULL, &e) || family_set_arch(f, facts, n, &e))
    fail_msg("%s", e.text);
  return f;
}

/* A process begins with the weights that the family says. */
static void weights_of_a_family(void **state)
{
  (void)state;
  struct family *f = open_gemm();
  struct problem p;
  struct space *space;
  const struct tunable *list;
  size_t n = family_tunables(f, &list);
  assert_int_equal(family_problem(f, NULL, NULL, 0, &p, NULL), 0);
  assert_int_equal(space_open(&space, f, &p, NULL), 0);
  struct gauss *g = gauss_open(space);
  const struct result s = sample(0, 0, 0.2);
  gauss_take(g, &s, 1, 0);
  for (size_t t = 0; t < n; t++) {
    struct config c = {0};
    double said = list[t].weight > 0 ? list[t].weight : weight;
    c.at[t] = (uint8_t)(list[t].nvalues - 1);
    assert_float_equal(gauss_gain(g, &c, 0, 0, 0), gain_beside(0, 0.2, common(said)), 1e-6);
  }
  gauss_close(g);
  space_close(space);
  family_close(f);
}

/* The likelier the weights, the more is returned: the second tunable changes nothing. */
static void likely_weights(void **state)
{
  (void)state;
  struct space *space = grid(4, 4);
  struct gauss *g = gauss_open(space);
  struct result s[16];
  for (int i = 0; i < 16; i++)
    s[i] = sample(i / 4, i % 4, i / 4 % 2 ? 0.2 : -0.2);
  double before = gauss_take(g, s, 16, 0);
  gauss_weigh(g, 1, 3);
  double unlike = gauss_take(g, s, 16, 0);
  gauss_weigh(g, 1, 0.01);
  double alike = gauss_take(g, s, 16, 0);
  assert_true(unlike < before - 1 && alike > before + 1);
  gauss_close(g);
  space_close(space);
}

/* By the inverse of a matrix of two rows. */
static void two_samples(void **state)
{
  (void)state;
  struct space *space = grid(3, 1);
  struct gauss *g = gauss_open(space);
  const struct result s[] = {sample(0, 0, 0.3), sample(2, 0, -0.3)};
  const struct config c = at(1, 0);
  double a = 1 + noise, b = common(weight), k = common(weight / 2);
  double det = a * a - b * b;
  double variance = 0.3 * 0.3 * 2 * (a + b) / det / 2;
  double known = 2 * k * k * (a - b) / det; /* the mean of both is 0 */
  gauss_take(g, s, 2, 0);
  assert_float_equal(gauss_gain(g, &c, 0, 0, 0),
                     gain(0, sqrt(variance * (1 - known)), 0), 1e-6);
  gauss_close(g);
  space_close(space);
}

/* What is under way is no more to be gained, and its mean is not changed: behind it
 * by far, nothing is. */
static void what_is_under_way(void **state)
{
  (void)state;
  struct space *space = grid(8, 8);
  struct gauss *g = gauss_open(space);
  const struct result s[] = {sample(0, 0, 0.3), sample(7, 0, -0.3)};
  const struct config c = at(7, 4), next = at(7, 5), same = at(0, 7);
  gauss_take(g, s, 2, 0);
  double before = gauss_gain(g, &c, 0, -0.3, 0);
  double beside = gauss_gain(g, &next, 0, -0.3, 0);
  gauss_believe(g, &c);
  assert_true(gauss_gain(g, &c, 0, -0.3, 0) < 0.5 * before);
  assert_true(gauss_gain(g, &next, 0, -0.3, 0) < beside);
  for (int i = 0; i < 2 * GAUSS_MOST; i++)
    gauss_believe(g, &same); /* as often as anyone likes */
  assert_true(gauss_gain(g, &next, 0, -0.3, 0) < beside);
  gauss_close(g);
  space_close(space);
}

/* Results differ by the first tunable alone: the second may be anything. */
static void weights_are_learnt(void **state)
{
  (void)state;
  struct space *space = grid(8, 8);
  struct gauss *g = gauss_open(space);
  struct result s[32];
  size_t n = 0;
  for (int a = 0; a < 8; a++)
    for (int b = 0; b < 8; b += 2)
      s[n++] = sample(a, b, a % 2 ? 0.2 : -0.2);
  const struct config c = at(3, 3);
  gauss_take(g, s, n, 0);
  double before = gauss_gain(g, &c, 0, -0.2, 0);
  for (int i = 0; i < 5; i++)
    gauss_take(g, s, n, 1);
  assert_true(gauss_gain(g, &c, 0, -0.2, 0) < 0.1 * before);
  gauss_close(g);
  space_close(space);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_sample),
      cmocka_unit_test(two_samples),
      cmocka_unit_test(weights_are_set),
      cmocka_unit_test(weights_of_a_family),
      cmocka_unit_test(likely_weights),
      cmocka_unit_test(what_is_under_way),
      cmocka_unit_test(weights_are_learnt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
