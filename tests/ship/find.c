/* find.c - what a pack answers, against the rule in tuned.h worked by hand. */
// SPDX-License-Identifier: MIT
#include "tests/ship/made.h"

#include <math.h>

static tuned *open_bytes(struct str *bytes, const char *arch)
{
  const char *path = write_pack(bytes->at, bytes->len);
  tuned *t;
  char why[256];
  if (tuned_open(&t, path, arch, NULL, why))
    fail_msg("%s", why);
  unlink(path);
  str_free(bytes);
  return t;
}

static tuned *open_made(const char *arch)
{
  struct str bytes = {0};
  make(&bytes);
  return open_bytes(&bytes, arch);
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

static struct maker *begin_maker(void)
{
  struct maker *m = maker_open();
  maker_arch(m, "gfx906", 60);
  made_family(m, "mul", 1);
  return m;
}

/* The pack of what was added, opened; m is closed. */
static tuned *open_maker(struct maker *m)
{
  struct str bytes = {0};
  struct err e = {0};
  if (maker_finish(m, &bytes, &e))
    fail_msg("%s", e.text);
  maker_close(m);
  return open_bytes(&bytes, "gfx906");
}

/* Long lengths that differ by 1 differ as any do. */
static void long_lengths(void **state)
{
  (void)state;
  struct maker *m = begin_maker();
  uint32_t plan = made_plan(m, 64, 1, made_code(m, "code"));
  struct size tuned_for[2] = {{64, 64, 57344, 0, 64}, {64, 64, 57346, 0, 64}};
  const struct size asked = {64, 64, 57345, 0, 0};
  struct tuned_found f;
  for (int i = 0; i < 2; i++) {
    tuned_for[i].us = (i + 1) * model(&tuned_for[i], 64);
    made_winner(m, 64, 64, (int64_t)tuned_for[i].k, plan, tuned_for[i].us);
  }
  tuned *t = open_maker(m);
  assert_int_equal(find(t, 64, 64, 57345, TUNED_FITTED, &f), TUNED_OK);
  assert_true(fabs(f.us / expected(&asked, tuned_for, 2, 64) - 1) < 0.01);
  tuned_close(t);
}

/* What is estimated for all kernels of these tests, which differ in `unit` alone. */
static double usual(int64_t k)
{
  const struct size x = {64, 64, (double)k, 0, 0};
  return model(&x, 64);
}

/* Plans whose configurations say who they are: k is a multiple of each unit. */
static uint32_t kernel(struct maker *m, int unit)
{
  return made_plan(m, 64, unit, made_code(m, "code"));
}

/* Four problems about as near: on two of them all kernels take twice what is estimated.
 * A kernel that is a tenth faster there than what was timed on all is chosen, though the
 * quotient of one that was timed on the other two is least. */
static void a_slow_problem_is_not_its_kernels_doing(void **state)
{
  (void)state;
  struct maker *m = begin_maker();
  uint32_t on_all = kernel(m, 1), on_slow = kernel(m, 2), on_fast = kernel(m, 4);
  struct tuned_found f;
  for (int i = 0; i < 4; i++) {
    int64_t k = 1008 + 8 * i;
    double us = (i < 2 ? 2 : 1) * usual(k);
    made_winner(m, 64, 64, k, on_all, us);
    made_tried(m, 64, 64, k, i < 2 ? on_slow : on_fast, i < 2 ? 0.9 * us : us);
  }
  made_winner(m, 4096, 4096, 8192, on_slow, 1e4); /* far: a kernel needs a winner */
  made_winner(m, 4096, 8192, 8192, on_fast, 1e4);
  tuned *t = open_maker(m);
  assert_int_equal(find(t, 64, 64, 1000, TUNED_FITTED, &f), TUNED_OK);
  assert_string_equal(f.config, "tile=64,unit=2");
  tuned_close(t);
}

/* Of two kernels that seem as fast the one is chosen that was timed more often; of one
 * much faster a single time is enough. */
static void few_times_count_less(void **state)
{
  (void)state;
  static const struct {
    double once; /* beside what was timed on both */
    const char *config;
  } cases[] = {{0.99, "tile=64,unit=1"}, {0.6, "tile=64,unit=2"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct maker *m = begin_maker();
    uint32_t twice = kernel(m, 1), once = kernel(m, 2);
    struct tuned_found f;
    made_winner(m, 64, 64, 1008, once, cases[i].once * usual(1008));
    made_tried(m, 64, 64, 1008, twice, usual(1008));
    made_winner(m, 64, 64, 1016, twice, usual(1016));
    tuned *t = open_maker(m);
    assert_int_equal(find(t, 64, 64, 1000, TUNED_FITTED, &f), TUNED_OK);
    assert_string_equal(f.config, cases[i].config);
    tuned_close(t);
  }
}

/* Five winners whose time goes with k, but one, of another kernel, takes half: left out,
 * it would be looked up at twice its time, and the 90th percentile of five is the worst.
 * The others are never slower than their own. Where the usual kernel's time there is
 * known, by that. */
static void loss(void **state)
{
  (void)state;
  for (int is_known = 0; is_known < 2; is_known++) {
    struct maker *m = begin_maker();
    uint32_t usual_plan = made_plan(m, 64, 8, made_code(m, "code"));
    uint32_t fast = made_plan(m, 128, 8, made_code(m, "fast"));
    struct tuned_found f;
    for (int i = 0; i < 5; i++)
      made_winner(m, 64, 64, 1000 + 16 * i, i == 2 ? fast : usual_plan,
                  (1000 + 16 * i) * (i == 2 ? 0.5 : 1));
    if (is_known)
      made_tried(m, 64, 64, 1032, usual_plan, 1.3 * 0.5 * 1032);
    tuned *t = open_maker(m);
    assert_int_equal(find(t, 64, 64, 1080, TUNED_FITTED, &f), TUNED_OK);
    double most = is_known ? 0.3 : 1;
    assert_true(fabs(f.loss - most) < 0.1); /* lengths of k differ a little */
    assert_int_equal(find(t, 64, 64, 2104, TUNED_FITTED, &f), TUNED_OK);
    assert_true(f.loss < 0); /* none is an octave away: not known */
    tuned_close(t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(exact),
    cmocka_unit_test(keys),
    cmocka_unit_test(fitted),
    cmocka_unit_test(long_lengths),
    cmocka_unit_test(a_slow_problem_is_not_its_kernels_doing),
    cmocka_unit_test(few_times_count_less),
    cmocka_unit_test(loss),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
