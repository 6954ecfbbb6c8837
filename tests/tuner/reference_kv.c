/* reference_kv.c - a small KV cache by its definition, index by index. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "tests/tuner/opened.h"

enum {HEADS = 2, SEQ = 32, DIM = 64};

static const char *const caches[] = {"f32", "f16", "i8"};
static const char *const layouts[] = {"hsd", "hds"};

static void open_kv(struct opened *o, const char *op, int layout, int cache,
                    int tokens)
{
  char problem[160];
  snprintf(problem, sizeof problem,
           "op=%s,layout=%s,cache=%s,heads=%d,seq=%d,dim=%d,tokens=%d", op,
           layouts[layout], caches[cache], HEADS, SEQ, DIM, tokens);
  open_family(o, "kv", problem, "");
}

/* [head][seq][dim] or [head][dim][seq] */
static size_t in_cache(int layout, int head, int token, int at)
{
  return (size_t)(layout == 0 ? (head * SEQ + token) * DIM + at
                              : (head * DIM + at) * SEQ + token);
}

static double key(const struct opened *o, int layout, int cache, int head,
                  int token, int at)
{
  double x = input_at(o, "cache", in_cache(layout, head, token, at));
  return cache == 2 ? x / 127 : x;
}

static void new_tokens_are_the_last(void **state)
{
  (void)state;
  enum {TOKENS = 8};
  for (int layout = 0; layout < 2; layout++)
    for (int cache = 0; cache < 3; cache++) {
      struct opened o;
      open_kv(&o, "write", layout, cache, TOKENS);
      struct expected *all = all_of(&o, "cache");
      for (int head = 0; head < HEADS; head++)
        for (int token = 0; token < SEQ; token++)
          for (int at = 0; at < DIM; at++) {
            struct expected x = all[in_cache(layout, head, token, at)];
            int fresh = token - (SEQ - TOKENS);
            assert_int_equal(x.bound < 0, fresh < 0);
            if (fresh < 0)
              continue;
            double v = input_at(&o, "fresh",
                                (size_t)((fresh * HEADS + head) * DIM + at));
            assert_true(x.want == (cache == 2 ? 127 * v : v));
          }
      free(all);
      close_family(&o);
    }
}

/* What the type's rounding gives is within the bound; two steps to either
 * side of it are not. */
static void a_bound_is_one_rounding(void **state)
{
  (void)state;
  for (int cache = 0; cache < 3; cache++) {
    struct opened o;
    open_kv(&o, "write", 0, cache, SEQ);
    struct expected *all = all_of(&o, "cache");
    for (size_t i = 0; i < HEADS * SEQ * DIM; i++) {
      double v = all[i].want;
      double step = cache == 0 ? 0x1p-25 : cache == 2 ? 1
                  : ldexp(1, ilogb(v) < -14 ? -24 : ilogb(v) - 10);
      double near = cache == 0 ? v : step * nearbyint(v / step);
      assert_true(fabs(near - v) <= all[i].bound);
      assert_true(fabs(near + 2 * step - v) > all[i].bound);
      assert_true(fabs(near - 2 * step - v) > all[i].bound);
    }
    free(all);
    close_family(&o);
  }
}

static void check_sum(const struct expected *x, double sum, double size,
                      double n)
{
  double bound = (n + 2) * 0x1p-24 * size;
  assert_true(fabs(x->want - sum) <= 1e-12);
  assert_true(x->bound >= bound && x->bound < 1.001 * bound + 1e-30);
}

static void scores_are_dot_products(void **state)
{
  (void)state;
  for (int layout = 0; layout < 2; layout++)
    for (int cache = 0; cache < 3; cache++) {
      struct opened o;
      open_kv(&o, "read_dot", layout, cache, 0);
      struct expected *all = all_of(&o, "scores");
      for (int head = 0; head < HEADS; head++)
        for (int token = 0; token < SEQ; token++) {
          double sum = 0, size = 0;
          for (int at = 0; at < DIM; at++) {
            double term = input_at(&o, "query", (size_t)(head * DIM + at))
                          * key(&o, layout, cache, head, token, at);
            sum += term;
            size += fabs(term);
          }
          check_sum(&all[head * SEQ + token], sum, size, DIM);
        }
      free(all);
      close_family(&o);
    }
}

static void totals_run_along_the_tokens(void **state)
{
  (void)state;
  for (int layout = 0; layout < 2; layout++)
    for (int cache = 0; cache < 3; cache++) {
      struct opened o;
      open_kv(&o, "read_seq", layout, cache, 0);
      struct expected *all = all_of(&o, "total");
      for (int head = 0; head < HEADS; head++)
        for (int at = 0; at < DIM; at++) {
          double sum = 0, size = 0;
          for (int token = 0; token < SEQ; token++) {
            double term = key(&o, layout, cache, head, token, at);
            sum += term;
            size += fabs(term);
          }
          check_sum(&all[head * DIM + at], sum, size, SEQ);
        }
      free(all);
      close_family(&o);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_tokens_are_the_last),
      cmocka_unit_test(a_bound_is_one_rounding),
      cmocka_unit_test(scores_are_dot_products),
      cmocka_unit_test(totals_run_along_the_tokens),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
