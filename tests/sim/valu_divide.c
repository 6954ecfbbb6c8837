/* valu_divide.c - the division that compilers emit gives the quotient that C
 * gives, for f32 and f64. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/rng.h"
#include "tests/sim/valu_test.h"

static uint32_t bits32(float x)
{
  uint32_t u;
  memcpy(&u, &x, 4);
  return u;
}
static float float_of(uint32_t u)
{
  float x;
  memcpy(&x, &u, 4);
  return x;
}
static uint64_t bits64(double x)
{
  uint64_t u;
  memcpy(&u, &x, 8);
  return u;
}
static double double_of(uint64_t u)
{
  double x;
  memcpy(&x, &u, 8);
  return x;
}

/* dst = NAME src0, src1, src2, of registers; neg as in the encoding. */
static void run(struct bench *b, const char *name, int dst, int s0, int s1,
                int s2, int neg)
{
  struct inst i = inst_of(name);
  i.dst = (uint16_t)dst;
  i.src[0] = (uint16_t)(s0 + CODE_VGPR);
  i.src[1] = (uint16_t)(s1 + CODE_VGPR);
  i.src[2] = (uint16_t)(s2 + CODE_VGPR);
  i.neg = (uint8_t)neg;
  execute(b, &i);
}

enum {N = 0, D = 2, D1 = 4, N1 = 6, R = 8, E = 10, Q = 12, ONE = 14, X = 16};

/* LLVM's expansion of fdiv: `more` says whether rcp is refined twice, as for
 * f64. The names of the instructions end in `type`. */
static void divide(struct bench *b, const char *type, int more)
{
  char scale[32], rcp[32], fma[32], mul[32], fmas[32], fixup[32];
  snprintf(scale, sizeof scale, "v_div_scale_%s", type);
  snprintf(rcp, sizeof rcp, "v_rcp_%s", type);
  snprintf(fma, sizeof fma, "v_fma_%s", type);
  snprintf(mul, sizeof mul, "v_mul_%s", type);
  snprintf(fmas, sizeof fmas, "v_div_fmas_%s", type);
  snprintf(fixup, sizeof fixup, "v_div_fixup_%s", type);
  run(b, scale, D1, D, D, N, 0);
  run(b, scale, N1, N, D, N, 0);
  run(b, rcp, R, D1, D1, D1, 0);
  for (int n = 0; n <= more; n++) {
    run(b, fma, E, D1, R, ONE, 1);
    run(b, fma, R, E, R, R, 0);
  }
  run(b, mul, Q, N1, R, R, 0);
  run(b, fma, E, D1, Q, N1, 1);
  if (!more) { /* one more refinement of the quotient */
    run(b, fma, Q, E, R, Q, 0);
    run(b, fma, E, D1, Q, N1, 1);
  }
  run(b, fmas, Q, E, R, Q, 0);
  run(b, fixup, X, Q, D, N, 0);
}

/* Any exponent: quotients overflow, underflow and are denormal. */
static float random_float(struct rng *r)
{
  static const uint32_t edges[] = { 0, 0x80000000, 1, 0x007fffff, 0x00800000,
                                    0x7f7fffff, 0x7f800000, 0xff800000,
                                    0x3f800000, 0x7f000000, 0x7e800000 };
  if (rng_below(r, 8) == 0)
    return float_of(edges[rng_below(r, sizeof edges / sizeof *edges)]);
  float x = float_of((uint32_t)rng_next(r));
  return x == x ? x : 1;
}

static void floats(void **state)
{
  (void)state;
  static struct bench b;
  struct rng r;
  rng_seed(&r, 7);
  for (int round = 0; round < 500; round++) {
    bench_reset(&b);
    v_all(&b, ONE, 0x3f800000);
    for (int l = 0; l < LANES; l++) {
      b.v[N][l] = bits32(random_float(&r));
      b.v[D][l] = bits32(random_float(&r));
    }
    divide(&b, "f32", 0);
    for (int l = 0; l < LANES; l++) {
      const float n = float_of(b.v[N][l]), d = float_of(b.v[D][l]);
      const float want = n / d, got = float_of(b.v[X][l]);
      if (b.v[X][l] != bits32(want) && (want == want || got == got))
        fail_msg("%a / %a: %a, expected %a", n, d, got, want);
    }
  }
}

static void put64(struct bench *b, int n, int l, uint64_t x)
{
  b->v[n][l] = (uint32_t)x;
  b->v[n + 1][l] = (uint32_t)(x >> 32);
}
static double at64(const struct bench *b, int n, int l)
{
  return double_of(b->v[n][l] | (uint64_t)b->v[n + 1][l] << 32);
}

static void doubles(void **state)
{
  (void)state;
  static struct bench b;
  struct rng r;
  rng_seed(&r, 8);
  for (int round = 0; round < 500; round++) {
    bench_reset(&b);
    v_all64(&b, ONE, bits64(1));
    for (int l = 0; l < LANES; l++) {
      uint64_t n = rng_next(&r), d = rng_next(&r);
      put64(&b, N, l, double_of(n) == double_of(n) ? n : 0);
      put64(&b, D, l, double_of(d) == double_of(d) ? d : 1);
    }
    divide(&b, "f64", 1);
    for (int l = 0; l < LANES; l++) {
      const double n = at64(&b, N, l), d = at64(&b, D, l);
      const double want = n / d, got = at64(&b, X, l);
      if (bits64(want) != bits64(got) && (want == want || got == got))
        fail_msg("%a / %a: %a, expected %a", n, d, got, want);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(floats),
    cmocka_unit_test(doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
