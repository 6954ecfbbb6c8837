/* matrix_layout.c - which lane and register has which element: see matrix.h.
 *
 * Closed forms of what AMD's matrix instruction calculator prints for every
 * dense instruction of gfx908 to gfx942, with every modifier. Of gfx950's scaled
 * ones Composable Kernel's test mx_mfma_op has the tables. Its sparse ones with
 * twice the k are assumed to go on like those of gfx942: a lane's pairs of A meet
 * four of its own B each, in the order of its registers.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/matrix.h"

static unsigned lanes_of(const struct matrix *x, int which)
{
  return (which == MATRIX_B ? x->n : x->m) * x->blocks;
}

unsigned matrix_k(const struct matrix *x, int which)
{
  return which == MATRIX_A && x->kind == MATRIX_SPARSE ? x->k / 2 : x->k;
}

unsigned matrix_each(const struct matrix *x, int which)
{
  return matrix_k(x, which) / (LANES / lanes_of(x, which));
}

/* Of 32 elements of 8 bits a lane has two chunks of 16 k, the second from beyond
 * the first ones of all other lanes. */
enum {CHUNK = 16};

static struct place in_chunks(const struct matrix *x, int which, unsigned i,
                              unsigned k)
{
  unsigned dim = lanes_of(x, which), groups = LANES / dim;
  unsigned chunk = k / CHUNK;
  return (struct place){chunk % groups * dim + i,
                        (chunk / groups * CHUNK + k % CHUNK) * 8};
}

struct place matrix_input(const struct matrix *x, int which, unsigned b,
                          unsigned i, unsigned k)
{
  unsigned row = lanes_of(x, which); /* lanes that hold one part of K */
  unsigned each = matrix_each(x, which), dim = row / x->blocks;
  if (x->kind == MATRIX_SCALED && matrix_bits(x->type[which]) == 8)
    return in_chunks(x, which, i, k);
  return (struct place){b * dim + k / each * row + i,
                        k % each * matrix_bits(x->type[which])};
}

/* Four rows of D stand in four registers of a lane, one of doubles in two. */
struct place matrix_output(const struct matrix *x, unsigned b, unsigned i,
                           unsigned j)
{
  unsigned wide = x->type[0] == MATRIX_F64 ? 64 : 32, high = wide == 64 ? 1 : 4;
  unsigned area = x->m * x->n, rows = LANES / x->n;
  unsigned side = (LANES * high + area - 1) / area; /* blocks side by side */
  unsigned reg = b * (area / LANES) + i / (high * rows) * high + i % high;
  unsigned lane = b % side * x->n + i / high % rows * side * x->n + j;
  return (struct place){lane, reg * wide};
}

unsigned matrix_block(unsigned b, unsigned cbsz, unsigned abid)
{
  return (b >> cbsz << cbsz) + abid;
}

unsigned matrix_lane(unsigned lane, unsigned blgp)
{
  switch (blgp) {
  case 0: return lane;
  case 1: return lane % 32;
  case 2: return lane % 32 + 32;
  case 3: return (lane + 16) % 64;
  default: return lane % 16 + (blgp - 4) * 16;
  }
}

/* Of AMD's calculator: from gfx942 on only the older shapes permute. */
int matrix_permutes(const struct isa *isa, const struct matrix *x)
{
  if (x->type[0] == MATRIX_F64 || x->type[0] == MATRIX_XF32)
    return 0;
  return isa->matrix_sums != SUMS_ALIGNED || x->blocks > 1 ||
         x->type[0] == MATRIX_F32;
}

int matrix_negates(const struct isa *isa, const struct matrix *x)
{
  return x->type[0] == MATRIX_F64 && isa->matrix_sums == SUMS_ALIGNED;
}
