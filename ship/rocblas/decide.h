/* decide.h - which products are ours to make, by their arguments alone.
 *
 * What rocBLAS would refuse goes to rocBLAS, so that a program hears of it as
 * it always did.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_decide_h
#define ship_rocblas_decide_h

#include "ship/rocblas/product.h"
#include "ship/rocblas/reason.h"

/* Types of a product that kernels may have, by rocBLAS's numbers and by the words
 * of the families' keys. */
struct typing {
  int a, b, c, compute;
  const char *dtype, *type_c; /* type_c: NULL where it follows from dtype */
};

/* SERVED: nothing speaks against it so far. */
enum reason decide(const struct product *p);

/* NULL where there is none. */
const struct typing *decide_typing(const struct product *p);

/* A number for each pair of a row of types and a kind of batch. */
int decide_kind(const struct product *p, enum batching batching);

/* Bytes that all matrices begin at multiples of, DECIDE_ALIGNED at most: a power
 * of two. */
enum {DECIDE_ALIGNED = 16};
int decide_align(const struct product *p);

/* alpha or beta as a number; `at` is of the compute type and on the host. */
double decide_scalar(const struct product *p, const void *at);

#endif
