/* sums.h - a product that a scenario asks for, and what must come of it. */
// SPDX-License-Identifier: MIT
#ifndef tests_front_sums_h
#define tests_front_sums_h

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "ship/rocblas/product.h"
#include "tests/front/fakes.h"

#define CHECK(x) \
  do { \
    if (!(x)) { \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
      exit(1); \
    } \
  } while (0)

enum {MOST = 48, SPACE = MOST * MOST + 64};

struct sum {
  struct fake_handle *handle;
  int op_a, op_b, m, n, k, lda, ldb, ldc;
  float alpha, beta;
  float *a, *b, *c;
};

/* The backend that the scenario has opened. */
extern const struct backend *lib;

struct rng rng_seeded(uint64_t seed);

/* Whole numbers: sums are exact in whatever order. */
struct sum some_sum(struct rng *r, struct fake_handle *handle);
void free_sum(struct sum *s);

int call_sgemm(struct sum *s);

/* The product is in C, and nothing beside it was written. */
int is_right(const struct sum *s, const float *before);

/* 1: served, 0: forwarded; the product must be right. */
int do_sgemm(struct sum *s);
int do_some(uint64_t seed);

#endif
