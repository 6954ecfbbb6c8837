/* wmma.c - the matrix cores of waves of 32 lanes: D = A B + C, 16 x 16.
 *
 * Half of the lanes have rows of A and columns of B with some k, the other half
 * with others, 8 consecutive ones by turns (of f32 all of a lane's): on a card for
 * 16 bits, for others as AMD's compilers lay them out (Triton's kWidth, rocMLIR),
 * A and B alike. With 128 k it is 16 by turns of 8 bits, 32 of 6 and of 4 (Triton's
 * scaled products; rocjitsu, which has 16 of 8 bits for 64 k, too). C and D: rows 0
 * to 7 in lanes 0 to 15, a column each. Where A has 32 rows the upper 16 and their
 * sums are in registers of their own behind the others.
 *
 * A scale is a power of two (E8M0) of 32 k, or 16, of a row of A or a column of B: a
 * byte each, in lane i of the half that the instruction names (Triton).
 *
 * Sparse products are not executed: sources disagree in which lane's index belongs
 * to which elements.
 *
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

enum {DIM = 16, MOST_ROWS = 32, MOST_K = 128, TOGETHER = 8};
enum result {TO_F32, TO_F16, TO_BF16, TO_I32};

struct wmma {
  uint8_t k, type[2]; /* enum matrix_type: of A, of B */
  uint8_t c, d;       /* enum result */
  uint8_t rows;       /* of A: 0 is 16 */
};

/* Elements of a lane that follow one another. */
static unsigned run_of(const struct wmma *x, int which)
{
  unsigned each = x->k / 2;
  if (x->k == MOST_K)
    return matrix_bits(x->type[which]) == 8 ? 2 * TOGETHER : 4 * TOGETHER;
  return each < TOGETHER ? each : TOGETHER;
}

/* Row or column n, element k of A or B. */
static struct place input(const struct wmma *x, int which, unsigned n, unsigned k)
{
  unsigned run = run_of(x, which), bits = matrix_bits(x->type[which]);
  unsigned half = k / run % 2, element = k / (2 * run) * run + k % run;
  return (struct place){half * DIM + n % DIM,
                        element * bits + n / DIM * (x->k / 2 * bits)};
}

static struct place output(unsigned result, unsigned row, unsigned column)
{
  unsigned bits = result == TO_F16 || result == TO_BF16 ? 16 : 32;
  unsigned of16 = row % DIM;
  return (struct place){of16 / 8 * DIM + column, (of16 % 8 + row / DIM * 8) * bits};
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

enum {E8M0_BIAS = 127, E8M0_NAN = 0xff};

/* Rows of A or columns of B times their scales. Of 32 rows the upper 16 have theirs
 * in the other half of the lanes. */
static void scale(const struct wave *w, const struct inst *i, int which,
                  unsigned rows, unsigned length, double (*x)[MOST_K])
{
  unsigned each = i->flags & INST_SCALE16 ? 16 : 32;
  unsigned code = which == MATRIX_A ? i->srsrc : i->sdst;
  unsigned half = (which == MATRIX_A ? i->dfmt : i->nfmt) & 1;
  for (unsigned n = 0; n < rows; n++)
    for (unsigned k = 0; k < length; k++) {
      struct place p = {(half ^ (n / DIM)) * DIM + n % DIM, k / each * 8};
      unsigned e = matrix_bits_at(w, i, code, p, 8) & 0xff;
      x[n][k] = e == E8M0_NAN ? (double)NAN : ldexp(x[n][k], (int)e - E8M0_BIAS);
    }
}

/* Sources may be where D goes: it is put together first. */
static void multiply(struct wave *w, const struct inst *i, const struct wmma *x)
{
  static const unsigned words[] = {8, 4, 4, 8}; /* ORDER result */
  double a[MOST_ROWS][MOST_K], b[DIM][MOST_K];
  uint32_t d[16][LANES] = {{0}};
  unsigned rows = x->rows ? x->rows : DIM;
  for (unsigned n = 0; n < rows; n++)
    for (unsigned k = 0; k < x->k; k++)
      a[n][k] = element(w, i, x, MATRIX_A, n, k);
  for (unsigned n = 0; n < DIM; n++)
    for (unsigned k = 0; k < x->k; k++)
      b[n][k] = element(w, i, x, MATRIX_B, n, k);
  if (inst_scaled(i)) {
    scale(w, i, MATRIX_A, rows, x->k, a);
    scale(w, i, MATRIX_B, DIM, x->k, b);
  }
  for (unsigned row = 0; row < rows; row++)
    for (unsigned column = 0; column < DIM; column++) {
      struct place p = output(x->d, row, column);
      double sum = addend(w, i, x, row, column);
      for (unsigned k = 0; k < x->k; k++)
        sum += a[row][k] * b[column][k];
      d[p.bit / 32][p.lane] |= rounded(i, x->d, sum) << p.bit % 32;
    }
  for (unsigned n = 0; n < words[x->d] * rows / DIM; n++)
    memcpy(w->v[i->dst + n], d[n], DIM * 2 * sizeof **d);
}

#define WMMA(name, k, a, b, c, d) \
  void own_v_wmma_##name(struct wave *w, const struct inst *i) \
  { \
    static const struct wmma x = {k, {MATRIX_##a, MATRIX_##b}, TO_##c, TO_##d, 0}; \
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
WMMA(f32_16x16x128_fp8_fp8, 128, FP8, FP8, F32, F32)
WMMA(f32_16x16x128_fp8_bf8, 128, FP8, BF8, F32, F32)
WMMA(f32_16x16x128_bf8_fp8, 128, BF8, FP8, F32, F32)
WMMA(f32_16x16x128_bf8_bf8, 128, BF8, BF8, F32, F32)
WMMA(f16_16x16x128_fp8_fp8, 128, FP8, FP8, F16, F16)
WMMA(f16_16x16x128_fp8_bf8, 128, FP8, BF8, F16, F16)
WMMA(f16_16x16x128_bf8_fp8, 128, BF8, FP8, F16, F16)
WMMA(f16_16x16x128_bf8_bf8, 128, BF8, BF8, F16, F16)

/* Scales of other formats than powers of two are none that a source tells of. */
static int scales_known(struct wave *w, const struct inst *i)
{
  if (!inst_scaled(i) || (i->dfmt < 2 && i->nfmt < 2))
    return 1;
  wave_fault(w, FAULT_LAUNCH, "scales that are not E8M0 are not simulated");
  return 0;
}

/* op_sel has the format of A, op_sel_hi that of B. */
void own_v_wmma_f32_16x16x128_f8f6f4(struct wave *w, const struct inst *i)
{
  static const uint8_t types[8] = {MATRIX_FP8, MATRIX_BF8, MATRIX_FP6, MATRIX_BF6,
                                   MATRIX_FP4};
  const struct wmma x = {128, {types[i->opsel], types[i->opselhi]}, TO_F32, TO_F32, 0};
  if (i->opsel > 4 || i->opselhi > 4)
    wave_fault(w, FAULT_LAUNCH, "the format of A or B is none of those that there are");
  else if (scales_known(w, i))
    multiply(w, i, &x);
}

void own_v_wmma_f32_32x16x128_f4(struct wave *w, const struct inst *i)
{
  static const struct wmma x = {128, {MATRIX_FP4, MATRIX_FP4}, TO_F32, TO_F32, 32};
  if (scales_known(w, i))
    multiply(w, i, &x);
}
