/* rng.c - the published generators, number by number. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

/* The first outputs of the authors' xoshiro256starstar.c for s = 1, 2, 3, 4
 * (also the vector of the Rust crate rand_xoshiro). */
static void xoshiro(void **state)
{
  (void)state;
  static const uint64_t known[] = {
    11520u,
    0u,
    1509978240u,
    1215971899390074240u,
    1216172134540287360u,
    607988272756665600u,
    16172922978634559625u,
    8476171486693032832u,
    10595114339597558777u,
    2904607092377533576u,
  };
  struct rng r = {{1, 2, 3, 4}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_true(rng_next(&r) == known[i]);
}

/* The first outputs of splitmix64 for the seed 1234567 (Rosetta Code). */
static void splitmix(void **state)
{
  (void)state;
  static const uint64_t known[] = {6457827717110365317u, 3203168211198807973u,
                                   9817491932198370423u, 4593380528125082431u};
  struct rng r;
  rng_seed(&r, 1234567);
  for (unsigned i = 0; i < 4; i++) {
    assert_true(r.s[i] == known[i]);
    assert_true(rng_nth(1234567, i) == known[i]);
  }
  /* For the seed 0 the state of the first, of Vigna's splitmix64.c, is the
   * increment alone. */
  assert_true(rng_nth(0, 0) == 0xe220a8397b1dcdafu);
  assert_true(rng_mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu);
  assert_true(rng_mix(0) == 0);
}

/* The upper 53 bits of 64, over 2^53. */
static void fractions(void **state)
{
  (void)state;
  assert_true(rng_fraction(0) == 0);
  assert_true(rng_fraction(2047) == 0);
  assert_true(rng_fraction((uint64_t)1 << 63) == 0.5);
  assert_true(rng_fraction((uint64_t)1 << 11) == 0x1p-53);
  assert_true(rng_fraction(UINT64_MAX) == 1 - 0x1p-53);
}

static void ranges(void **state)
{
  (void)state;
  struct rng r;
  int counts[7] = {0};
  double sum = 0;
  rng_seed(&r, 42);
  for (int i = 0; i < 70000; i++) {
    uint64_t x = rng_below(&r, 7);
    assert_true(x < 7);
    counts[x]++;
    double u = rng_unit(&r);
    assert_true(u >= 0 && u < 1);
    sum += u;
  }
  for (int i = 0; i < 7; i++) /* 5 sigma of a binomial are 463 */
    assert_in_range(counts[i], 10000 - 463, 10000 + 463);
  assert_true(sum > 35000 - 400 && sum < 35000 + 400);
  assert_true(rng_below(&r, 1) == 0);
  uint64_t most = 0, n = (uint64_t)3 << 62; /* 2^64 / 4 * 3: a biased one */
  for (int i = 0; i < 1000; i++) {
    uint64_t x = rng_below(&r, n);
    assert_true(x < n);
    most = x > most ? x : most;
  }
  assert_true(most > n / 100 * 98);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(xoshiro),
    cmocka_unit_test(splitmix),
    cmocka_unit_test(fractions),
    cmocka_unit_test(ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
