/* quant.h - blocks of quantised numbers, as ggml's files have them.
 *
 * A block holds the numbers of `elements` neighbours in a row of weights: small
 * integers with a scale for each `run` of them, and in some types a minimum.
 * Number e is
 *
 *     scale[e / run] * q[e] + least[e / 32]
 *
 * where both products that make scale and least are exact in a double. Where the
 * parts of a block lie is in base/blocks.h; bits are those of ggml's ggml-quants.c,
 * release 0.27.0; numbers are little endian.
 *
 * q8_1 is what activations become on the device: quant_activations().
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_quant_h
#define tuner_quant_h

#include <stddef.h>
#include <stdint.h>

#include "base/blocks.h"

enum {
  QUANT_MOST = 256,   /* elements of a block, at most */
  QUANT_BYTES = 210,  /* bytes of a block, at most */
  QUANT_RUN = 16,     /* the shortest run of elements with a scale */
  QUANT_X = 32,       /* activations of a block of q8_1 */
};

struct quant_parts {
  int q[QUANT_MOST];
  double scale[QUANT_MOST / QUANT_RUN];
  double least[QUANT_MOST / QUANT_X];
};

struct quant {
  const struct block *block;
  size_t run;
  int has_least;
  void (*split)(const uint8_t *block, struct quant_parts *out);
};

/* NULL where there is no such type. */
const struct quant *quant_find(const char *name);
/* Types by number, for whoever asks all; NULL past the last. */
const struct quant *quant_at(size_t i);

/* The numbers of a block in f32, rounded as ggml's dequantize_row rounds. */
void quant_decode(const struct quant *t, const uint8_t *block, float *out);

/* How blocks lie in planes, one field of all blocks after the other. In panels,
 * fields are pieces of 16 bytes, or of as many as they have if that is less: piece
 * 0 of block 0 of all rows of a panel comes first, then piece 1 of these blocks,
 * then piece 0 of block 1. All panels have as many rows: behind the last row of
 * weights there may be some that nobody reads. */
struct quant_planes {
  size_t blocks;
  size_t panel, row; /* rows of a panel, blocks of a row; panel is 0: no panels */
};
enum {QUANT_PIECE = 16};

/* Bytes first to first + bytes - 1 of such planes; `block` writes block i. */
void quant_planes(const struct quant *t, struct quant_planes planes, size_t first,
                  size_t bytes, void (*block)(void *with, size_t i, uint8_t *out),
                  void *with, uint8_t *out);

/* 32 activations as ggml's kernel quantize_q8_1 has them: d = max |x| / 127, q =
 * x / d rounded to nearest, halves away from 0; kept are f16 of d and of the sum
 * of x, which 32 lanes add up by XOR of 16, 8, 4, 2, 1. */
struct quant_x {
  int8_t q[QUANT_X];
  double d, s; /* as f16 has them */
};
void quant_activations(const float *x, struct quant_x *out);

#endif
