/* blocks.h - where the parts of ggml's blocks of quantised numbers lie.
 *
 * A row of weights is blocks one after the other, each of the same number of
 * neighbours. Offsets are those of ggml's ggml-common.h, release 0.27.0. What the
 * bits mean is in tuner/reference/quant.h; libtuned, which has no need to know,
 * looks at the sizes and the scales alone.
 */
// SPDX-License-Identifier: MIT
#ifndef base_blocks_h
#define base_blocks_h

#include <stddef.h>
#include <stdint.h>

enum {BLOCK_FIELDS = 4};

/* A part of the block: what a plane holds of each block, where the weights have
 * been repacked, and in the planes' order. */
struct block_field {
  uint16_t at, bytes;
  int half; /* numbers of f16, which scale others; else bits */
};

struct block {
  const char *name;
  size_t elements, bytes;
  struct block_field fields[BLOCK_FIELDS]; /* until bytes is 0 */
};

enum { /* ORDER BLOCK */
  BLOCK_Q8_0, BLOCK_Q4_0, BLOCK_Q4_1, BLOCK_Q4_K, BLOCK_Q6_K, BLOCK_TYPES
};
extern const struct block blocks[BLOCK_TYPES];

/* NULL where there is no such type. */
const struct block *block_find(const char *name);

#endif
