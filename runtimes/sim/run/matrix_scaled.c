/* matrix_scaled.c - products of 8-, 6- and 4-bit floats with scales: see matrix.h.
 *
 * 32 elements of a row of A, or column of B, have one scale, a power of two (E8M0
 * of the OCP Microscaling Formats): byte CODE of the scales' register of lane
 * i + dim j is that of row i and k 32 j .. 32 j + 31 (AMD, CDNA4 ISA; Composable
 * Kernel's test mx_mfma_op).
 *
 * How gfx950 rounds is not public. Here the products of a block are added exactly,
 * and all blocks and C are rounded once: assumed.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/load/object.h"
#include "runtimes/sim/run/matrix.h"

enum {
  BLOCK = 32,
  BIAS = 127, NO_SCALE = 0xff, /* of E8M0 */
  UNIT = 16, /* fraction bits of all elements: E5M2 has as many */
  MOST_K = 128, MOST_BLOCKS = MOST_K / BLOCK, MOST_DIM = 32,
  TERMS = 2 * MOST_BLOCKS + 1, /* parts of the blocks, and C */
};

/* Of A or B: rows of integers, and of each block the scale's exponent. */
struct side {
  int64_t of[MOST_DIM][MOST_K];
  int exponent[MOST_DIM][MOST_BLOCKS];
  int strange[MOST_DIM]; /* something in a row is no number */
};

static int scale_of(const struct wave *w, const struct inst *i,
                    const struct matrix *x, int which, unsigned r, unsigned b)
{
  unsigned byte = which == MATRIX_A ? i->dfmt : i->nfmt;
  struct place p = {r + x->m * b, 8 * byte};
  if (!inst_scaled(i))
    return BIAS;
  return matrix_bits_at(w, i, which == MATRIX_A ? i->srsrc : i->sdst, p, 8) & 255;
}

static float element(const struct wave *w, const struct inst *i,
                     const struct matrix *x, int which, unsigned r, unsigned k)
{
  unsigned type = x->type[which], bits = matrix_bits(type);
  struct place p = matrix_input(x, which, 0, r, k);
  uint64_t own = matrix_bits_at(w, i, i->src[which], p, bits);
  return matrix_float(w->code->isa, type, (uint32_t)own & ((1u << bits) - 1));
}

static void read_side(const struct wave *w, const struct inst *i,
                      const struct matrix *x, int which, struct side *s)
{
  for (unsigned r = 0; r < x->m; r++) {
    s->strange[r] = 0;
    for (unsigned b = 0; b < x->k / BLOCK; b++) {
      int scale = scale_of(w, i, x, which, r, b);
      s->exponent[r][b] = scale - BIAS;
      if (scale == NO_SCALE)
        s->strange[r] = 1;
    }
    for (unsigned k = 0; k < x->k; k++) {
      float e = element(w, i, x, which, r, k);
      s->of[r][k] = isfinite(e) ? (int64_t)ldexpf(e, UNIT) : 0;
      if (!isfinite(e))
        s->strange[r] = 1;
    }
  }
}

/* A row and a column with what is no number: as doubles have it. */
static float strange_sum(const struct wave *w, const struct inst *i,
                         const struct matrix *x, unsigned r, unsigned j, float c)
{
  double sum = (double)c;
  for (unsigned k = 0; k < x->k; k++) {
    double term = 1;
    for (int which = MATRIX_A; which <= MATRIX_B; which++) {
      unsigned row = which == MATRIX_A ? r : j;
      int scale = scale_of(w, i, x, which, row, k / BLOCK);
      double e = (double)element(w, i, x, which, row, k);
      term *= scale == NO_SCALE ? (double)NAN : ldexp(e, scale - BIAS);
    }
    sum += term;
  }
  return (float)sum;
}

/* The rounded sum of n terms, by parts that do not overlap (Shewchuk, Adaptive
 * Precision Floating-Point Arithmetic, 1997). */
static double total(const double *x, unsigned n)
{
  double part[TERMS], sum = 0;
  unsigned parts = 0;
  for (unsigned k = 0; k < n; k++) {
    double now = x[k];
    unsigned kept = 0;
    for (unsigned p = 0; p < parts; p++) {
      double both = now + part[p], own = both - now;
      double lost = (now - (both - own)) + (part[p] - own);
      if (lost < 0 || lost > 0)
        part[kept++] = lost;
      now = both;
    }
    part[kept++] = now;
    parts = kept;
  }
  for (unsigned p = parts; p-- > 0;)
    sum += part[p];
  return sum;
}

__extension__ typedef __int128 wide;

/* A row times a column: each block as two doubles, whose sum is exact. */
static float add(const struct side *a, unsigned r, const struct side *b,
                 unsigned j, unsigned k, float c)
{
  double term[TERMS] = {(double)c};
  unsigned n = 1;
  for (unsigned block = 0; block < k / BLOCK; block++) {
    const int64_t *x = &a->of[r][block * BLOCK], *y = &b->of[j][block * BLOCK];
    int exponent = a->exponent[r][block] + b->exponent[j][block] - 2 * UNIT;
    wide sum = 0;
    for (unsigned e = 0; e < BLOCK; e++)
      sum += (wide)x[e] * y[e];
    double high = (double)sum;
    term[n++] = ldexp(high, exponent);
    term[n++] = ldexp((double)(sum - (wide)high), exponent);
  }
  return (float)total(term, n);
}

void matrix_add_scaled(const struct wave *w, const struct inst *i,
                       const struct matrix *x, float *sum)
{
  struct side a, b;
  read_side(w, i, x, MATRIX_A, &a);
  read_side(w, i, x, MATRIX_B, &b);
  for (unsigned r = 0; r < x->m; r++)
    for (unsigned j = 0; j < x->n; j++) {
      float *to = &sum[r * x->n + j];
      int strange = a.strange[r] || b.strange[j] || !isfinite(*to);
      *to = strange ? strange_sum(w, i, x, r, j, *to)
                    : add(&a, r, &b, j, x->k, *to);
    }
}
