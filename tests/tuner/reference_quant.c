/* reference_quant.c - products of quantised weights against those of the numbers
 * that the weights stand for. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "tests/tuner/opened.h"
#include "tuner/reference/quant.h"

enum {M = 5, N = 3, K = 512};

/* Number k of row `row`. */
static double weight(const struct opened *o, const struct quant *t, size_t row,
                     size_t k)
{
  uint8_t block[QUANT_BYTES];
  float x[QUANT_MOST];
  size_t b = (size_t)reference_buffer(&o->plan, "w");
  input_block(o->job.seed, b, &o->plan.buffers[b],
              row * (K / t->block->elements) + k / t->block->elements, block);
  quant_decode(t, block, x);
  return (double)x[k % t->block->elements];
}

/* ggml's own tests ask for a normalised square error of at most 5e-4. */
static void activations_lose_little(void **state)
{
  (void)state;
  for (size_t i = 0; quant_at(i); i++) {
    const struct quant *t = quant_at(i);
    struct opened o;
    char problem[80];
    snprintf(problem, sizeof problem, "dtype=%s,m=%d,n=%d,k=%d", t->block->name, M, N,
             K);
    open_family(&o, "mmvq", problem, "");
    struct expected *all = all_of(&o, "c");
    double error = 0, size = 0;
    for (size_t row = 0; row < M; row++)
      for (size_t col = 0; col < N; col++) {
        double sum = 0;
        for (size_t k = 0; k < K; k++)
          sum += weight(&o, t, row, k) * input_at(&o, "x", col * K + k);
        double off = all[col * M + row].want - sum;
        error += off * off;
        size += sum * sum;
      }
    printf("%s: %.2g of the square\n", t->block->name, error / size);
    assert_true(error > 0 && error <= 5e-4 * size);
    free(all);
    close_family(&o);
  }
}

/* Activations that are q8_1: q4_1's minima go with s, all else with d q. */
static void given_activations_are_taken_as_they_are(void **state)
{
  (void)state;
  const struct quant *t = quant_find("q4_1");
  struct opened o;
  open_family(&o, "mmvq", "dtype=q4_1,x=q8_1,m=5,n=3,k=512", "");
  struct expected *all = all_of(&o, "c");
  for (size_t row = 0; row < M; row++)
    for (size_t col = 0; col < N; col++) {
      double sum = 0, size = 0;
      for (size_t k = 0; k < K; k++) {
        size_t at = k / 32 * N + col, b = (size_t)reference_buffer(&o.plan, "w");
        uint8_t block[QUANT_BYTES];
        input_block(o.job.seed, b, &o.plan.buffers[b], row * (K / 32) + k / 32,
                    block);
        double least = element_ops(ELEMENT_F16)->load(block + 2);
        double d = input_at(&o, "xs", 2 * at);
        double s = input_at(&o, "xs", 2 * at + 1);
        double term = (weight(&o, t, row, k) - least) * d *
                      input_at(&o, "xq", 32 * at + k % 32) + least * s / 32;
        sum += term;
        size += fabs(term);
      }
      struct expected x = all[col * M + row];
      assert_true(fabs(x.want - sum) <= 1e-6 * size);
      assert_true(x.bound > 0 && x.bound <= 4e-6 * size);
    }
  free(all);
  close_family(&o);
}

/* An expert's columns are multiplied with its rows: as a family of one product does
 * with the same W, whose rows are then those of all experts. */
static void columns_have_the_rows_of_their_group(void **state)
{
  (void)state;
  enum {GROUPS = 4};
  struct opened o, flat;
  open_family(&o, "mmq", "dtype=q4_0,x=q8_1,m=5,n=7,k=512,groups=4,used=2", "");
  open_family(&flat, "mmq", "dtype=q4_0,x=q8_1,m=20,n=7,k=512", "");
  struct expected *some = all_of(&o, "c"), *all = all_of(&flat, "c");
  size_t c = (size_t)reference_buffer(&o.plan, "c");
  for (size_t g = 0; g < GROUPS; g++) {
    size_t first = (size_t)input_at(&o, "offsets", g);
    size_t end = (size_t)input_at(&o, "offsets", g + 1);
    for (size_t col = first; col < end; col++)
      for (size_t row = 0; row < M; row++) {
        struct expected x = all[col * GROUPS * M + g * M + row];
        assert_true(some[col * M + row].want == x.want);
        assert_true(some[col * M + row].bound == x.bound);
        struct expected y = o.reference->one(&o.job, c, col * M + row);
        assert_true(y.want == x.want && y.bound == x.bound);
      }
  }
  free(some);
  free(all);
  close_family(&o);
  close_family(&flat);
}

/* C of two matrices of weights is made of what each gives alone. */
static void gates_are_applied(void **state)
{
  (void)state;
  static const char *const problem = "dtype=q4_1,x=q8_1,m=5,n=3,k=512";
  struct opened one, two;
  open_family(&one, "mmvq", problem, "");
  open_family(&two, "mmvq", "dtype=q4_1,x=q8_1,m=5,n=3,k=512,swiglu=1", "");
  struct expected *gate = all_of(&one, "c"), *got = all_of(&two, "c");
  for (size_t i = 0; i < M * N; i++) {
    double silu = gate[i].want / (1 + exp(-gate[i].want));
    double sum = 0;
    size_t up = (size_t)reference_buffer(&two.plan, "up");
    for (size_t k = 0; k < K; k++) {
      size_t at = k / 32 * N + i / M;
      uint8_t block[QUANT_BYTES];
      float x[QUANT_MOST];
      input_block(two.job.seed, up, &two.plan.buffers[up],
                  i % M * (K / 32) + k / 32, block);
      quant_decode(quant_find("q4_1"), block, x);
      double least = element_ops(ELEMENT_F16)->load(block + 2);
      sum += ((double)x[k % 32] - least) * input_at(&two, "xs", 2 * at) *
                 input_at(&two, "xq", 32 * at + k % 32) +
             least * input_at(&two, "xs", 2 * at + 1) / 32;
    }
    assert_true(fabs(got[i].want - silu * sum) <=
                1e-5 * (1 + fabs(silu * sum)));
    assert_true(got[i].bound > 0);
  }
  free(gate);
  free(got);
  close_family(&one);
  close_family(&two);
}

/* Each of several products of one X has the results of a product of its own: of its
 * weights, which are those that its buffer has. */
static void products_share_activations(void **state)
{
  (void)state;
  enum {M2 = 2, M3 = 7};
  static const struct {
    const char *w, *c;
    size_t m;
  } products[] = {{"w", "c", M}, {"w2", "c2", M2}, {"w3", "c3", M3}};
  struct opened o;
  open_family(&o, "mmvq", "dtype=q8_0,x=q8_1,m=5,m2=2,m3=7,n=3,k=512", "");
  for (size_t p = 0; p < 3; p++) {
    struct expected *got = all_of(&o, products[p].c);
    size_t w = (size_t)reference_buffer(&o.plan, products[p].w);
    size_t c = (size_t)reference_buffer(&o.plan, products[p].c);
    assert_int_equal(o.plan.buffers[c].elements, products[p].m * N);
    for (size_t i = 0; i < products[p].m * N; i++) {
      double sum = 0;
      for (size_t k = 0; k < K; k++) {
        size_t at = k / 32 * N + i / products[p].m;
        uint8_t block[QUANT_BYTES];
        float x[QUANT_MOST];
        input_block(o.job.seed, w, &o.plan.buffers[w],
                    i % products[p].m * (K / 32) + k / 32, block);
        quant_decode(quant_find("q8_0"), block, x);
        sum += (double)x[k % 32] * input_at(&o, "xs", 2 * at) *
               input_at(&o, "xq", 32 * at + k % 32);
      }
      assert_true(fabs(got[i].want - sum) <= 1e-5 * (1 + fabs(sum)));
      assert_true(o.reference->one(&o.job, c, i).want == got[i].want);
    }
    free(got);
  }
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(activations_lose_little),
    cmocka_unit_test(gates_are_applied),
    cmocka_unit_test(products_share_activations),
    cmocka_unit_test(columns_have_the_rows_of_their_group),
    cmocka_unit_test(given_activations_are_taken_as_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
