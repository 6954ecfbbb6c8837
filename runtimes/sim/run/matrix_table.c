/* matrix_table.c - the instructions of the matrix cores, and their types: see
 * matrix.h.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/matrix.h"
#include "runtimes/sim/run/small_float.h"

#define TYPES_F32 MATRIX_F32, MATRIX_F32
#define TYPES_F64 MATRIX_F64, MATRIX_F64
#define TYPES_XF32 MATRIX_XF32, MATRIX_XF32
#define TYPES_F16 MATRIX_F16, MATRIX_F16
#define TYPES_BF16 MATRIX_BF16, MATRIX_BF16
#define TYPES_I8 MATRIX_I8, MATRIX_I8
#define TYPES_FP8_FP8 MATRIX_FP8, MATRIX_FP8
#define TYPES_FP8_BF8 MATRIX_FP8, MATRIX_BF8
#define TYPES_BF8_FP8 MATRIX_BF8, MATRIX_FP8
#define TYPES_BF8_BF8 MATRIX_BF8, MATRIX_BF8

#define OP(...)
#define NAMED(...)
#define GONE(...)
#define MATRIX(op, name, d, a, b, c, M, N, K, B, types) \
  [op] = {M, N, K, B, {TYPES_##types}, MATRIX_DENSE},
#define SPARSE(op, name, d, a, b, c, M, N, K, B, types) \
  [op] = {M, N, K, B, {TYPES_##types}, MATRIX_SPARSE},
#define SCALED(op, name, d, a, b, c, M, N, K, B) \
  [op] = {M, N, K, B, {MATRIX_TYPES, MATRIX_TYPES}, MATRIX_SCALED},

/* By the architecture that brought the opcode (op_table()). */
static const struct matrix table[ISAS][128] = {
    {{0}}, {
#include "runtimes/sim/isa/ops_gfx908.def"
    }, {
#include "runtimes/sim/isa/ops_gfx90a.def"
    }, {
#include "runtimes/sim/isa/ops_gfx942.def"
    }, {
#include "runtimes/sim/isa/ops_gfx950.def"
    },
};

/* Scaled ones by the types that CBSZ and BLGP name. */
enum {FORMATS = MATRIX_FP4 - MATRIX_FP8 + 1};
#define OF(M, K, a, b) {M, M, K, 1, {MATRIX_##a, MATRIX_##b}, MATRIX_SCALED}
#define WITH(M, K, a) \
  {OF(M, K, a, FP8), OF(M, K, a, BF8), OF(M, K, a, FP6), OF(M, K, a, BF6), \
   OF(M, K, a, FP4)}
#define ALL(M, K) \
  {WITH(M, K, FP8), WITH(M, K, BF8), WITH(M, K, FP6), WITH(M, K, BF6), \
   WITH(M, K, FP4)}
static const struct matrix scaled[2][FORMATS][FORMATS] = {ALL(16, 128),
                                                          ALL(32, 64)};

static const struct matrix *find_scaled(const struct inst *i, unsigned m)
{
  if (i->abs >= FORMATS || i->neg >= FORMATS)
    return NULL;
  return &scaled[m == 32][i->abs][i->neg];
}

const struct matrix *matrix_find(const struct inst *i)
{
  if (i->format != VOP3P)
    return NULL;
  int from = op_table(isa_at(i->isa), i->format, i->op);
  if (from < 0)
    return NULL;
  const struct matrix *x = &table[from][i->op];
  if (!x->m)
    return NULL;
  return x->kind == MATRIX_SCALED ? find_scaled(i, x->m) : x;
}

static const uint8_t bits_of[MATRIX_TYPES] = { /* ORDER MATRIX_TYPE */
    32, 64, 32, 16, 16, 8, 8, 6, 6, 4, 8};

unsigned matrix_bits(unsigned type)
{
  return bits_of[type];
}

int matrix_small(unsigned type)
{
  return type >= MATRIX_XF32 && type <= MATRIX_FP4;
}

_Static_assert(MATRIX_FP4 - MATRIX_F16 == SMALL_FP4 - SMALL_F16,
               "both orders are one");
static const struct small_format *format_of(const struct isa *isa,
                                            unsigned type)
{
  return small_of(type - MATRIX_F16 + SMALL_F16, isa->ocp);
}

/* xf32 is f32 of which 10 fraction bits are taken. */
float matrix_float(const struct isa *isa, unsigned type, uint32_t bits)
{
  union {
    uint32_t u;
    float f;
  } x = {bits};
  switch (type) {
  case MATRIX_F16:
    return float_of_f16(bits);
  case MATRIX_BF16:
    return float_of_bf16(bits);
  case MATRIX_FP8:
  case MATRIX_BF8:
  case MATRIX_FP6:
  case MATRIX_BF6:
  case MATRIX_FP4:
    return small_read(format_of(isa, type), bits);
  case MATRIX_XF32:
    x.u &= ~0x1fffu;
    return x.f;
  default:
    return x.f;
  }
}

int matrix_least(const struct isa *isa, unsigned type)
{
  switch (type) {
  case MATRIX_F16:
    return -14;
  case MATRIX_FP8:
  case MATRIX_BF8:
    return 1 - format_of(isa, type)->bias;
  default:
    return -126;
  }
}
