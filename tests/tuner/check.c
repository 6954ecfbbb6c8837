/* check.c - inputs, references and comparisons, against their definitions. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "gen/space.h"
#include "tuner/device/check.h"
#include "tuner/reference/problem.h"

static void inputs_are_functions_of_seed_and_place(void **state)
{
  (void)state;
  struct buffer b = {.type = ELEMENT_F32, .elements = 5000, .low = -1,
                     .high = 3};
  static float whole[5000], part[100];
  double sum = 0, least = 9, most = -9;
  input_fill(1, 0, &b, 0, 5000, whole);
  input_fill(1, 0, &b, 700, 100, part);
  assert_memory_equal(whole + 700, part, sizeof part);
  for (size_t i = 0; i < 5000; i++) {
    assert_true(input_value(1, 0, &b, i) == (double)whole[i]);
    sum += (double)whole[i];
    least = fmin(least, (double)whole[i]);
    most = fmax(most, (double)whole[i]);
  }
  /* uniform on [-1, 3): mean 1, standard error 4 / sqrt(12 * 5000) = 0.016 */
  assert_true(fabs(sum / 5000 - 1) < 0.08);
  assert_true(least >= -1 && least < -0.98 && most <= 3 && most > 2.98);
  assert_true(input_value(2, 0, &b, 5) != input_value(1, 0, &b, 5));
  assert_true(input_value(1, 1, &b, 5) != input_value(1, 0, &b, 5));
}

static void gamma_is_highams(void **state)
{
  (void)state;
  double u = 0x1p-24;
  assert_true(reference_gamma(1, u) == u / (1 - u));
  assert_true(reference_gamma(4096, u) > 4096 * u);
  assert_true(reference_gamma(4096, u) < 4098 * u);
}

/* --- the reference of gemm against the definition ------------------------ */

struct gemm {
  struct family *family;
  struct problem problem;
  struct plan plan;
};

static void open_gemm(struct gemm *g, const char *const *names,
                      const char *const *texts, size_t n)
{
  struct err e = {0};
  struct space *space = NULL;
  struct config c = {0};
  const struct pair *facts;
  size_t nfacts = arch_facts(arch_find("gfx906"), &facts);
  if (family_open(&g->family, "gemm", NULL, &e) ||
      family_set_arch(g->family, facts, nfacts, &e) ||
      family_problem(g->family, names, texts, n, &g->problem, &e) ||
      space_open(&space, g->family, &g->problem, &e))
    fail_msg("%s", e.text);
  assert_true(space_first(space, &c));
  if (family_plan(g->family, &g->problem, &c, &g->plan, &e))
    fail_msg("%s", e.text);
  space_close(space);
}

/* C(i,j) = alpha sum_x opA(i,x) opB(x,j) + beta C(i,j), row-major. */
static void by_definition(const struct reference_job *job, const char *layout,
                          int m, int n, int k, int lda, int ldb, int ldc,
                          double alpha, double beta,
                          const struct expected *got)
{
  const struct buffer *b = job->plan->buffers;
  size_t ia = (size_t)reference_buffer(job->plan, "a");
  size_t ib = (size_t)reference_buffer(job->plan, "b");
  size_t ic = (size_t)reference_buffer(job->plan, "c");
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0, size = 0;
      for (int x = 0; x < k; x++) {
        int at = layout[0] == 't' ? x * lda + i : i * lda + x;
        int bt = layout[1] == 't' ? j * ldb + x : x * ldb + j;
        double term = input_value(job->seed, ia, &b[ia], (size_t)at)
                      * input_value(job->seed, ib, &b[ib], (size_t)bt);
        sum += term;
        size += fabs(term);
      }
      double old = beta == 0 ? 0
                             : input_value(job->seed, ic, &b[ic],
                                           (size_t)(i * ldc + j));
      const struct expected *x = &got[i * ldc + j];
      double bound = (k + 2) * 0x1p-24
                     * (fabs(alpha) * size + fabs(beta * old));
      assert_true(fabs(x->want - (alpha * sum + beta * old)) < 1e-12);
      assert_true(x->bound >= bound && x->bound < 1.001 * bound + 1e-30);
    }
}

static void gemm_is_what_it_says(void **state)
{
  (void)state;
  static const char *const names[] = {"m", "n", "k", "layout", "lda", "ldb",
                                      "ldc", "alpha", "beta"};
  static const struct {
    const char *texts[9];
    int m, n, k, lda, ldb, ldc;
    double alpha, beta;
  } table[] = {
      {{"1", "1", "1", "nn", "1", "1", "1", "1", "0"}, 1, 1, 1, 1, 1, 1, 1, 0},
      {{"5", "7", "3", "nn", "4", "9", "8", "2", "0.5"}, 5, 7, 3, 4, 9, 8, 2,
       0.5},
      {{"5", "7", "3", "nt", "3", "3", "7", "-1", "1"}, 5, 7, 3, 3, 3, 7, -1,
       1},
      {{"5", "7", "3", "tn", "6", "7", "7", "1", "0"}, 5, 7, 3, 6, 7, 7, 1, 0},
      {{"5", "7", "3", "tt", "5", "4", "9", "0.25", "-2"}, 5, 7, 3, 5, 4, 9,
       0.25, -2},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct gemm g;
    struct err e = {0};
    const struct reference *reference;
    open_gemm(&g, names, table[i].texts, 9);
    struct reference_job job = {g.family, &g.problem, &g.plan, 5};
    if (reference_find(&job, &reference, &e))
      fail_msg("%s", e.text);
    size_t c = (size_t)reference_buffer(&g.plan, "c");
    size_t n = g.plan.buffers[c].elements;
    struct expected *all = calloc(n, sizeof *all);
    assert_int_equal(reference_all(reference, &job, c, all, &e), 0);
    by_definition(&job, table[i].texts[3], table[i].m, table[i].n, table[i].k,
                  table[i].lda, table[i].ldb, table[i].ldc, table[i].alpha,
                  table[i].beta, all);
    for (size_t j = 0; j < n; j++) {
      struct expected one = reference->one(&job, c, j);
      assert_true((one.bound < 0) == (all[j].bound < 0));
      assert_true((int)(j % (size_t)table[i].ldc) < table[i].n ||
                  one.bound < 0);
      assert_true(one.bound < 0 || fabs(one.want - all[j].want) < 1e-12);
    }
    free(all);
    family_close(g.family);
  }
}

/* BLAS: where alpha or k is 0, A and B are not read; where beta is 0, C is
 * not. */
static void nothing_is_multiplied(void **state)
{
  (void)state;
  static const char *const names[] = {"m", "n", "k", "alpha", "beta"};
  static const char *const table[][5] = {
      {"5", "7", "3", "0", "0"}, {"5", "7", "3", "0", "-2"},
      {"5", "7", "0", "1", "0"}, {"5", "7", "0", "3", "-2"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct gemm g;
    struct err e = {0};
    const struct reference *reference;
    struct expected all[35];
    open_gemm(&g, names, table[i], 5);
    struct reference_job job = {g.family, &g.problem, &g.plan, 5};
    assert_int_equal(reference_find(&job, &reference, &e), 0);
    size_t a = (size_t)reference_buffer(&g.plan, "a");
    size_t c = (size_t)reference_buffer(&g.plan, "c");
    assert_true(isinf(input_value(5, a, &g.plan.buffers[a], 0)));
    assert_int_equal(reference_all(reference, &job, c, all, &e), 0);
    for (size_t j = 0; j < 35; j++) {
      double old = input_value(5, c, &g.plan.buffers[c], j);
      double want = i % 2 ? -2 * old : 0;
      assert_true(all[j].want == want && all[j].bound < 1e-6);
      assert_true(reference->one(&job, c, j).want == want);
    }
    family_close(g.family);
  }
}

/* --- comparing ----------------------------------------------------------- */

static void wrong_elements_are_found(void **state)
{
  (void)state;
  const struct element_ops *f32 = element_ops(ELEMENT_F32);
  float got[6] = {1, 2, 3.5f, 4, NAN, 7}, before[6] = {9, 9, 9, 9, 9, 7};
  struct expected x[6] = {{1, 0.1}, {2.05, 0.1}, {3, 0.1},
                          {4, 0},   {5, 0.1},    {0, -1}};
  struct worst w = {0};
  struct str said = {0};
  check_elements(f32, got, before, x, 100, 2, &w);
  assert_int_equal(w.bad, 0);
  check_elements(f32, got, before, x, 100, 4, &w);
  assert_int_equal(w.bad, 1);
  assert_int_equal(w.index, 102);
  assert_true(w.got == 3.5 && w.want == 3);
  check_describe(&w, "c", &said);
  assert_string_equal(said.at, "c[102] is 3.5, must be 3 within 0.1 (1 element "
                               "is wrong)");
  check_elements(f32, got + 4, before + 4, x + 4, 104, 2, &w);
  assert_int_equal(w.bad, 2); /* the NaN; the padding is as it was */
  assert_int_equal(w.index, 104);
  got[5] = 8;
  check_elements(f32, got + 5, before + 5, x + 5, 105, 1, &w);
  assert_int_equal(w.bad, 3);
  str_free(&said);
}

static void overflow_is_an_infinity(void **state)
{
  (void)state;
  const struct element_ops *f32 = element_ops(ELEMENT_F32);
  float got[3] = {INFINITY, -INFINITY, INFINITY}, before[3] = {0};
  struct expected x[3] = {{1e39, 1e30}, {1e39, 1e30}, {1, 0.1}};
  size_t bad[] = {0, 1, 1};
  for (size_t i = 0; i < 3; i++) {
    struct worst w = {0};
    check_elements(f32, got + i, before, x + i, 0, 1, &w);
    assert_int_equal(w.bad, bad[i]);
  }
}

static void poison_is_nothing_that_arithmetic_makes(void **state)
{
  (void)state;
  unsigned char poison[4] = {POISON, POISON, POISON, POISON};
  float f, made = NAN;
  memcpy(&f, poison, 4);
  assert_true(isnan(f));
  assert_memory_not_equal(&made, poison, 4);
  assert_true(check_bytes(poison, 4, POISON));
  poison[3] = 0;
  assert_false(check_bytes(poison, 4, POISON));
  assert_true(check_bytes(poison, 0, 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs_are_functions_of_seed_and_place),
      cmocka_unit_test(gamma_is_highams),
      cmocka_unit_test(gemm_is_what_it_says),
      cmocka_unit_test(nothing_is_multiplied),
      cmocka_unit_test(wrong_elements_are_found),
      cmocka_unit_test(overflow_is_an_infinity),
      cmocka_unit_test(poison_is_nothing_that_arithmetic_makes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
