/* serve.h - make a product by a kernel of the pack, if that is right. */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_serve_h
#define ship_rocblas_serve_h

#include "ship/rocblas/card.h"
#include "ship/rocblas/product.h"
#include "ship/rocblas/reason.h"

/* What a product is to be launched with. */
struct serving {
  const struct library *library;
  const struct runtime *runtime;
  struct card *card;
  void *stream;
  int capturing;
  int family; /* its place among those that have products */
  int whole;  /* does the kernel make all products of the batch? */
  struct tuned_found kernel;
};

/* Is there a kernel, and is it ready? Then launch it, with D at `d`. SERVED: the
 * product is in the stream. Otherwise nothing was launched, and the call is to
 * be forwarded. *s is filled as far as it came. */
enum reason serve_prepare(const struct product *p, struct serving *s);
enum reason serve_launch(const struct product *p, const struct serving *s,
                         void *d);

/* A bit for each kind of products that kernels of their own make: by family,
 * types, and kind of batch. */
uint64_t serve_kind(const struct product *p, const struct serving *s);

/* "nt" and the like: of the row-major product that is asked of the pack. */
const char *serve_layout(const struct product *p);

/* The families of a pack that may have products, from number 0 on; NULL past the
 * last. Does one make those of these sizes and this type of A and B, or batches of
 * such? */
const char *serve_family(int family);
int serve_makes(int family, int m, int n, const char *dtype, int batched);

#endif
