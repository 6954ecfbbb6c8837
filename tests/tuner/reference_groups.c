/* reference_groups.c - gemm's reference of groups against sums over the inputs. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "tests/tuner/opened.h"

enum {M = 11, N = 3, K = 8, GROUPS = 4};

/* Row `row` of A times column `col` of the group's B. */
static double product(const struct opened *o, size_t group, size_t row,
                      size_t col, int turned)
{
  double sum = 0;
  for (size_t k = 0; k < K; k++) {
    size_t at = turned ? (group * N + col) * K + k : (group * K + k) * N + col;
    sum += input_at(o, "a", row * K + k) * input_at(o, "b", at);
  }
  return sum;
}

static void rows_have_the_b_of_their_group(void **state)
{
  (void)state;
  static const char *const layouts[] = {"nn", "nt"};
  for (int turned = 0; turned < 2; turned++) {
    struct opened o;
    char problem[80];
    snprintf(problem, sizeof problem,
             "layout=%s,m=%d,n=%d,k=%d,groups=%d,used=2", layouts[turned], M,
             N, K, GROUPS);
    open_family(&o, "gemm", problem, "");
    size_t c = (size_t)reference_buffer(&o.plan, "c"), seen = 0;
    struct expected *all = whole(&o, c); /* by a BLAS, which adds in its own order */
    for (size_t g = 0; g < GROUPS; g++)
      for (size_t row = (size_t)input_at(&o, "offsets", g);
           row < (size_t)input_at(&o, "offsets", g + 1); row++, seen++)
        for (size_t col = 0; col < N; col++) {
          double want = product(&o, g, row, col, turned);
          struct expected x = all[row * N + col];
          struct expected y = o.reference->one(&o.job, c, row * N + col);
          assert_true(fabs(x.want - want) < 1e-12);
          assert_true(fabs(y.want - want) < 1e-12);
          assert_true(x.bound > 0 && x.bound < 1e-4);
          assert_true(fabs(x.bound - y.bound) < 1e-12);
        }
    assert_int_equal(seen, M);
    free(all);
    close_family(&o);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_have_the_b_of_their_group),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
