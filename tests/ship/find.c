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

static void fitted(void **state)
{
  (void)state;
  static const struct {
    long long m, n, k;
    const char *config;
    double us;
  } cases[] = {
    /* 256's: 16 and 25 workgroups on 60 CUs are one round */
    {300, 300, 304, "tile=64,unit=8", 1677.7216 * 304 / 256},
    /* k is no multiple of 8; 1024 workgroups of 60 are 18 rounds, 9 are one */
    {300, 300, 301, "tile=128,unit=1", 167772. / 18 * 3.01},
    /* 512's: two rounds for 64, four for 240; 256's would be four for 16 */
    {960, 1024, 512, "tile=64,unit=8", 1677.7216 * 4 * 512 / 256},
  };
  tuned *t = open_made("gfx906");
  struct tuned_found f;
  for (int twice = 0; twice < 2; twice++) /* then from the memo */
    for (size_t i = 0; i < COUNT(cases); i++) {
      assert_int_equal(find(t, cases[i].m, cases[i].n, cases[i].k,
                            TUNED_FITTED, &f), TUNED_OK);
      assert_int_equal(f.how, TUNED_FITTED);
      assert_string_equal(f.config, cases[i].config);
      if (fabs(f.us / cases[i].us - 1) > 1e-6)
        fail_msg("case %zu: %g us, not %g", i, f.us, cases[i].us);
    }
  tuned_close(t);
  t = open_made("gfx90a"); /* whose kernels serve no other problem */
  assert_int_equal(find(t, 512, 512, 512, TUNED_FITTED, &f), TUNED_OK);
  assert_int_equal(find(t, 512, 512, 520, TUNED_FITTED, &f), TUNED_NONE);
  tuned_close(t);
}

/* Five winners whose time goes with k, but one takes half: left out, it would
 * be looked up at twice its time, and the 90th percentile of five is the
 * worst. The others are never slower than their own. */
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
  uint32_t plan = made_plan(m, 64, 8, made_code(m, "code"));
  for (int i = 0; i < 5; i++)
    made_winner(m, 64, 64, 1000 + 8 * i, plan,
                (1000 + 8 * i) * (i == 2 ? 0.5 : 1));
  assert_int_equal(maker_finish(m, &bytes, &e), 0);
  maker_close(m);
  const char *path = write_pack(bytes.at, bytes.len);
  assert_int_equal(tuned_open(&t, path, "gfx906", NULL, NULL), 0);
  assert_int_equal(find(t, 64, 64, 1048, TUNED_FITTED, &f), TUNED_OK);
  assert_true(fabs(f.loss - 1) < 1e-6);
  assert_int_equal(find(t, 64, 64, 2096, TUNED_FITTED, &f), TUNED_OK);
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
