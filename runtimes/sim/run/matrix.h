/* matrix.h - the matrix cores' instructions: D = A B + C, of one wave.
 *
 * A is M x K, B is K x N, C and D are M x N, of each of `blocks` products. Which
 * lane has which element is matrix_layout.c, how a sum is rounded matrix_sum.c.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_matrix_h
#define sim_matrix_h

#include "runtimes/sim/run/wave.h"

enum matrix_type { /* of A and B */
  MATRIX_F32, MATRIX_F64, MATRIX_F16, MATRIX_BF16, MATRIX_I8, MATRIX_OTHER
};

struct matrix {
  uint8_t m, n, k, blocks;
  uint8_t type;   /* enum matrix_type */
  uint8_t bits;   /* of an element of A and B */
  uint8_t pairs;  /* sums of 16-bit products go by twos, not by fours */
};

/* Where an element is: lane, and bit in its registers, the first of which is
 * bits 31:0. */
struct place {
  unsigned lane, bit;
};
/* Element (i, k) of A's block b, or (k, i) of B's: dim is M or N. */
struct place matrix_input(const struct matrix *x, unsigned dim, unsigned b,
                          unsigned i, unsigned k);
/* Element (i, j) of C and D. */
struct place matrix_output(const struct matrix *x, unsigned b, unsigned i,
                           unsigned j);
/* Modifiers: the block of A that block b is multiplied with, and the lane whose
 * B a lane uses. */
unsigned matrix_block(unsigned b, unsigned cbsz, unsigned abid);
unsigned matrix_lane(unsigned lane, unsigned blgp);

/* sum[j] += row a times each of n columns of b, which are k apart. */
struct operands {
  const void *a, *b;
  unsigned k, n;
};
void matrix_add_f32(const struct operands *o, float *sum);
void matrix_add_f64(const struct operands *o, double *sum);
void matrix_add_i8(const struct operands *o, int32_t *sum);
/* Products of 16-bit floats are exact; `group` of them are added pairwise, then
 * to the sum. flush: subnormal sums are 0. */
void matrix_add_half(const struct operands *o, unsigned group, int flush,
                     float *sum);

/* What executes it; NULL: not an instruction of the matrix cores that the
 * device knows. */
exec_fn *matrix_handler(const struct inst *i);

#endif
