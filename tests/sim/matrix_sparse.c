/* matrix_sparse.c - sums of sparse products, beside the dense product of the half of k
 * that the indices choose.
 *
 * Which pairs of four k A has is the same in all rows here, so that those rows of B
 * are an ordinary matrix. Where there is a dense instruction of half the k, whose sums
 * are held to MMA-Sim's, the sparse one's are the same bits: assumed, as MMA-Sim has
 * no sparse ones. The others (gfx950, 8 bits) are held to sums of doubles. Random
 * bits, among them infinities, NaNs and subnormals, and numbers between -2 and 2.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/rng.h"
#include "runtimes/sim/run/small_float.h"
#include "tests/sim/matrix_bench.h"

enum {RUNS = 8, MOST = 32, MOST_K = 128};

struct product {
  unsigned m, n, k; /* k: of A, half of B's */
  uint64_t a[MOST][MOST_K], b[MOST][MOST_K]; /* rows of A, columns of the whole B */
  uint32_t c[MOST][MOST];
};

/* The dense instruction of half the k; -1: there is none. */
static int dense_of(const struct isa *isa, const struct matrix *sparse)
{
  for (unsigned op = 0; op < 128; op++) {
    const struct matrix *x = shape(isa, op);
    if (x && x->kind == MATRIX_DENSE && x->m == sparse->m && x->n == sparse->n &&
        x->k == sparse->k / 2 && x->blocks == 1 && x->type[0] == sparse->type[0] &&
        x->type[1] == sparse->type[1])
      return (int)op;
  }
  return -1;
}

static uint64_t element(struct rng *r, const struct isa *isa, unsigned type, int tame)
{
  uint64_t bits = rng_next(r) & ((UINT64_C(1) << matrix_bits(type)) - 1);
  double x = (double)(int64_t)rng_next(r) * 0x1p-62;
  if (!tame || type == MATRIX_I8)
    return bits;
  return small_write(small_of(type - MATRIX_F16 + SMALL_F16, isa->ocp), x, 0);
}

static void make(struct product *p, const struct isa *isa, const struct matrix *x,
                 struct rng *r, int tame)
{
  p->m = x->m, p->n = x->n, p->k = x->k / 2;
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned k = 0; k < p->k; k++)
      p->a[i][k] = element(r, isa, x->type[0], tame);
  for (unsigned j = 0; j < p->n; j++)
    for (unsigned k = 0; k < x->k; k++)
      p->b[j][k] = element(r, isa, x->type[1], tame);
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned j = 0; j < p->n; j++) {
      float c = (float)((double)(int64_t)rng_next(r) * 0x1p-60);
      memcpy(&p->c[i][j], &c, 4);
      if (!tame || x->type[0] == MATRIX_I8)
        p->c[i][j] = (uint32_t)rng_next(r);
    }
}

/* Of k 4 q .. 4 q + 3 that which element n of a row of A is for. */
static unsigned chosen(unsigned n)
{
  static const uint8_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return n / 2 * 4 + pairs[n / 2 * 5 % 6][n % 2];
}

static void put_c(struct bench *t, const struct product *p, const struct matrix *x,
                  unsigned first)
{
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned j = 0; j < p->n; j++)
      put(t, first, matrix_output(x, 0, i, j), 32, p->c[i][j]);
}

static void run_sparse(struct bench *t, const struct isa *isa, unsigned op,
                       const struct product *p)
{
  const struct matrix *x = shape(isa, op);
  unsigned each = p->k * x->m / 64;
  bench_open(t, isa, op, IN_VGPRS);
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned k = 0; k < p->k; k++) {
      struct place at = matrix_input(x, MATRIX_A, 0, i, k);
      put(t, t->a, at, matrix_bits(x->type[0]), p->a[i][k]);
      at.bit = 2 * (k % each);
      put(t, C, at, 2, chosen(k) % 4);
    }
  for (unsigned j = 0; j < p->n; j++)
    for (unsigned k = 0; k < x->k; k++)
      put(t, t->b, matrix_input(x, MATRIX_B, 0, j, k), matrix_bits(x->type[1]),
          p->b[j][k]);
  put_c(t, p, x, t->d);
  bench_run(t);
}

static void run_dense(struct bench *t, const struct isa *isa, unsigned op,
                      const struct product *p)
{
  const struct matrix *x = shape(isa, op);
  bench_open(t, isa, op, IN_VGPRS);
  for (unsigned i = 0; i < p->m; i++)
    for (unsigned k = 0; k < p->k; k++)
      put(t, t->a, matrix_input(x, MATRIX_A, 0, i, k), matrix_bits(x->type[0]),
          p->a[i][k]);
  for (unsigned j = 0; j < p->n; j++)
    for (unsigned k = 0; k < p->k; k++)
      put(t, t->b, matrix_input(x, MATRIX_B, 0, j, k), matrix_bits(x->type[1]),
          p->b[j][chosen(k)]);
  put_c(t, p, x, t->c);
  bench_run(t);
}

static float as_float(uint32_t u)
{
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}

static int same(uint32_t a, uint32_t b, int floats)
{
  return a == b || (floats && isnan(as_float(a)) && isnan(as_float(b)));
}

/* A sum of doubles, and how far from it one may be that cuts off at 2^-24 of its
 * largest product, 16 at a time. */
static int near_sum(const struct isa *isa, const struct matrix *x,
                    const struct product *p, unsigned i, unsigned j, uint32_t is)
{
  double sum = (double)as_float(p->c[i][j]), size = fabs(sum);
  for (unsigned k = 0; k < p->k; k++) {
    double a = (double)matrix_float(isa, x->type[0], (uint32_t)p->a[i][k]);
    double b = (double)matrix_float(isa, x->type[1], (uint32_t)p->b[j][chosen(k)]);
    sum += a * b;
    size += fabs(a * b);
  }
  if (!isfinite(sum))
    return isnan(sum) ? isnan(as_float(is)) : as_float(is) <= sum && as_float(is) >= sum;
  return fabs(sum - (double)as_float(is)) <= size * 0x1p-18;
}

static unsigned compare(const struct isa *isa, unsigned op, struct rng *r)
{
  const struct matrix *x = shape(isa, op);
  const char *name = op_find(isa, VOP3P, op)->name;
  int dense = dense_of(isa, x), floats = x->type[0] != MATRIX_I8;
  struct product *p = calloc(1, sizeof *p);
  struct bench *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
  unsigned sums = 0;
  for (unsigned run = 0; run < RUNS; run++) {
    make(p, isa, x, r, run % 2);
    run_sparse(a, isa, op, p);
    if (dense >= 0)
      run_dense(b, isa, (unsigned)dense, p);
    for (unsigned i = 0; i < p->m; i++)
      for (unsigned j = 0; j < p->n; j++, sums++) {
        struct place at = matrix_output(x, 0, i, j);
        uint32_t is = (uint32_t)get(a, at, 32);
        if (dense >= 0 ? !same(is, (uint32_t)get(b, at, 32), floats)
                       : !near_sum(isa, x, p, i, j, is))
          fail_msg("%s, run %u: row %u, column %u: 0x%08x", name, run, i, j, is);
      }
  }
  free(p);
  free(a);
  free(b);
  return sums;
}

static void test_values(void **state)
{
  const struct isa *isa = *state;
  int with_dense = 0, others = 0;
  struct rng r;
  rng_seed(&r, 31);
  for (unsigned op = 0; op < 128; op++) {
    const struct matrix *x = shape(isa, op);
    if (!x || x->kind != MATRIX_SPARSE)
      continue;
    assert_true(compare(isa, op, &r) >= 1000);
    if (dense_of(isa, x) >= 0)
      with_dense++;
    else
      others++;
  }
  print_message("%s: %d as dense ones, %d as doubles\n", isa->name, with_dense, others);
  assert_int_equal(with_dense + others, isa->ocp ? 28 : 14);
  assert_int_equal(others, isa->ocp ? 8 : 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      {"values, gfx942", test_values, NULL, NULL, (void *)(uintptr_t)isa_find("gfx942")},
      {"values, gfx950", test_values, NULL, NULL, (void *)(uintptr_t)isa_find("gfx950")},
  };
  return cmocka_run_group_tests_name("matrix_sparse", tests, NULL, NULL);
}
