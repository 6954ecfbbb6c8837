/* matrix.h - the matrix cores' instructions: D = A B + C, of one wave.
 *
 * A is M x K, B is K x N, C and D are M x N, of each of `blocks` products. Which
 * instruction is which is matrix_table.c, which lane has which element
 * matrix_layout.c, how a sum is rounded matrix_sum.c, matrix_aligned.c and
 * matrix_scaled.c, how long its result takes matrix_hazard.c.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_matrix_h
#define sim_matrix_h

#include "runtimes/sim/run/wave.h"

enum matrix_type { /* of the elements of A or B; ORDER MATRIX_TYPE */
  MATRIX_F32, MATRIX_F64, MATRIX_XF32, MATRIX_F16, MATRIX_BF16, MATRIX_FP8,
  MATRIX_BF8, MATRIX_FP6, MATRIX_BF6, MATRIX_FP4, MATRIX_I8, MATRIX_TYPES
};
enum {MATRIX_A, MATRIX_B};
enum matrix_kind {
  MATRIX_DENSE,
  MATRIX_SPARSE, /* of four k A has two, and src2 says which; C is D */
  MATRIX_SCALED, /* of 32 k elements have one scale */
};

struct matrix {
  uint8_t m, n, k, blocks;
  uint8_t type[2]; /* enum matrix_type: of A, of B */
  uint8_t kind;    /* enum matrix_kind */
};

/* NULL: not an instruction of the matrix cores that is executed. */
const struct matrix *matrix_find(const struct inst *i);
unsigned matrix_bits(unsigned type); /* of an element */
/* Floats of less than 32 bits and their tf32: exact as struct digits. */
int matrix_small(unsigned type);
float matrix_float(const struct isa *isa, unsigned type, uint32_t bits);
/* The exponent of the smallest normal number. */
int matrix_least(const struct isa *isa, unsigned type);

/* Where an element is: lane, and bit in its registers, the first of which is
 * bits 31:0. */
struct place {
  unsigned lane, bit;
};
/* Element (i, k) of A's block b, or (k, i) of B's: MATRIX_A or MATRIX_B. */
struct place matrix_input(const struct matrix *x, int which, unsigned b,
                          unsigned i, unsigned k);
/* How many elements a row of A or column of B has, and a lane of it. */
unsigned matrix_k(const struct matrix *x, int which);
unsigned matrix_each(const struct matrix *x, int which);
/* Element (i, j) of C and D. A row's elements are in lanes one after the other, in the
 * same registers. */
struct place matrix_output(const struct matrix *x, unsigned b, unsigned i,
                           unsigned j);
/* Modifiers: the block of A that block b is multiplied with, and the lane whose
 * B a lane uses. */
unsigned matrix_block(unsigned b, unsigned cbsz, unsigned abid);
unsigned matrix_lane(unsigned lane, unsigned blgp);
/* Does BLGP permute the lanes of B? Where it does not, it means nothing, or for
 * doubles which of A, B and C are negated. */
int matrix_permutes(const struct isa *isa, const struct matrix *x);
int matrix_negates(const struct isa *isa, const struct matrix *x);

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

/* A small float as an integer with 12 fraction bits and an exponent, which for
 * what is no number is beyond all others. */
struct digits {
  int32_t fraction, exponent;
};
struct digits digits_of(float x, int least);

/* Bits at a place in the registers from an operand code on; of a constant any. */
uint64_t matrix_bits_at(const struct wave *w, const struct inst *i,
                        unsigned code, struct place p, unsigned bits);

/* The whole product of one that is scaled: sum += A B, by rows. */
void matrix_add_scaled(const struct wave *w, const struct inst *i,
                       const struct matrix *x, float *sum);

/* Operands are struct digits. `group` products are aligned to the largest and
 * added, even and odd ones apart or not, then the sum to them. */
void matrix_add_aligned(const struct operands *o, unsigned group, int apart,
                        float *sum);

/* Does the code behind the product at dword `at` of n wait for its result, as software
 * must? Where not: 0, and of w, unless that is NULL, the fault that names both
 * instructions. */
int matrix_awaited(struct wave *w, const struct inst *code, size_t n, size_t at);

/* Passes of four cycles that it takes; 0: it is none of the matrix cores'. */
unsigned matrix_passes(const struct inst *i);

/* What executes instruction `at` of n dwords of code; NULL: not an instruction of the
 * matrix cores that the device knows. */
exec_fn *matrix_handler(const struct inst *code, size_t n, size_t at);

#endif
