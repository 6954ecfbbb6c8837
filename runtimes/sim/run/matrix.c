/* matrix.c - see matrix.h: operands from registers, the product, back.
 *
 * EXEC and MODE do not matter to these instructions.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "runtimes/sim/load/object.h"

enum {DIM = 32, ELEMENTS = 32 * 32 * 2}; /* the largest D, of all its blocks */

/* --- operands ------------------------------------------------------------- */

union matrix_data {
  float f[ELEMENTS];
  double d[ELEMENTS];
  int8_t i8[ELEMENTS];
  int32_t i32[ELEMENTS];
  struct digits digits[ELEMENTS];
};

/* A dword of a lane of the registers from `code` on; of a constant any. */
static uint32_t dword(const struct wave *w, const struct inst *i,
                      unsigned code, unsigned reg, unsigned lane)
{
  if (code >= CODE_AGPR)
    return w->v[w->nv + code - CODE_AGPR + reg][lane];
  if (code >= CODE_VGPR)
    return w->v[code - CODE_VGPR + reg][lane];
  return scalar_read(w, i, code);
}

uint64_t matrix_bits_at(const struct wave *w, const struct inst *i,
                        unsigned code, struct place p, unsigned bits)
{
  uint64_t low = dword(w, i, code, p.bit / 32, p.lane);
  if (p.bit % 32 + bits > 32)
    low |= (uint64_t)dword(w, i, code, p.bit / 32 + 1, p.lane) << 32;
  return low >> p.bit % 32;
}

static float flushed(float x, int flush, float least)
{
  return flush && fabsf(x) < least ? 0 : x;
}

/* Are products aligned (matrix_aligned.c)? */
static int aligned(const struct isa *isa, unsigned type)
{
  return matrix_small(type) && isa->matrix_sums == SUMS_ALIGNED;
}

static int flushes(const struct isa *isa, unsigned type)
{
  return matrix_small(type) && isa->flushes_matrix;
}

/* Element n of `to` from its bits. */
static void take(const struct isa *isa, unsigned type, uint64_t bits,
                 union matrix_data *to, unsigned n)
{
  if (type == MATRIX_F64) {
    memcpy(&to->d[n], &bits, sizeof to->d[n]);
  } else if (type == MATRIX_I8) {
    to->i8[n] = (int8_t)bits;
  } else {
    unsigned width = matrix_bits(type);
    uint32_t own = (uint32_t)bits & (uint32_t)((UINT64_C(1) << width) - 1);
    float x = matrix_float(isa, type, own);
    int least = matrix_least(isa, type);
    if (aligned(isa, type))
      to->digits[n] = digits_of(x, least);
    else
      to->f[n] = flushed(x, flushes(isa, type), ldexpf(1, least));
  }
}

static unsigned modifier_abid(const struct inst *i)
{
  return i->opsel | (i->opselhi & 4u) << 1;
}

/* Block b of A by rows, or of B by columns. */
static void read_input(const struct wave *w, const struct inst *i, int which,
                       const struct matrix *x, unsigned b,
                       union matrix_data *to)
{
  const struct isa *isa = w->code->isa;
  unsigned dim = which == MATRIX_B ? x->n : x->m, type = x->type[which];
  unsigned from = b, length = matrix_k(x, which);
  int turned = which == MATRIX_B && matrix_permutes(isa, x);
  uint64_t sign = (uint64_t)(matrix_negates(isa, x) && i->neg >> which & 1) << 63;
  if (which == MATRIX_A) /* modifiers can name blocks that are not there */
    from = matrix_block(b, i->abs, modifier_abid(i)) % x->blocks;
  for (unsigned r = 0; r < dim; r++)
    for (unsigned k = 0; k < length; k++) {
      struct place p = matrix_input(x, which, from, r, k);
      if (turned)
        p.lane = matrix_lane(p.lane, i->neg);
      take(isa, type,
           matrix_bits_at(w, i, i->src[which], p, matrix_bits(type)) ^ sign, to,
           r * length + k);
    }
}

/* --- sparse A ------------------------------------------------------------- */

/* Which k element n of row r of A is. A lane's index has two bits for each of
 * its elements, and as many more such sets as fit; ABID names one, if CBSZ is 0. */
static unsigned chosen(const struct wave *w, const struct inst *i,
                       const struct matrix *x, unsigned r, unsigned n)
{
  unsigned each = matrix_each(x, MATRIX_A);
  unsigned lane = matrix_input(x, MATRIX_A, 0, r, n).lane;
  unsigned set = i->abs ? 0 : modifier_abid(i);
  uint32_t index = dword(w, i, i->src[2], 0, lane);
  unsigned bit = (set * each + n % each) * 2 % 32;
  return n / 2 * 4 + (index >> bit & 3);
}

/* Of B's columns what row r of A is multiplied with. */
static void choose(const struct wave *w, const struct inst *i,
                   const struct matrix *x, unsigned r,
                   const union matrix_data *b, union matrix_data *to)
{
  int wide = aligned(w->code->isa, x->type[1]);
  unsigned half = x->k / 2;
  for (unsigned n = 0; n < half; n++) {
    unsigned k = chosen(w, i, x, r, n);
    for (unsigned j = 0; j < x->n; j++)
      if (wide)
        to->digits[j * half + n] = b->digits[j * x->k + k];
      else
        to->i8[j * half + n] = b->i8[j * x->k + k];
  }
}

/* --- the product ---------------------------------------------------------- */

enum {TOGETHER = 8, TOGETHER_XF32 = 4, TOGETHER_8BIT = 16}; /* aligned products */

static void add_small(const struct isa *isa, const struct matrix *x,
                      const struct operands *o, float *sum)
{
  unsigned type = x->type[0], each = matrix_each(x, MATRIX_A);
  if (!aligned(isa, type))
    matrix_add_half(o, each < 4 ? each : 4, isa->flushes_matrix, sum);
  else if (matrix_bits(type) == 8)
    matrix_add_aligned(o, TOGETHER_8BIT, 1, sum);
  else
    matrix_add_aligned(o, type == MATRIX_XF32 ? TOGETHER_XF32 : TOGETHER, 0,
                       sum);
}

static void multiply(const struct wave *w, const struct inst *i,
                     const struct matrix *x, const union matrix_data *a,
                     const union matrix_data *all, union matrix_data *sum)
{
  const struct isa *isa = w->code->isa;
  const union matrix_data *b = all;
  union matrix_data some;
  for (unsigned r = 0; r < x->m; r++) {
    unsigned k = matrix_k(x, MATRIX_A), row = r * k, to = r * x->n;
    if (x->kind == MATRIX_SPARSE) {
      choose(w, i, x, r, all, &some);
      b = &some;
    }
    struct operands o = {&a->f[row], b, k, x->n};
    switch (x->type[0]) {
    case MATRIX_F64:
      o.a = &a->d[row];
      matrix_add_f64(&o, &sum->d[to]);
      break;
    case MATRIX_I8:
      o.a = &a->i8[row];
      matrix_add_i8(&o, &sum->i32[to]);
      break;
    case MATRIX_F32:
      matrix_add_f32(&o, &sum->f[to]);
      break;
    default:
      if (aligned(isa, x->type[0]))
        o.a = &a->digits[row];
      add_small(isa, x, &o, &sum->f[to]);
    }
  }
}

static void read_sum(const struct wave *w, const struct inst *i,
                     const struct matrix *x, unsigned b,
                     union matrix_data *sum)
{
  const struct isa *isa = w->code->isa;
  uint64_t sign = (uint64_t)(matrix_negates(isa, x) && i->neg >> 2 & 1) << 63;
  unsigned code = x->kind == MATRIX_SPARSE ? CODE_VGPR + i->dst : i->src[2];
  for (unsigned r = 0; r < x->m; r++) {
    const struct place first = matrix_output(x, b, r, 0);
    for (unsigned j = 0; j < x->n; j++) {
      struct place p = {first.lane + j, first.bit};
      unsigned n = r * x->n + j;
      if (x->type[0] == MATRIX_F64) {
        uint64_t c = code < CODE_VGPR ? scalar_read64(w, i, code)
                                      : matrix_bits_at(w, i, code, p, 64);
        c ^= sign;
        memcpy(&sum->d[n], &c, sizeof c);
        continue;
      }
      uint32_t c = (uint32_t)matrix_bits_at(w, i, code, p, 32);
      memcpy(&sum->i32[n], &c, sizeof c);
      if (flushes(isa, x->type[0]))
        sum->f[n] = flushed(sum->f[n], 1, FLT_MIN);
    }
  }
}

/* The destination's registers, which may be sources of the next block: kept
 * apart until all is done. */
static void put(const struct matrix *x, unsigned b,
                const union matrix_data *sum, uint32_t (*d)[LANES])
{
  unsigned words = x->type[0] == MATRIX_F64 ? 2 : 1;
  for (unsigned r = 0; r < x->m; r++) {
    const struct place p = matrix_output(x, b, r, 0);
    for (unsigned j = 0; j < x->n; j++) {
      const uint32_t *from =
          (const uint32_t *)sum + (size_t)(r * x->n + j) * words;
      for (unsigned k = 0; k < words; k++)
        d[p.bit / 32 + k][p.lane + j] = from[k];
    }
  }
}

static int exists(struct wave *w, unsigned code, unsigned width)
{
  if (code < CODE_AGPR || code - CODE_AGPR + width <= w->na)
    return 1;
  wave_fault(w, FAULT_LAUNCH,
             "it names a%u, the kernel has %u AGPRs; the code object is "
             "damaged", code - CODE_AGPR + width - 1, w->na);
  return 0;
}

static void multiply_all(struct wave *w, const struct inst *i)
{
  const struct matrix *x = matrix_find(i);
  const struct op *o = inst_op(i);
  union matrix_data a, b, sum;
  uint32_t d[DIM][LANES];
  unsigned dst = CODE_VGPR + i->dst;
  if (!exists(w, dst, o->dst) ||
      !exists(w, i->src[0], inst_source_width(i, 0)) ||
      !exists(w, i->src[1], inst_source_width(i, 1)) ||
      !exists(w, i->src[2], o->src[2]))
    return;
  for (unsigned n = 0; n < x->blocks; n++) {
    read_sum(w, i, x, n, &sum);
    if (x->kind == MATRIX_SCALED) {
      matrix_add_scaled(w, i, x, sum.f);
    } else {
      read_input(w, i, MATRIX_A, x, n, &a);
      read_input(w, i, MATRIX_B, x, n, &b);
      multiply(w, i, x, &a, &b, &sum);
    }
    put(x, n, &sum, d);
  }
  unsigned first = dst >= CODE_AGPR ? w->nv + dst - CODE_AGPR : i->dst;
  memcpy(w->v[first], d, o->dst * sizeof *d);
}

/* Somebody uses its result too early, on some way: whoever gets here stops. */
static void stop(struct wave *w, const struct inst *i)
{
  (void)i;
  matrix_awaited(w, w->code->code, w->code->ncode, w->at);
}

exec_fn *matrix_handler(const struct inst *code, size_t n, size_t at)
{
  if (!matrix_find(&code[at]))
    return NULL;
  return matrix_awaited(NULL, code, n, at) ? multiply_all : stop;
}
