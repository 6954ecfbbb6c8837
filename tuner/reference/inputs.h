/* inputs.h - random inputs that need not be kept.
 *
 * Element i of a buffer is a pure function of the data seed, the buffer's
 * number and i: the host computes any one element of a large matrix without the
 * rest. Values are uniform in [low, high) of the family, rounded to the
 * element's type: floats to nearest, integers down. Blocks of quantised numbers
 * are random bits and such scales, the same whether they lie in planes or not.
 * Offsets of groups are those of routing.h. These and permutations are made as a
 * whole: who wants many elements fills an array.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_inputs_h
#define tuner_inputs_h

#include "gen/family.h"

struct element_ops {
  const char *name;
  size_t size;
  /* Widen one element; of blocks there is neither of the two. */
  double (*load)(const void *at);
  void (*store)(void *at, double value); /* round to the type */
  double unit; /* unit roundoff; 0: exact */
  double tiny; /* the least normal number: what a flush to zero can cost */
  double max;
};

const struct element_ops *element_ops(enum element type);

/* Element i of buffer number `b` as the device sees it, widened. */
double input_value(uint64_t seed, size_t b, const struct buffer *buffer,
                   size_t i);
/* Block i of a buffer of blocks, as it would be in a file. */
void input_block(uint64_t seed, size_t b, const struct buffer *buffer,
                 size_t i, uint8_t *out);
/* Elements first..first+n-1, as the device sees them. */
void input_fill(uint64_t seed, size_t b, const struct buffer *buffer,
                size_t first, size_t n, void *out);

#endif
