/* int4.c - see int4.h. */
// SPDX-License-Identifier: MIT
#include "tuner/reference/int4.h"

size_t int4_word(enum int4_format f, size_t m, size_t row, size_t column)
{
  return f == INT4_GPTQ ? row / 8 * m + column : (row * m + column) / 8;
}

static unsigned bits(uint32_t word, size_t at)
{
  return word >> 4 * at & 15;
}

/* Where column i of 8 is in a word of AWQ. */
static size_t awq_place(size_t i)
{
  return i % 2 * 4 + i / 2;
}

unsigned int4_number(enum int4_format f, uint32_t word, size_t row,
                     size_t column)
{
  return bits(word, f == INT4_GPTQ ? row % 8 : awq_place(column % 8));
}

unsigned int4_zero(enum int4_format f, uint32_t word, size_t column)
{
  return f == INT4_GPTQ ? bits(word, column % 8) + 1
                        : bits(word, awq_place(column % 8));
}
