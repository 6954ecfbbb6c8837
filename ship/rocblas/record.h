/* record.h - the products that a program asks for, written to a file.
 *
 * TUNED_BLAS=record:FILE. A line each, most frequent first, as `tune sweep`
 * reads them:
 *
 *     gemm m=4096 n=512 k=4096 layout=nt dtype=f32 lda=4096 ... count=12
 *
 * FILE is replaced as a whole when a product is seen for the first time, when a
 * count has doubled, and at exit: a program that is killed leaves every product
 * that it asked for. What FILE had before is lost. A forked child writes
 * nothing.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_record_h
#define ship_rocblas_record_h

#include "ship/rocblas/product.h"

/* Products that the front has no types for, batches of pointers, and calls with
 * alpha and beta on the device, are not recorded. */
void record_product(const struct product *p);

#endif
