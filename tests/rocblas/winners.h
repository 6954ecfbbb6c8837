/* winners.h - measured speeds that rocBLAS keeps of its own kernels.
 *
 * Beside each code object lies an index, TensileLibrary_*.dat (MessagePack).
 * For products whose kernels were timed when the library was tuned it names
 * the fastest and its GFLOP/s, which the library uses to choose by.
 */
// SPDX-License-Identifier: MIT
#ifndef rocblas_winners_h
#define rocblas_winners_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct winner {
  char *kernel;
  unsigned m, n, k; /* how many batches, the index does not say */
  double gflops;
};

struct winner_list {
  size_t n;
  struct winner *at;
};

/* Append what the index in bytes[0..n) holds. */
int winners_read(struct winner_list *out, const void *bytes, size_t n,
                 struct err *e);
void winners_free(struct winner_list *list);

#endif
