/* reference_epilogue.c - what becomes of a product before it is stored. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "tests/tuner/opened.h"
#include "tuner/reference/epilogue.h"

/* Phi(1) = 0.8413447460685429 and the logistic function of 1, from tables; of
 * tanh's form Hendrycks and Gimpel's formula, by bc with 30 digits. */
static void activations_have_their_values(void **state)
{
  (void)state;
  static const struct {
    const char *problem;
    double x, want;
  } table[] = {
      {"m=1,n=1,k=1,activation=gelu", 1, 0.8413447460685429},
      {"m=1,n=1,k=1,activation=gelu", -1, -0.1586552539314571},
      {"m=1,n=1,k=1,activation=gelu", 0, 0},
      {"m=1,n=1,k=1,activation=gelu_tanh", 1, 0.8411919906082768},
      {"m=1,n=1,k=1,activation=gelu_tanh", -1, -0.1588080093917232},
      {"m=1,n=1,k=1,activation=silu", 1, 0.7310585786300049},
      {"m=1,n=1,k=1,activation=silu", -1, -0.2689414213699951},
      {"m=1,n=1,k=1", -1, -1},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct opened o;
    open_family(&o, "gemm", table[i].problem, "");
    struct epilogue e = epilogue_of(&o.job);
    struct expected x = {table[i].x, 1e-3};
    x = epilogue_apply(&e, x, 0, 0, 0);
    assert_true(fabs(x.want - table[i].want) < 1e-15);
    assert_true(x.bound > 0.9e-3 && x.bound < 1.2e-3);
    close_family(&o);
  }
}

/* C = silu(scales * 3 A B + 2 C + bias) * up + residual, row 1 and column 2. */
static void steps_come_in_their_order(void **state)
{
  (void)state;
  struct opened o;
  open_family(&o, "gemm", "m=2,n=3,k=1,alpha=3,beta=2,scale=both,bias=row,"
              "activation=silu,up=1,residual=1", "");
  struct expected *all = all_of(&o, "c");
  double x = 3 * input_at(&o, "a", 1) * input_at(&o, "b", 2) *
                 input_at(&o, "row_scale", 1) * input_at(&o, "col_scale", 2) +
             2 * input_at(&o, "c", 5) + input_at(&o, "bias", 1);
  double want = x / (1 + exp(-x)) * input_at(&o, "up", 5) +
                input_at(&o, "residual", 5);
  assert_true(fabs(all[5].want - want) < 1e-14);
  assert_true(all[5].bound > 1e-9 && all[5].bound < 1e-4);
  free(all);
  close_family(&o);
}

/* Of bytes, too, whose sums become floats; the scales are small. */
static void bytes_become_floats(void **state)
{
  (void)state;
  struct opened o;
  open_family(&o, "gemm", "m=2,n=3,k=1,dtype=i8,type_c=f16,scale=col,bias=col",
              "");
  struct expected *all = all_of(&o, "c");
  double want = input_at(&o, "a", 1) * input_at(&o, "b", 2) *
                    input_at(&o, "col_scale", 2) + input_at(&o, "bias", 2);
  assert_true(fabs(all[5].want - want) < 1e-14);
  assert_true(all[5].bound >= fabs(want) * 0x1p-11);
  assert_true(all[5].bound < (fabs(want) + 1) * 0x1p-10);
  free(all);
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(activations_have_their_values),
      cmocka_unit_test(steps_come_in_their_order),
      cmocka_unit_test(bytes_become_floats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
