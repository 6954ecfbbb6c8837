/* int4.c - words of GPTQ and AWQ by hand, from the formats' definitions.
 *
 * GPTQ: auto_gptq's qlinear_cuda_old.py packs `qweight[row] |= intweight[i + j] << (4
 * * j)` for 8 rows, zeros alike over columns, each less 1. AWQ: order_map = [0, 2, 4,
 * 6, 1, 3, 5, 7] of its WQLinear_GEMM: place j of a word holds column order_map[j].
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/tuner/opened.h"
#include "tuner/reference/int4.h"

/* The lowest 4 bits are 1, the next 2 ... */
static const uint32_t counting = 0x87654321;

static void gptq_packs_rows(void **state)
{
  (void)state;
  for (size_t row = 0; row < 8; row++)
    assert_int_equal(int4_number(INT4_GPTQ, counting, row, 5), row + 1);
  assert_int_equal(int4_number(INT4_GPTQ, 0xf0000000, 15, 0), 15);
  /* of 40 columns: row 17 is in the third row of words */
  assert_int_equal(int4_word(INT4_GPTQ, 40, 17, 11), 2 * 40 + 11);
  for (size_t column = 0; column < 8; column++)
    assert_int_equal(int4_zero(INT4_GPTQ, counting, column), column + 2);
  assert_int_equal(int4_zero(INT4_GPTQ, 0xf000, 11), 16);
}

static void awq_packs_columns(void **state)
{
  (void)state;
  static const unsigned order[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  for (unsigned place = 0; place < 8; place++) {
    assert_int_equal(int4_number(INT4_AWQ, counting, 3, 16 + order[place]),
                     place + 1);
    assert_int_equal(int4_zero(INT4_AWQ, counting, order[place]), place + 1);
  }
  assert_int_equal(int4_word(INT4_AWQ, 40, 17, 11), 17 * 5 + 1);
}

/* What word `word` of a buffer says at place `place`. */
static unsigned nibble(const struct opened *o, const char *buffer, size_t word,
                       unsigned place)
{
  return (uint32_t)(int32_t)input_at(o, buffer, word) >> 4 * place & 15;
}

enum {M = 16, N = 2, K = 64, ROWS = 32};

/* W (row, column) as the documents write it down, from the bits of the inputs. */
static double gptq_weight(const struct opened *o, size_t row, size_t column)
{
  size_t group = row / ROWS;
  int q = (int)nibble(o, "qweight", row / 8 * M + column, row % 8);
  int zero = (int)nibble(o, "qzeros", group * M / 8 + column / 8, column % 8);
  return input_at(o, "scales", group * M + column) * (q - (zero + 1));
}

static double awq_weight(const struct opened *o, size_t row, size_t column)
{
  static const unsigned place[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  size_t group = row / ROWS;
  unsigned at = place[column % 8];
  int q = (int)nibble(o, "qweight", row * M / 8 + column / 8, at);
  int zero = (int)nibble(o, "qzeros", group * M / 8 + column / 8, at);
  return input_at(o, "scales", group * M + column) * (q - zero);
}

static void products_are_sums(void **state)
{
  (void)state;
  static const struct {
    const char *problem;
    double (*weight)(const struct opened *o, size_t row, size_t column);
    int ordered;
  } cases[] = {
    {"dtype=gptq,m=16,n=2,k=64,group=32,type_c=f32", gptq_weight, 0},
    {"dtype=gptq,m=16,n=2,k=64,group=32,act_order=1", gptq_weight, 1},
    {"dtype=awq,m=16,n=2,k=64,group=32,type_c=f32", awq_weight, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct opened o;
    open_family(&o, "w4a16", cases[i].problem, "");
    struct expected *all = all_of(&o, "c");
    int seen[K] = {0};
    for (size_t row = 0; row < N; row++)
      for (size_t column = 0; column < M; column++) {
        double sum = 0, size = 0;
        for (size_t k = 0; k < K; k++) {
          size_t at = cases[i].ordered ? (size_t)input_at(&o, "perm", k) : k;
          double term = cases[i].weight(&o, k, column) *
                        input_at(&o, "x", row * K + at);
          sum += term;
          size += fabs(term);
          seen[at] = 1;
        }
        struct expected x = all[row * M + column];
        assert_true(fabs(x.want - sum) <= 1e-12 * size);
        assert_true(x.bound > 0 && x.bound <= 1e-3 * size);
      }
    for (size_t k = 0; k < K; k++)
      assert_true(seen[k]);
    free(all);
    close_family(&o);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(gptq_packs_rows),
    cmocka_unit_test(awq_packs_columns),
    cmocka_unit_test(products_are_sums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
