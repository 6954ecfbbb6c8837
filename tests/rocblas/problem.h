/* problem.h - one product: sizes, layout, data, and what must come out.
 *
 * D = alpha * A * B + beta * C for each batch; columns of A and B may be rows
 * in memory, and conjugated. The data are small integers, or pairs of them, so
 * that every order of summing is exact and any difference is an error; or, for
 * floats, fractions, judged by the bound of a sum of k rounded products. Rows
 * that pad a column, and what lies around D, hold values that show when they
 * are used or written.
 */
// SPDX-License-Identifier: MIT
#ifndef rocblas_problem_h
#define rocblas_problem_h

#include <complex.h>
#include <stdio.h>

#include "tests/rocblas/kernel.h"

enum matrix {D, C, A, B, MATRICES};

/* Of its elements in memory. */
static inline char matrix_type(const struct gemm_kernel *k, enum matrix x)
{
  return x == D || x == C ? k->out : k->type;
}

struct problem {
  unsigned m, n, k, batch;
  double complex alpha, beta;
  int fractions;
  unsigned stride[MATRICES][3]; /* row, column, batch, in elements */
};

/* The shapes that each kernel is tried on. */
enum {SHAPES = 3};
void problem_choose(struct problem *p, const struct gemm_kernel *k, int shape);

/* Leading dimensions and batch strides, with `pad` elements between columns
 * and between batches; alpha 1, beta 0. */
void problem_layout(struct problem *p, const struct gemm_kernel *k,
                    unsigned pad);

/* Elements from the first to the last of one batch; of the allocation. */
size_t problem_span(const struct problem *p, enum matrix x);
size_t problem_elements(const struct problem *p, enum matrix x);

/* Values of all four; the kernel adds to D where its sums are split and not
 * left in parts. */
struct data {
  double complex *x[MATRICES];
  double complex *want;
  double *slack; /* of want, D's results: how far off they may be */
};
void data_make(struct data *d, const struct problem *p,
               const struct gemm_kernel *k, uint64_t seed);
void data_free(struct data *d);

/* The elements of D that are wrong; *worst is one of them. */
size_t data_wrong(const struct data *d, const struct problem *p,
                  size_t *worst);

#endif
