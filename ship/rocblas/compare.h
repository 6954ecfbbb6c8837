/* compare.h - is a product right? On the host, in double precision.
 *
 * A sum of k products in f32 is off by at most (k + 4) 2^-24 of the sum of the
 * absolute products, whatever their order, alpha and beta C included; then
 * comes the rounding to the type of D. Sums of whole numbers are exact.
 *
 * One product each: those of a batch are compared one after the other.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_compare_h
#define ship_rocblas_compare_h

#include <stddef.h>

#include "ship/rocblas/product.h"

/* The matrices of a product, copied to the host; c: as C was before. */
struct operands {
  const void *a, *b, *c;
};

/* The worst element, where one is wrong. */
struct difference {
  int row, column;
  double value, expected, bound;
};

/* Elements that are looked at by compare_defined(). */
enum {COMPARE_SAMPLES = 256};

/* d against the definition of the product, at COMPARE_SAMPLES places spread
 * over D, or at all where there are fewer. 1 and *out where one is wrong. */
int compare_defined(const struct product *p, const struct operands *o,
                    const void *d, struct difference *out);

/* d against `other`, which somebody else made: every element. Both may be off,
 * and the sum of absolute products is bounded by the lengths of a row of op(A)
 * and a column of op(B). 1 and *out where one is wrong; -1: no memory. */
int compare_other(const struct product *p, const struct operands *o,
                  const void *d, const void *other, struct difference *out);

/* Elements from the first to the last of a matrix in memory. */
size_t compare_extent(int ld, int rows, int columns);

#endif
