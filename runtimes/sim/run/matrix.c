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
#include "runtimes/sim/run/small_float.h"

enum {DIM = 32, ELEMENTS = 32 * 32 * 2}; /* the largest D, of all its blocks */

/* --- the table ------------------------------------------------------------ */

enum {
  BITS_F32 = 32, BITS_F64 = 64, BITS_F16 = 16, BITS_BF16 = 16, BITS_I8 = 8,
};
#define ROW(op, name, a, M, N, K, B, type, ...) \
  [op] = {M, N, K, B, MATRIX_##type, BITS_##type, \
          MATRIX_##type == MATRIX_BF16 && (a) == 1},
#define OP(...)
#define NAMED(...)
#define GONE(...)
#define SPARSE(...)
#define MATRIX(op, name, d, a, b, c, M, N, K, B, type) \
  ROW(op, name, a, M, N, K, B, type)

/* By the architecture that brought the opcode (op_table()). */
static const struct matrix table[ISAS][128] = {
    {{0}}, {
#include "runtimes/sim/isa/ops_gfx908.def"
    }, {
#include "runtimes/sim/isa/ops_gfx90a.def"
    },
};

/* --- operands ------------------------------------------------------------- */

union matrix_data {
  float f[ELEMENTS];
  double d[ELEMENTS];
  int8_t i8[ELEMENTS];
  int32_t i32[ELEMENTS];
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

static uint64_t bits_at(const struct wave *w, const struct inst *i,
                        unsigned code, struct place p, unsigned bits)
{
  uint64_t low = dword(w, i, code, p.bit / 32, p.lane);
  if (bits == 64)
    return low | (uint64_t)dword(w, i, code, p.bit / 32 + 1, p.lane) << 32;
  return low >> p.bit % 32;
}

static float flushed(float x, int flush, float least)
{
  return flush && fabsf(x) < least ? copysignf(0, x) : x;
}

/* Element n of `to` from its bits. */
static void take(const struct matrix *x, uint64_t bits, int flush,
                 union matrix_data *to, unsigned n)
{
  switch (x->type) {
  case MATRIX_F64:
    memcpy(&to->d[n], &bits, sizeof to->d[n]);
    break;
  case MATRIX_F16:
    to->f[n] = flushed(float_of_f16(bits & 0xffff), flush, 0x1p-14f);
    break;
  case MATRIX_BF16:
    to->f[n] = flushed(float_of_bf16(bits & 0xffff), flush, FLT_MIN);
    break;
  case MATRIX_I8:
    to->i8[n] = (int8_t)bits;
    break;
  default:
    memcpy(&to->f[n], &bits, sizeof to->f[n]);
  }
}

/* Block b of A by rows, or of B by columns. */
static void read_input(const struct wave *w, const struct inst *i, int which,
                       const struct matrix *x, unsigned b, int flush,
                       union matrix_data *to)
{
  unsigned dim = which ? x->n : x->m;
  unsigned from = which ? b : matrix_block(b, i->abs, i->opsel |
                                           (i->opselhi & 4u) << 1);
  from %= x->blocks; /* modifiers can name blocks that are not there */
  for (unsigned r = 0; r < dim; r++)
    for (unsigned k = 0; k < x->k; k++) {
      struct place p = matrix_input(x, dim, from, r, k);
      if (which)
        p.lane = matrix_lane(p.lane, i->neg);
      take(x, bits_at(w, i, i->src[which], p, x->bits), flush, to,
           r * x->k + k);
    }
}

/* --- the product ---------------------------------------------------------- */

static void multiply(const struct matrix *x, const union matrix_data *a,
                     const union matrix_data *b, int flush,
                     union matrix_data *sum)
{
  for (unsigned r = 0; r < x->m; r++) {
    unsigned row = r * x->k, to = r * x->n;
    struct operands o = {&a->f[row], b, x->k, x->n};
    switch (x->type) {
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
      matrix_add_half(&o, x->pairs ? 2 : 4, flush, &sum->f[to]);
    }
  }
}

static void read_sum(const struct wave *w, const struct inst *i,
                     const struct matrix *x, unsigned b, int flush,
                     union matrix_data *sum)
{
  for (unsigned r = 0; r < x->m; r++)
    for (unsigned j = 0; j < x->n; j++) {
      struct place p = matrix_output(x, b, r, j);
      unsigned n = r * x->n + j;
      if (x->type == MATRIX_F64) {
        uint64_t c = i->src[2] < CODE_VGPR
                         ? scalar_read64(w, i, i->src[2])
                         : bits_at(w, i, i->src[2], p, 64);
        memcpy(&sum->d[n], &c, sizeof c);
        continue;
      }
      uint32_t c = (uint32_t)bits_at(w, i, i->src[2], p, 32);
      memcpy(&sum->i32[n], &c, sizeof c);
      if (flush)
        sum->f[n] = flushed(sum->f[n], 1, FLT_MIN);
    }
}

/* The destination's registers, which may be sources of the next block: kept
 * apart until all is done. */
static void put(const struct matrix *x, unsigned b,
                const union matrix_data *sum, uint32_t (*d)[LANES])
{
  unsigned words = x->type == MATRIX_F64 ? 2 : 1;
  for (unsigned r = 0; r < x->m; r++)
    for (unsigned j = 0; j < x->n; j++) {
      struct place p = matrix_output(x, b, r, j);
      const uint32_t *from =
          (const uint32_t *)sum + (size_t)(r * x->n + j) * words;
      for (unsigned k = 0; k < words; k++)
        d[p.bit / 32 + k][p.lane] = from[k];
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

static const struct matrix *matrix_of(const struct inst *i)
{
  int from = op_table(isa_at(i->isa), i->format, i->op);
  return &table[from][i->op];
}

static void dense(struct wave *w, const struct inst *i)
{
  const struct matrix *x = matrix_of(i);
  const struct op *o = inst_op(i);
  union matrix_data a, b, sum;
  uint32_t d[DIM][LANES];
  unsigned dst = CODE_VGPR + i->dst;
  int flush = w->code->isa->flushes_matrix &&
              (x->type == MATRIX_F16 || x->type == MATRIX_BF16);
  if (!exists(w, dst, o->dst) || !exists(w, i->src[0], o->src[0]) ||
      !exists(w, i->src[1], o->src[1]) || !exists(w, i->src[2], o->src[2]))
    return;
  for (unsigned n = 0; n < x->blocks; n++) {
    read_input(w, i, 0, x, n, flush, &a);
    read_input(w, i, 1, x, n, flush, &b);
    read_sum(w, i, x, n, flush, &sum);
    multiply(x, &a, &b, flush, &sum);
    put(x, n, &sum, d);
  }
  unsigned first = dst >= CODE_AGPR ? w->nv + dst - CODE_AGPR : i->dst;
  memcpy(w->v[first], d, o->dst * sizeof *d);
}

exec_fn *matrix_handler(const struct inst *i)
{
  int from = op_table(isa_at(i->isa), i->format, i->op);
  return from >= 0 && isa_at(i->isa)->matrix_rules && table[from][i->op].m
             ? dense
             : NULL;
}
