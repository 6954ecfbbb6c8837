/* verify.h - a product made aside, and compared (inside the front only).
 *
 * A copy of C takes the product, so that C is as it was. Of a batch all is made,
 * and the first so many products are compared. Everything here waits for the
 * stream and allocates: never under capture.
 *
 * Sequence: verify_begin -> verify_defined, or rocBLAS makes the product and
 * then verify_library -> verify_end, after any outcome of the first.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_verify_h
#define ship_rocblas_verify_h

#include "ship/rocblas/compare.h"
#include "ship/rocblas/serve.h"

enum {VERIFY_FEW = 4};

/* A product of a batch, on the host: as it was, and what came of it. */
struct verified {
  void *a, *b, *c, *d;
};

struct verify {
  void *copy;   /* on the device: C of all products, then the products */
  void *places; /* on the device: of a batch of pointers, those into the copy */
  const void **a, **b, **c; /* where each product's matrices are */
  struct verified *one;
  int batch, n; /* products that are made, and compared */
  int capture;  /* what runtime_restore() takes */
};

/* Make the product aside, to compare `most` of a batch. SERVED, or why it could
 * not be made. */
enum reason verify_begin(struct verify *v, const struct product *p,
                         const struct serving *s, int most);
void verify_end(struct verify *v, const struct serving *s);

/* Compare with the definition of the product, or with what rocBLAS has put
 * into D. 1: it agrees; 0: it does not, and the front has stepped aside. */
int verify_defined(const struct verify *v, const struct product *p,
                   const struct serving *s);
int verify_library(const struct verify *v, const struct product *p,
                   const struct serving *s);

#endif
