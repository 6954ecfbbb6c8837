/* sums.c - see sums.h. */
// SPDX-License-Identifier: MIT
#include "tests/front/sums.h"

#include <string.h>

const struct backend *lib;

struct rng rng_seeded(uint64_t seed)
{
  struct rng r;
  rng_seed(&r, seed);
  return r;
}

static float *matrix(struct rng *r)
{
  float *at = aligned_alloc(64, SPACE * sizeof *at);
  for (int i = 0; i < SPACE; i++)
    at[i] = (float)(int)(rng_below(r, 17)) - 8;
  return at;
}

void free_sum(struct sum *s)
{
  free(s->a);
  free(s->b);
  free(s->c);
}

struct sum some_sum(struct rng *r, struct fake_handle *handle)
{
  struct sum s = {.handle = handle, .alpha = 1, .k = 16,
                  .op_a = rng_below(r, 2) ? OP_TRANSPOSE : OP_NONE,
                  .op_b = rng_below(r, 2) ? OP_TRANSPOSE : OP_NONE,
                  .m = 1 + (int)rng_below(r, 20),
                  .n = 1 + (int)rng_below(r, 20)};
  s.lda = product_rows(s.op_a, s.m, s.k) + (int)rng_below(r, 3);
  s.ldb = product_rows(s.op_b, s.k, s.n) + (int)rng_below(r, 3);
  s.ldc = s.m + (int)rng_below(r, 3);
  s.a = matrix(r);
  s.b = matrix(r);
  s.c = matrix(r);
  return s;
}

int call_sgemm(struct sum *s)
{
  return lib->rocblas_sgemm(s->handle, s->op_a, s->op_b, s->m, s->n, s->k,
                            &s->alpha, s->a, s->lda, s->b, s->ldb, &s->beta,
                            s->c, s->ldc);
}

static float defined(const struct sum *s, const float *before, int i, int j)
{
  double sum = 0;
  for (int l = 0; l < s->k; l++)
    sum += (double)s->a[s->op_a == OP_NONE ? l * s->lda + i : i * s->lda + l] *
           s->b[s->op_b == OP_NONE ? j * s->ldb + l : l * s->ldb + j];
  sum *= s->alpha;
  return (float)(s->beta == 0 ? sum : sum + s->beta * before[j * s->ldc + i]);
}

int is_right(const struct sum *s, const float *before)
{
  for (int at = 0; at < SPACE; at++) {
    int i = at % s->ldc, j = at / s->ldc;
    float want = i < s->m && j < s->n ? defined(s, before, i, j) : before[at];
    if (memcmp(&s->c[at], &want, sizeof want) && s->c[at] != want)
      return 0;
  }
  return 1;
}

int do_sgemm(struct sum *s)
{
  float before[SPACE];
  int forwarded = *lib->forwarded;
  memcpy(before, s->c, sizeof before);
  CHECK(call_sgemm(s) == 0);
  CHECK(is_right(s, before));
  CHECK(lib->hipGetLastError() == 0); /* would be the program's */
  return *lib->forwarded == forwarded;
}

int do_some(uint64_t seed)
{
  struct rng r = rng_seeded(seed);
  struct fake_handle handle = {0};
  struct sum s = some_sum(&r, &handle);
  int served = do_sgemm(&s);
  free_sum(&s);
  return served;
}
