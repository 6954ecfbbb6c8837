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

enum {TYPINGS = sizeof typings / sizeof *typings};

const struct typing *decide_typing(const struct product *p)
{
  for (size_t i = 0; i < TYPINGS; i++)
    if (p->a.type == typings[i].a && p->b.type == typings[i].b &&
        p->c.type == typings[i].c && p->d.type == typings[i].c &&
        p->compute == typings[i].compute)
      return &typings[i];
  return NULL;
}

int decide_kind(const struct product *p, enum batching batching)
{
  return (int)(decide_typing(p) - typings) * BATCHINGS + (int)batching;
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

/* Products of a batch must not lie in each other. Whether those of a list do is
 * not known without waiting for the device, and no legal call has such. */
static int batched(const struct product *p)
{
  return p->batching == BATCH_STRIDED && p->batch > 1 &&
         (p->a.stride < 0 || p->b.stride < 0 || p->c.stride / p->c.ld < p->n);
}

/* Bits that are set where a matrix, or one of a batch, begins. Where those of a
 * list begin is on the device: at their elements, as for any array. */
static uint64_t beginnings(const struct product *p, const struct matrix *x)
{
  uint64_t bytes = number_bytes(x->type);
  if (p->batching == BATCH_POINTERS)
    return bytes;
  return (uintptr_t)x->at | (p->batch > 1 ? (uint64_t)x->stride * bytes : 0);
}

int decide_align(const struct product *p)
{
  uint64_t bits = beginnings(p, &p->a) | beginnings(p, &p->b) |
                  beginnings(p, &p->c) | DECIDE_ALIGNED;
  return (int)(bits & -bits);
}

static int within_elements(const struct product *p, const struct matrix *x)
{
  return beginnings(p, x) % number_bytes(x->type) != 0;
}

static int unaligned(const struct product *p)
{
  return within_elements(p, &p->a) || within_elements(p, &p->b) ||
         within_elements(p, &p->c);
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
