/* find.c - what a pack answers, against the rule in tuned.h worked by hand. */
// SPDX-License-Identifier: MIT
#include "tests/ship/made.h"

#include <math.h>

static tuned *open_made(const char *arch)
{
  struct str bytes = {0};
  tuned *t;
  char why[256];
  make(&bytes);
  if (tuned_open(&t, write_pack(bytes.at, bytes.len), arch, NULL, why))
    fail_msg("%s", why);
  unlink(write_pack(bytes.at, bytes.len));
  str_free(&bytes);
  return t;
}

static int find(const tuned *t, long long m, long long n, long long k,
                enum tuned_how most, struct tuned_found *f)
{
  const struct tuned_key keys[] = { TUNED_WHOLE("m", m), TUNED_WHOLE("n", n),
                                    TUNED_WHOLE("k", k) };
  return tuned_find(t, "mul", keys, 3, most, f);
}

static void exact(void **state)
{
  (void)state;
  tuned *t = open_made("gfx906:sramecc+:xnack-");
  struct tuned_found f;
  assert_int_equal(find(t, 512, 512, 512, TUNED_EXACT, &f), TUNED_OK);
  assert_int_equal(f.how, TUNED_EXACT);
  assert_string_equal(f.config, "tile=64,unit=8");
  assert_true(fabs(f.us - 13421.7728) < 1e-6);
  assert_true(f.loss == 0);
  assert_int_equal(f.modelled, 1);
  assert_int_equal(f.stale, 0);
  assert_int_equal(f.nbuffers, 3);
  assert_int_equal(f.scratch, 2048); /* 512 of 4 bytes */
  assert_int_equal(find(t, 513, 512, 512, TUNED_EXACT, &f), TUNED_NONE);
  tuned_close(t);
}

/* Any order; what is left out has its default; alpha is handed on, and of beta
 * it counts whether it is 0. */
static void keys(void **state)
{
  (void)state;
  struct {
    struct tuned_key keys[4];
    size_t n;
    int code;
  } cases[] = {
    { {{0}}, 0, TUNED_OK }, /* 4096 of each */
    { { TUNED_NUMBER("alpha", 3), TUNED_WORD("layout", "nn"),
        TUNED_WHOLE("k", 4096), TUNED_WHOLE("ldc", 4096) }, 4, TUNED_OK },
    {{TUNED_WHOLE("ldc", 0), TUNED_WHOLE("alpha", 2)}, 2, TUNED_OK},
    {{TUNED_WHOLE("ldc", 4100)}, 1, TUNED_NONE},
    {{TUNED_NUMBER("beta", -0.0)}, 1, TUNED_OK},
    {{TUNED_NUMBER("beta", 1)}, 1, TUNED_NONE},
    {{TUNED_NUMBER("alpha", 0)}, 1, TUNED_NONE},
    {{TUNED_WORD("layout", "nt")}, 1, TUNED_NONE},
    {{TUNED_WORD("layout", "xx")}, 1, TUNED_BAD_KEY},
    {{TUNED_WORD("layout", NULL)}, 1, TUNED_BAD_KEY},
    {{TUNED_WHOLE("layout", 0)}, 1, TUNED_BAD_KEY},
    {{TUNED_WHOLE("q", 1)}, 1, TUNED_BAD_KEY},
    {{TUNED_WHOLE("m", 0)}, 1, TUNED_BAD_KEY},
    {{TUNED_WHOLE("m", 1ll << 40)}, 1, TUNED_BAD_KEY},
    {{TUNED_NUMBER("m", 4096)}, 1, TUNED_BAD_KEY},
    {{TUNED_NUMBER("beta", NAN)}, 1, TUNED_BAD_KEY},
    {{TUNED_WHOLE("m", 4096), TUNED_WHOLE("m", 4096)}, 2, TUNED_BAD_KEY},
  };
  tuned *t = open_made("gfx906");
  struct tuned_found f;
  for (size_t i = 0; i < COUNT(cases); i++) {
    int code = tuned_find(t, "mul", cases[i].keys, cases[i].n, TUNED_EXACT, &f);
    if (code != cases[i].code)
      fail_msg("case %zu: %s", i, tuned_reason(code));
  }
  assert_int_equal(tuned_find(t, "mule", NULL, 0, TUNED_EXACT, &f),
                   TUNED_NO_FAMILY);
  tuned_close(t);
}

/* What the header and estimate.h say, written down again for kernels whose
 * workgroups are one step, one at a time on a CU. */
struct size {
  double m, n, k, us, tile; /* when tuned */
};

static double model(const struct size *x, double tile)
{
  double groups = ceil(x->m / tile) * ceil(x->n / tile);
  double step = 2 * x->m * x->n * x->k / groups / 1e5;
  return 2 * 1.3 + ceil(groups / 60) * (sqrt(0.36 * 0.36 + step * step) + 0.84);
}

static double twos(double x)
{
  int n = 0;
  for (long long i = (long long)x; i % 2 == 0 && n < 12; i /= 2)
    n++;
  return n;
}

static double square(const struct size *a, const struct size *b)
{
  const double x[3] = {a->m, a->n, a->k}, y[3] = {b->m, b->n, b->k};
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += pow(log2(x[i] / y[i]), 2) + pow(0.07 * (twos(x[i]) - twos(y[i])), 2) +
           (x[i] != y[i]);
  return sum;
}

/* One kernel was timed on each of these, so that all that the estimate has wrong is the
 * problem's. */
static double expected(const struct size *asked, const struct size *tuned,
                       size_t n, double tile)
{
  double sum = 0, weights = 0;
  for (size_t i = 0; i < n; i++) {
    double weight = 1 / (0.17 + square(asked, &tuned[i]));
    sum += weight * tuned[i].us / model(&tuned[i], tuned[i].tile);
    weights += weight;
  }
  return sum / weights * model(asked, tile);
}

static void fitted(void **state)
{
  (void)state;
  static const struct {
    struct size size;
    const char *config;
    double tile;
  } cases[] = {
    {{300, 300, 304, 0, 0}, "tile=64,unit=8", 64},
    {{300, 300, 301, 0, 0}, "tile=128,unit=1", 128}, /* k is no multiple of 8 */
    {{960, 1024, 512, 0, 0}, "tile=64,unit=8", 64},
  };
  struct size tuned_for[6]; /* the last one by a kernel for all k */
  for (int i = 0; i < 5; i++) {
    double x = 256 << i;
    tuned_for[i] = (struct size){x, x, x, 1e-4 * x * x * x, 64};
  }
  tuned_for[5] = (struct size){4096, 4096, 100, 167772, 128};
  tuned *t = open_made("gfx906");
  struct tuned_found f;
  for (int twice = 0; twice < 2; twice++) /* then from the memo */
    for (size_t i = 0; i < COUNT(cases); i++) {
      const struct size *x = &cases[i].size;
      assert_int_equal(find(t, (long long)x->m, (long long)x->n,
                            (long long)x->k, TUNED_FITTED, &f), TUNED_OK);
      assert_int_equal(f.how, TUNED_FITTED);
      assert_string_equal(f.config, cases[i].config);
      int is_large = cases[i].tile > 64;
      double us = expected(x, is_large ? tuned_for + 5 : tuned_for,
                           is_large ? 1 : 6, cases[i].tile);
      if (fabs(f.us / us - 1) > 0.05) /* logarithms are rough */
        fail_msg("case %zu: %g us, not %g", i, f.us, us);
    }
  tuned_close(t);
  t = open_made("gfx90a"); /* whose kernels serve no other problem */
  assert_int_equal(find(t, 512, 512, 512, TUNED_FITTED, &f), TUNED_OK);
  assert_int_equal(find(t, 512, 512, 520, TUNED_FITTED, &f), TUNED_NONE);
  tuned_close(t);
}

/* Five winners whose time goes with k, but one, of another kernel, takes half: left out,
 * it would be looked up at twice its time, and the 90th percentile of five is the worst.
 * The others are never slower than their own. */
static void loss(void **state)
{
  (void)state;
  struct maker *m = maker_open();
  struct str bytes = {0};
  struct err e = {0};
  tuned *t;
  struct tuned_found f;
  maker_arch(m, "gfx906", 60);
  made_family(m, "mul", 1);
  uint32_t usual = made_plan(m, 64, 8, made_code(m, "code"));
  uint32_t fast = made_plan(m, 128, 8, made_code(m, "fast"));
  for (int i = 0; i < 5; i++)
    made_winner(m, 64, 64, 1000 + 16 * i, i == 2 ? fast : usual,
                (1000 + 16 * i) * (i == 2 ? 0.5 : 1));
  assert_int_equal(maker_finish(m, &bytes, &e), 0);
  maker_close(m);
  const char *path = write_pack(bytes.at, bytes.len);
  assert_int_equal(tuned_open(&t, path, "gfx906", NULL, NULL), 0);
  assert_int_equal(find(t, 64, 64, 1080, TUNED_FITTED, &f), TUNED_OK);
  assert_true(fabs(f.loss - 1) < 0.1); /* lengths of k differ a little */
  assert_int_equal(find(t, 64, 64, 2104, TUNED_FITTED, &f), TUNED_OK);
  assert_true(f.loss < 0); /* none is an octave away: not known */
  tuned_close(t);
  unlink(path);
  str_free(&bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(exact),
    cmocka_unit_test(keys),
    cmocka_unit_test(fitted),
    cmocka_unit_test(loss),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
