/* wmma.c - the matrix cores of waves of 32 lanes: D = A B + C, 16 x 16.
 *
 * Half of the lanes have rows of A and columns of B with some k, the other half
 * with others, 8 consecutive ones by turns (of f32 all of a lane's): on a card for
 * 16 bits, for others as AMD's compilers lay them out (Triton's kWidth, rocMLIR),
 * A and B alike. C and D: rows 0 to 7 in lanes 0 to 15, a column each.
 * How the hardware rounds is not public: sums are made in doubles and rounded to
 * f32, and from there to 16 bits where D has so many.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "runtimes/sim/load/object.h"
#include "runtimes/sim/run/matrix.h"
#include "runtimes/sim/run/own.h"
#include "runtimes/sim/run/small_float.h"

enum {DIM = 16, MOST_K = 64, TOGETHER = 8};
enum result {TO_F32, TO_F16, TO_BF16, TO_I32};

struct wmma {
  uint8_t k, type[2]; /* enum matrix_type: of A, of B */
  uint8_t c, d;       /* enum result */
};

/* Row or column n, element k of A or B. */
static struct place input(const struct wmma *x, int which, unsigned n, unsigned k)
{
  unsigned each = x->k / 2, run = each < TOGETHER ? each : TOGETHER;
  unsigned half = k / run % 2, element = k / (2 * run) * run + k % run;
  return (struct place){half * DIM + n, element * matrix_bits(x->type[which])};
}

static struct place output(unsigned result, unsigned row, unsigned column)
{
  unsigned bits = result == TO_F16 || result == TO_BF16 ? 16 : 32;
  return (struct place){row / 8 * DIM + column, row % 8 * bits};
}

/* Integers have signs by neg_lo; floats are negated by it, those in an upper half
 * by neg_hi. */
static double element(const struct wave *w, const struct inst *i,
                      const struct wmma *x, int which, unsigned n, unsigned k)
{
  struct place p = input(x, which, n, k);
  unsigned type = x->type[which], bits = matrix_bits(type);
  uint64_t word = matrix_bits_at(w, i, i->src[which], p, bits);
  if (type == MATRIX_I8)
    return i->neg >> which & 1 ? (int8_t)word : (uint8_t)word;
  double value = matrix_float(w->code->isa, type,
                              (uint32_t)(word & ((UINT64_C(1) << bits) - 1)));
  unsigned negate = bits == 16 && p.bit & 16 ? i->abs : i->neg;
  return negate >> which & 1 ? -value : value;
}

static double number(uint32_t bits, unsigned type)
{
  uint32_t low = bits & 0xffff;
  float x;
  if (type == TO_I32)
    return (int32_t)bits;
  if (type != TO_F32)
    return type == TO_F16 ? float_of_f16(low) : float_of_bf16(low);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A constant is of 32 bits whatever C is. */
static double addend(const struct wave *w, const struct inst *i,
                     const struct wmma *x, unsigned row, unsigned column)
{
  if (i->src[2] < CODE_VGPR)
    return number(scalar_read(w, i, i->src[2]), x->c == TO_I32 ? TO_I32 : TO_F32);
  struct place p = output(x->c, row, column);
  double value = number((uint32_t)matrix_bits_at(w, i, i->src[2], p, 32), x->c);
  if (x->c == TO_I32)
    return value;
  if (i->abs >> 2 & 1)
    value = fabs(value);
  return i->neg >> 2 & 1 ? -value : value;
}

/* Without clamp an integer wraps. */
static uint32_t whole(const struct inst *i, double sum)
{
  if (i->flags & INST_CLAMP)
    sum = fmin(fmax(sum, INT32_MIN), INT32_MAX);
  return (uint32_t)(int64_t)sum;
}

static uint32_t rounded(const struct inst *i, unsigned type, double sum)
{
  float x = (float)sum;
  uint32_t bits;
  switch (type) {
  case TO_I32:
    return whole(i, sum);
  case TO_F16:
    return f16_of_float(x);
  case TO_BF16:
    return bf16_of_float(x);
  default:
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }
}

/* Sources may be where D goes: it is put together first. */
static void multiply(struct wave *w, const struct inst *i, const struct wmma *x)
{
  static const unsigned words[] = {8, 4, 4, 8}; /* ORDER result */
  double a[DIM][MOST_K], b[DIM][MOST_K];
  uint32_t d[8][LANES] = {{0}};
  for (unsigned n = 0; n < DIM; n++)
    for (unsigned k = 0; k < x->k; k++) {
      a[n][k] = element(w, i, x, MATRIX_A, n, k);
      b[n][k] = element(w, i, x, MATRIX_B, n, k);
    }
  for (unsigned row = 0; row < DIM; row++)
    for (unsigned column = 0; column < DIM; column++) {
      struct place p = output(x->d, row, column);
      double sum = addend(w, i, x, row, column);
      for (unsigned k = 0; k < x->k; k++)
        sum += a[row][k] * b[column][k];
      d[p.bit / 32][p.lane] |= rounded(i, x->d, sum) << p.bit % 32;
    }
  for (unsigned n = 0; n < words[x->d]; n++)
    memcpy(w->v[i->dst + n], d[n], DIM * 2 * sizeof **d);
}

#define WMMA(name, k, a, b, c, d) \
  void own_v_wmma_##name(struct wave *w, const struct inst *i) \
  { \
    static const struct wmma x = {k, {MATRIX_##a, MATRIX_##b}, TO_##c, TO_##d}; \
    multiply(w, i, &x); \
  }
WMMA(f32_16x16x4_f32, 4, F32, F32, F32, F32)
WMMA(f32_16x16x32_f16, 32, F16, F16, F32, F32)
WMMA(f16_16x16x32_f16, 32, F16, F16, F16, F16)
WMMA(f32_16x16x32_bf16, 32, BF16, BF16, F32, F32)
WMMA(bf16_16x16x32_bf16, 32, BF16, BF16, BF16, BF16)
WMMA(bf16f32_16x16x32_bf16, 32, BF16, BF16, F32, BF16)
WMMA(f32_16x16x64_fp8_fp8, 64, FP8, FP8, F32, F32)
WMMA(f32_16x16x64_fp8_bf8, 64, FP8, BF8, F32, F32)
WMMA(f32_16x16x64_bf8_fp8, 64, BF8, FP8, F32, F32)
WMMA(f32_16x16x64_bf8_bf8, 64, BF8, BF8, F32, F32)
WMMA(f16_16x16x64_fp8_fp8, 64, FP8, FP8, F16, F16)
WMMA(f16_16x16x64_fp8_bf8, 64, FP8, BF8, F16, F16)
WMMA(f16_16x16x64_bf8_fp8, 64, BF8, FP8, F16, F16)
WMMA(f16_16x16x64_bf8_bf8, 64, BF8, BF8, F16, F16)
WMMA(i32_16x16x64_iu8, 64, I8, I8, I32, I32)
