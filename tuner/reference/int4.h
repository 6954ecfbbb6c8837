/* int4.h - weights of 4 bits as GPTQ and AWQ store them.
 *
 * W has k rows of m numbers; each group of rows has for every column a scale and a
 * zero. Of GPTQ (auto_gptq's and vLLM's qweight, i32 [k / 8][m]) word (r, c) holds
 * rows 8r to 8r + 7 of column c, the first in the lowest 4 bits, and word (g, c) of
 * qzeros columns 8c on, each zero less 1. Of AWQ (qweight, i32 [k][m / 8]) a word
 * holds 8 columns of a row, qzeros are alike and not less 1; from the lowest 4 bits on
 * these are columns 0, 2, 4, 6, 1, 3, 5, 7.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_int4_h
#define tuner_int4_h

#include <stddef.h>
#include <stdint.h>

enum int4_format {INT4_GPTQ, INT4_AWQ};

/* Of m columns: the word of qweight that holds (row, column), and what it holds. */
size_t int4_word(enum int4_format f, size_t m, size_t row, size_t column);
unsigned int4_number(enum int4_format f, uint32_t word, size_t row,
                     size_t column);
/* The zero of a column, from word column / 8 of its group's qzeros. */
unsigned int4_zero(enum int4_format f, uint32_t word, size_t column);

#endif
