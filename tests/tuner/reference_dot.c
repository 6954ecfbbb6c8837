/* reference_dot.c - sums of dot products and FMAs, against doing each step.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "tests/tuner/opened.h"

enum {N = 600, STEPS = 37};

static void open_op(struct opened *o, const char *op, int clamp)
{
  char problem[128];
  snprintf(problem, sizeof problem, "op=%s,clamp=%d,steps=%d,n=%d", op, clamp,
           STEPS, N);
  open_family(o, "dot", problem, "");
}

/* --- integers ------------------------------------------------------------ */

static int32_t word_at(const struct opened *o, const char *name, size_t i)
{
  return (int32_t)input_at(o, name, i);
}

static long long dot4(int32_t a, int32_t b, int is_signed)
{
  long long sum = 0;
  int8_t s[2][4];
  uint8_t u[2][4];
  memcpy(s[0], &a, 4), memcpy(s[1], &b, 4);
  memcpy(u[0], &a, 4), memcpy(u[1], &b, 4);
  for (int i = 0; i < 4; i++)
    sum += is_signed ? s[0][i] * s[1][i] : u[0][i] * u[1][i];
  return sum;
}

static int nibble(int32_t word, int n, int is_signed)
{
  static const int values[16] = {0, 1, 2, 3, 4, 5, 6, 7,
                                 -8, -7, -6, -5, -4, -3, -2, -1};
  int bits = (int)((uint32_t)word >> 4 * n) & 15;
  return is_signed ? values[bits] : bits;
}

static long long dot8(int32_t a, int32_t b, int is_signed)
{
  long long sum = 0;
  for (int n = 0; n < 8; n++)
    sum += nibble(a, n, is_signed) * nibble(b, n, is_signed);
  return sum;
}

struct whole {
  const char *op;
  long long (*dot)(int32_t a, int32_t b, int is_signed);
  int is_signed;
  long long least, most;
};

struct ends {
  int least, most, inside, wrapped;
};

/* A step at a time: a sum that leaves the range stays at its end, or comes
 * back from the other. */
static long long walk(const struct whole *w, const struct opened *o, size_t i,
                      int clamp, struct ends *ends)
{
  long long move = w->dot(word_at(o, "a", i), word_at(o, "b", i),
                          w->is_signed);
  int32_t start = word_at(o, "c", i);
  long long sum = w->is_signed ? (start < 0 ? start + (1LL << 31)
                                            : start - (1LL << 31))
                               : (uint32_t)start;
  int wrapped = 0;
  for (int s = 0; s < STEPS; s++) {
    sum += move;
    if (clamp) {
      sum = sum < w->least ? w->least : sum > w->most ? w->most : sum;
    } else if (sum < w->least || sum > w->most) {
      sum += sum < w->least ? 1LL << 32 : -(1LL << 32);
      wrapped = 1;
    }
  }
  ends->least += sum == w->least;
  ends->most += sum == w->most;
  ends->inside += sum != w->least && sum != w->most;
  ends->wrapped += wrapped;
  return sum;
}

static void integers_wrap_or_saturate(void **state)
{
  (void)state;
  static const struct whole table[] = {
      {"sdot4", dot4, 1, INT32_MIN, INT32_MAX},
      {"udot4", dot4, 0, 0, UINT32_MAX},
      {"sdot8", dot8, 1, INT32_MIN, INT32_MAX},
      {"udot8", dot8, 0, 0, UINT32_MAX},
  };
  for (size_t t = 0; t < 8; t++) {
    const struct whole *w = &table[t / 2];
    struct ends ends = {0};
    struct opened o;
    int clamp = t % 2;
    open_op(&o, w->op, clamp);
    struct expected *all = all_of(&o, "y");
    for (size_t i = 0; i < N; i++) {
      uint32_t sum = (uint32_t)walk(w, &o, i, clamp, &ends);
      assert_true(all[i].want == (int32_t)sum && all[i].bound == 0);
    }
    /* The inputs reach what the operation is asked for: many ways out of
     * the range, and many that stay inside. */
    assert_true(ends.inside > N / 5);
    assert_true(clamp ? ends.most > N / 20 : ends.wrapped > N / 20);
    assert_true(!clamp || !w->is_signed || ends.least > N / 20);
    free(all);
    close_family(&o);
  }
}

/* --- floats -------------------------------------------------------------- */

/* c + steps d, where the range does not end; an end, if it does. */
static void halves_add_up(void **state)
{
  (void)state;
  for (int clamp = 0; clamp < 2; clamp++) {
    struct opened o;
    int low = 0, high = 0, inside = 0;
    open_op(&o, "fdot2", clamp);
    struct expected *all = all_of(&o, "y");
    for (size_t i = 0; i < N; i++) {
      double d = input_at(&o, "a", 2 * i) * input_at(&o, "b", 2 * i)
                 + input_at(&o, "a", 2 * i + 1) * input_at(&o, "b", 2 * i + 1);
      double c = input_at(&o, "c", i), sum = c + STEPS * d;
      if (clamp) /* the first step may clamp c itself */
        sum = fmin(fmax(fmin(fmax(c + d, 0), 1) + (STEPS - 1) * d, 0), 1);
      assert_true(fabs(all[i].want - sum) < 1e-12);
      assert_true(all[i].bound > 0 && all[i].bound < 1e-3);
      low += sum == 0, high += sum == 1, inside += sum > 0 && sum < 1;
    }
    assert_true(!clamp || (low > 100 && high > 100 && inside > 5));
    free(all);
    close_family(&o);
  }
}

static double rounded(const struct element_ops *type, double x)
{
  char at[8];
  type->store(at, x);
  return type->load(at);
}

/* The recurrence's closed form; and a device that rounds once or twice a step
 * is within the bound, one that forgets a step is not. */
static void fmas_are_a_geometric_series(void **state)
{
  (void)state;
  static const char *const names[] = {"fma_f32", "pk_fma_f16"};
  for (size_t t = 0; t < 2; t++) {
    struct opened o;
    int forgotten = 0;
    open_op(&o, names[t], 0);
    const struct element_ops *type = element_ops(o.plan.buffers[3].type);
    size_t n = o.plan.buffers[3].elements;
    struct expected *all = all_of(&o, "y");
    assert_int_equal(n, (t + 1) * N);
    for (size_t i = 0; i < n; i++) {
      double a = input_at(&o, "a", i), b = input_at(&o, "b", i);
      double c = input_at(&o, "c", i), power = pow(a, STEPS);
      double fused = c, twice = c, before = c;
      for (int s = 0; s < STEPS; s++) {
        before = fused;
        fused = rounded(type, a * fused + b);
        twice = rounded(type, rounded(type, a * twice) + b);
      }
      assert_true(fabs(all[i].want - (power * c + b * (1 - power) / (1 - a)))
                  < 1e-10);
      assert_true(fabs(all[i].want - fused) <= all[i].bound);
      assert_true(fabs(all[i].want - twice) <= all[i].bound);
      forgotten += fabs(all[i].want - before) > all[i].bound;
    }
    assert_true(forgotten > (int)n / 20);
    free(all);
    close_family(&o);
  }
}

/* ------------------------------------------------------------------------- */

/* CUs x 64 lanes x 4 or 8 multiplications x 2 x clock, as published. */
static void peaks_are_theory(void **state)
{
  (void)state;
  const struct arch *a = arch_find("gfx906");
  long long clocks = arch_fact(a, "cus") * arch_fact(a, "clock_mhz");
  assert_int_equal(clocks * arch_fact(a, "dot4_ops"), 52992000);
  assert_int_equal(clocks * arch_fact(a, "dot8_ops"), 105984000);
}

static void problems_must_make_sense(void **state)
{
  (void)state;
  struct opened o;
  struct err e = {0};
  open_op(&o, "sdot4", 1);
  o.plan.buffers[0].type = ELEMENT_F32;
  assert_int_equal(o.reference->check(&o.job, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "the reference 'dot' needs"));
  close_family(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_wrap_or_saturate),
      cmocka_unit_test(halves_add_up),
      cmocka_unit_test(fmas_are_a_geometric_series),
      cmocka_unit_test(peaks_are_theory),
      cmocka_unit_test(problems_must_make_sense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
