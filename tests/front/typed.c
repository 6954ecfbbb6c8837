/* typed.c - products of every row of types, each served right. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "tests/front/made_number.h"
#include "tests/front/scenarios.h"
#include "tests/front/sums.h"

static const struct row {
  int in, out, compute; /* rocBLAS's */
  const char *names[3];
} rows[] = {
    {TYPE_F32, TYPE_F32, TYPE_F32, {"f32", "f32", "f32"}},
    {TYPE_F16, TYPE_F16, TYPE_F32, {"f16", "f16", "f32"}},
    {TYPE_F16, TYPE_F16, TYPE_F16, {"f16", "f16", "f16"}},
    {TYPE_F16, TYPE_F32, TYPE_F32, {"f16", "f32", "f32"}},
    {TYPE_BF16, TYPE_BF16, TYPE_F32, {"bf16", "bf16", "f32"}},
    {TYPE_BF16, TYPE_F32, TYPE_F32, {"bf16", "f32", "f32"}},
    {TYPE_I8, TYPE_I32, TYPE_I32, {"i8", "i32", "i32"}},
};

enum {ROWS = sizeof rows / sizeof *rows};

/* Whole numbers in memory of a type. */
static void *matrix_of(struct rng *r, const struct made_number *t)
{
  char *at = aligned_alloc(64, SPACE * t->bytes);
  for (size_t i = 0; i < SPACE; i++)
    made_put(t, at, i, (double)rng_below(r, 17) - 8);
  return at;
}

struct typed {
  const struct row *row;
  const struct made_number *in, *out;
  struct sum s; /* the sizes */
  void *a, *b, *c;
  double alpha, beta;
};

static double value(const struct typed *t, const void *before, int i, int j)
{
  const struct sum *s = &t->s;
  double sum = 0;
  for (int l = 0; l < s->k; l++)
    sum += made_get(t->in, t->a, (size_t)(s->op_a == OP_NONE
                                              ? l * s->lda + i
                                              : i * s->lda + l)) *
           made_get(t->in, t->b, (size_t)(s->op_b == OP_NONE
                                              ? j * s->ldb + l
                                              : l * s->ldb + j));
  double old = made_get(t->out, before, (size_t)(j * s->ldc + i));
  return t->alpha * sum + (t->beta == 0 ? 0 : t->beta * old);
}

/* Every byte of C: the product, and what was beside it. */
static int typed_is_right(const struct typed *t, const char *before)
{
  size_t bytes = t->out->bytes;
  char *want = malloc(SPACE * bytes);
  memcpy(want, before, SPACE * bytes);
  for (int j = 0; j < t->s.n; j++)
    for (int i = 0; i < t->s.m; i++)
      made_put(t->out, want, (size_t)(j * t->s.ldc + i),
               value(t, before, i, j));
  int right = !memcmp(want, t->c, SPACE * bytes);
  free(want);
  return right;
}

static int call_typed(const struct typed *t)
{
  const struct sum *s = &t->s;
  const struct row *row = t->row;
  char alpha[8], beta[8];
  made_put(made_number(row->names[2]), alpha, 0, t->alpha);
  made_put(made_number(row->names[2]), beta, 0, t->beta);
  return lib->rocblas_gemm_ex(s->handle, s->op_a, s->op_b, s->m, s->n, s->k,
                              alpha, t->a, row->in, s->lda, t->b, row->in,
                              s->ldb, beta, t->c, row->out, s->ldc, t->c,
                              row->out, s->ldc, row->compute, 0, 0, 0);
}

static void one(struct rng *r, const struct row *row)
{
  struct fake_handle handle = {0};
  struct typed t = {.row = row, .in = made_number(row->names[0]),
                    .out = made_number(row->names[1]),
                    .s = some_sum(r, &handle), .alpha = 2,
                    .beta = (double)rng_below(r, 3)};
  char before[4 * SPACE];
  int forwarded = *lib->forwarded;
  free_sum(&t.s);
  t.a = matrix_of(r, t.in);
  t.b = matrix_of(r, t.in);
  t.c = matrix_of(r, t.out);
  memcpy(before, t.c, SPACE * t.out->bytes);
  CHECK(call_typed(&t) == 0);
  CHECK(*lib->forwarded == forwarded);
  CHECK(typed_is_right(&t, before));
  free(t.a);
  free(t.b);
  free(t.c);
}

/* Of f32, with A the same for all; what lies between the products stays. */
static int strided(void)
{
  enum {BATCH = 3};
  static const struct row *const row = &rows[0];
  struct rng r = rng_seeded(30);
  struct fake_handle handle = {0};
  struct typed t = {.row = row, .in = made_number("f32"),
                    .out = made_number("f32"), .s = some_sum(&r, &handle),
                    .alpha = 1, .beta = 1};
  float alpha = 1, beta = 1, before[BATCH * SPACE], *all;
  int forwarded = *lib->forwarded;
  all = aligned_alloc(64, sizeof before);
  for (int i = 0; i < BATCH * SPACE; i++)
    before[i] = all[i] = (float)(i % 7);
  t.a = t.s.a;
  CHECK(lib->rocblas_sgemm_strided_batched(
            &handle, t.s.op_a, t.s.op_b, t.s.m, t.s.n, t.s.k, &alpha, t.s.a,
            t.s.lda, 0, t.s.b, t.s.ldb, 16, &beta, all, t.s.ldc, SPACE,
            BATCH) == 0);
  int served = *lib->forwarded == forwarded;
  for (int i = 0; i < BATCH && served; i++) {
    t.b = t.s.b + (size_t)16 * (unsigned)i;
    t.c = all + (size_t)SPACE * (unsigned)i;
    CHECK(typed_is_right(&t, (char *)(before + (size_t)SPACE * (unsigned)i)));
  }
  free(all);
  free_sum(&t.s);
  return served;
}

void batch_alone(void)
{
  CHECK(strided() == 1);
}

void batch_beside(void)
{
  CHECK(strided() == 0);
}

/* The first check of halves finds what is wrong, so that nothing is served. */
void wrong_types(void)
{
  struct rng r = rng_seeded(29);
  const struct row *row = &rows[1 + rng_below(&r, 2)];
  struct fake_handle handle = {0};
  struct typed t = {.row = row, .in = made_number(row->names[0]),
                    .out = made_number(row->names[1]),
                    .s = some_sum(&r, &handle), .alpha = 1};
  free_sum(&t.s);
  t.a = matrix_of(&r, t.in);
  t.b = matrix_of(&r, t.in);
  t.c = matrix_of(&r, t.out);
  CHECK(call_typed(&t) == 0 && *lib->forwarded == 1);
  free(t.a);
  free(t.b);
  free(t.c);
}

void types(void)
{
  struct rng r = rng_seeded(28);
  for (int i = 0; i < 10 * ROWS; i++)
    one(&r, &rows[i % ROWS]);
}
