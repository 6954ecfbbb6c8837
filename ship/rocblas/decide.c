/* decide.c - the rules of decide.h, in the order in which they are asked. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/decide.h"

#include <stddef.h>

#include "ship/rocblas/number.h"

/* Halves are summed in f32 also where rocBLAS would sum them in f16: that is
 * nearer to the product, and as fast. */
static const struct typing typings[] = {
    {TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F32, "f32", NULL},
    {TYPE_F16, TYPE_F16, TYPE_F16, TYPE_F32, "f16", NULL},
    {TYPE_F16, TYPE_F16, TYPE_F16, TYPE_F16, "f16", NULL},
    {TYPE_F16, TYPE_F16, TYPE_F32, TYPE_F32, "f16", "f32"},
    {TYPE_BF16, TYPE_BF16, TYPE_BF16, TYPE_F32, "bf16", NULL},
    {TYPE_BF16, TYPE_BF16, TYPE_F32, TYPE_F32, "bf16", "f32"},
    {TYPE_I8, TYPE_I8, TYPE_I32, TYPE_I32, "i8", NULL},
};

enum {TYPINGS = sizeof typings / sizeof *typings, ALIGNED = 16 /* bytes */};

const struct typing *decide_typing(const struct product *p)
{
  for (size_t i = 0; i < TYPINGS; i++)
    if (p->a.type == typings[i].a && p->b.type == typings[i].b &&
        p->c.type == typings[i].c && p->d.type == typings[i].c &&
        p->compute == typings[i].compute)
      return &typings[i];
  return NULL;
}

int decide_kind(const struct product *p)
{
  return (int)(decide_typing(p) - typings) * BATCHINGS + (int)p->batching;
}

double decide_scalar(const struct product *p, const void *at)
{
  return number_at(p->compute, at, 0);
}

static int is_operation(int op)
{
  return op == OP_NONE || op == OP_TRANSPOSE || op == OP_CONJUGATE;
}

static int least(int rows)
{
  return rows > 1 ? rows : 1;
}

static int wrong(const struct product *p)
{
  return !p->handle || !is_operation(p->op_a) || !is_operation(p->op_b) ||
         p->m < 0 || p->n < 0 || p->k < 0 || p->batch < 0 ||
         !p->alpha || !p->beta || !p->c.at || !p->d.at ||
         p->a.ld < least(product_rows(p->op_a, p->m, p->k)) ||
         p->b.ld < least(product_rows(p->op_b, p->k, p->n)) ||
         p->c.ld < least(p->m) || p->d.ld < least(p->m);
}

static int empty(const struct product *p)
{
  return p->m == 0 || p->n == 0 || p->k == 0 || p->batch == 0 ||
         !p->a.at || !p->b.at; /* legal where alpha is 0 */
}

static int other_types(const struct product *p)
{
  return !decide_typing(p);
}

static int by_number(const struct product *p)
{
  return p->algo != 0 || p->solution != 0;
}

static int unknown_flags(const struct product *p)
{
  return (p->flags & ~(uint32_t)(FLAG_CU_EFFICIENCY | FLAG_F16_ALTERNATIVE |
                                 FLAG_F16_ALTERNATIVE_RNZ)) != 0;
}

static int out_of_place(const struct product *p)
{
  return p->c.at != p->d.at || p->c.ld != p->d.ld ||
         p->c.stride != p->d.stride;
}

/* Pointers on the device are out of reach without waiting for them; and products
 * of a batch must not lie in each other. */
static int batched(const struct product *p)
{
  return p->batching == BATCH_POINTERS ||
         (p->batch > 1 && (p->a.stride < 0 || p->b.stride < 0 ||
                           p->c.stride / p->c.ld < p->n));
}

/* Every product of a batch begins where its loads may. */
static int is_unaligned(const struct product *p, const struct matrix *x)
{
  uint64_t bits = (uintptr_t)x->at;
  if (p->batch > 1)
    bits |= (uint64_t)x->stride * number_bytes(x->type);
  return bits % ALIGNED != 0;
}

static int unaligned(const struct product *p)
{
  return is_unaligned(p, &p->a) || is_unaligned(p, &p->b) ||
         is_unaligned(p, &p->c);
}

static const struct {
  int (*applies)(const struct product *p);
  enum reason reason;
} rules[] = {
    {wrong, WHY_ARGUMENTS},        {empty, WHY_EMPTY},
    {other_types, WHY_TYPES},      {by_number, WHY_ALGORITHM},
    {unknown_flags, WHY_FLAGS},    {out_of_place, WHY_IN_PLACE},
    {batched, WHY_BATCH},          {unaligned, WHY_ALIGNMENT},
};

enum reason decide(const struct product *p)
{
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].applies(p))
      return rules[i].reason;
  return SERVED;
}
