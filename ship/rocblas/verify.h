/* verify.h - a product made aside, and compared (inside the front only).
 *
 * A copy of C takes the product, so that C is as it was. Everything here waits
 * for the stream and allocates: never under capture.
 *
 * Sequence: verify_begin -> verify_defined, or rocBLAS makes the product and
 * then verify_library -> verify_end, after any outcome of the first.
 */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_verify_h
#define ship_rocblas_verify_h

#include "ship/rocblas/serve.h"

struct verify {
  void *copy;          /* on the device: of C, then the product */
  void *a, *b, *c, *d; /* on the host; d: the product */
};

/* Make the product aside. SERVED, or why it could not be made. */
enum reason verify_begin(struct verify *v, const struct product *p,
                         const struct serving *s);
void verify_end(struct verify *v, const struct serving *s);

/* Compare with the definition of the product, or with what rocBLAS has put
 * into D. 1: it agrees; 0: it does not, and the front has stepped aside. */
int verify_defined(const struct verify *v, const struct product *p,
                   const struct serving *s);
int verify_library(const struct verify *v, const struct product *p,
                   const struct serving *s);

#endif
