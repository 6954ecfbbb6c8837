/* reasons.c - each reason that a call itself can give for being forwarded. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tests/front/scenarios.h"
#include "tests/front/sums.h"

/* What gemm_ex is asked for: a product that is served, with one thing other. */
struct ex {
  struct sum s;
  int types[5], algo, solution, ldd;
  uint32_t flags;
  void *d;
};

static void change_nothing(struct ex *e) { (void)e; }
static void forget_c(struct ex *e) { e->s.c = NULL; }
static void no_columns(struct ex *e) { e->s.n = 0; }
static void no_alpha(struct ex *e) { e->s.alpha = 0; }
static void no_beta(struct ex *e) { e->s.beta = NAN; }
static void doubles(struct ex *e) { e->types[4] = 152; }
static void by_number(struct ex *e) { e->solution = 1; }
static void flagged(struct ex *e) { e->flags = 0x1; }
static void elsewhere(struct ex *e) { e->d = e->s.a; }
static void between(struct ex *e) { e->s.b += 1; }
static void no_unit(struct ex *e) { e->s.k = 17; }
static void on_device(struct ex *e) { e->s.handle->pointer_mode = 1; }
static void ask_size(struct ex *e) { e->s.handle->size_query = 1; }

static const struct {
  void (*change)(struct ex *e);
  int served;
} cases[] = {
    {change_nothing, 1}, {forget_c, 0}, {no_columns, 0}, {no_alpha, 0},
    {no_beta, 0},        {doubles, 0},  {by_number, 0},  {flagged, 0},
    {elsewhere, 0},      {between, 0},  {no_unit, 0},    {on_device, 0},
    {ask_size, 0},
};

static void call(const struct ex *e)
{
  const struct sum *s = &e->s;
  const int *t = e->types;
  lib->rocblas_gemm_ex(s->handle, s->op_a, s->op_b, s->m, s->n, s->k, &s->alpha,
                       s->a, t[0], s->lda, s->b, t[1], s->ldb, &s->beta, s->c,
                       t[2], s->ldc, e->d ? e->d : s->c, t[3], s->ldc, t[4],
                       e->algo, e->solution, e->flags);
}

static void one(void (*change)(struct ex *e), int served)
{
  struct rng r = rng_seeded(7);
  struct fake_handle handle = {0};
  struct sum s = some_sum(&r, &handle);
  struct ex e = {.s = s, .types = {TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F32,
                                   TYPE_F32}};
  int forwarded = *lib->forwarded;
  change(&e);
  call(&e);
  CHECK(*lib->forwarded == forwarded + !served);
  free_sum(&s);
}

void each_reason(void)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    one(cases[i].change, cases[i].served);
}

int rocblas_sgemm(void *handle, int op_a, int op_b, int m, int n, int k,
                  const float *alpha, const float *a, int lda, const float *b,
                  int ldb, const float *beta, float *c, int ldc);

/* The front alone, without a rocBLAS behind it. */
void no_library(void)
{
  float one = 1, m[16] = {0};
  CHECK(rocblas_sgemm(&one, OP_NONE, OP_NONE, 4, 4, 4, &one, m, 4, m, 4, &one, m,
                      4) == ROCBLAS_NOT_IMPLEMENTED);
}
