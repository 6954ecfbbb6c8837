/* atomic.c - see atomic.h.
 *
 * Semantics: "Vega" 7 nm ISA, DS and MUBUF opcodes. Operands of 4 bytes are
 * held zero-extended, so one function serves both widths.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/atomic.h"

#include <string.h>

#include "runtimes/sim/run/small_float.h"

static int64_t to_signed(uint64_t bits, unsigned bytes)
{
  return bytes == 4 ? (int32_t)bits : (int64_t)bits;
}

static double to_float(uint64_t bits, unsigned bytes)
{
  uint32_t low = (uint32_t)bits;
  float f;
  double d;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &bits, sizeof d);
  return bytes == 4 ? (double)f : d;
}

static uint32_t flush(uint32_t bits, int keep)
{
  return keep || bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/* Always rounds to nearest even; the denormal bits of MODE do count. */
static uint64_t add_float(uint64_t old, uint64_t a, uint32_t mode)
{
  uint32_t x = flush((uint32_t)old, mode & 0x10);
  uint32_t y = flush((uint32_t)a, mode & 0x10);
  float f = (float)to_float(x, 4) + (float)to_float(y, 4);
  memcpy(&x, &f, sizeof x);
  return flush(x, mode & 0x20);
}

static uint64_t add_double(uint64_t old, uint64_t a)
{
  double sum = to_float(old, 8) + to_float(a, 8);
  memcpy(&old, &sum, sizeof old);
  return old;
}

/* Two numbers of 16 bits, each sum rounded to nearest even. */
static uint64_t add_halves(uint64_t old, uint64_t a, float (*read)(uint32_t),
                           uint32_t (*round)(float))
{
  uint32_t low = round(read(old & 0xffff) + read(a & 0xffff));
  uint32_t high = round(read(old >> 16 & 0xffff) + read(a >> 16 & 0xffff));
  return low | (uint64_t)high << 16;
}

/* Exchanges each dword whose new value has its top bit set, less that bit. */
static uint64_t conditional(uint64_t old, uint64_t a)
{
  uint64_t low = a & 0x80000000 ? a & 0x7fffffff : (uint32_t)old;
  uint64_t high = a >> 63 ? a >> 32 & 0x7fffffff : old >> 32;
  return high << 32 | low;
}

uint64_t atomic_result(unsigned op, unsigned bytes, uint64_t old, uint64_t a,
                       uint64_t b, uint32_t mode)
{
  switch (op) { /* ORDER ATOMIC */
  case ATOMIC_ADD:
    return old + a;
  case ATOMIC_SUB:
    return old - a;
  case ATOMIC_RSUB:
    return a - old;
  case ATOMIC_INC:
    return old >= a ? 0 : old + 1;
  case ATOMIC_DEC:
    return old == 0 || old > a ? a : old - 1;
  case ATOMIC_SMIN:
    return to_signed(a, bytes) < to_signed(old, bytes) ? a : old;
  case ATOMIC_SMAX:
    return to_signed(a, bytes) > to_signed(old, bytes) ? a : old;
  case ATOMIC_UMIN:
    return a < old ? a : old;
  case ATOMIC_UMAX:
    return a > old ? a : old;
  case ATOMIC_AND:
    return old & a;
  case ATOMIC_OR:
    return old | a;
  case ATOMIC_XOR:
    return old ^ a;
  case ATOMIC_MSKOR:
    return (old & ~a) | b;
  case ATOMIC_SWAP:
    return a;
  case ATOMIC_CMPSWAP:
    return old == a ? b : old;
  case ATOMIC_FCMPSWAP:
    return to_float(old, bytes) == to_float(a, bytes) ? b : old;
  case ATOMIC_FMIN:
    return to_float(a, bytes) < to_float(old, bytes) ? a : old;
  case ATOMIC_FMAX:
    return to_float(a, bytes) > to_float(old, bytes) ? a : old;
  case ATOMIC_FADD:
    return bytes == 8 ? add_double(old, a) : add_float(old, a, mode);
  case ATOMIC_WRAP:
    return old >= a ? old - a : old + b;
  case ATOMIC_CONDSWAP:
    return conditional(old, a);
  case ATOMIC_PK_F16:
    return add_halves(old, a, float_of_f16, f16_of_float);
  case ATOMIC_PK_BF16:
    return add_halves(old, a, float_of_bf16, bf16_of_float);
  }
  return old;
}

static uint64_t operand(const struct wave *w, unsigned v, unsigned l,
                        unsigned bytes)
{
  uint64_t low = w->v[v][l];
  return bytes == 4 ? low : low | (uint64_t)w->v[v + 1][l] << 32;
}

static uint64_t update(struct wave *w, const struct memory_op *op,
                       uintptr_t at, uint64_t a, uint64_t b)
{
  if (op->bytes == 4) {
    uint32_t *p = (uint32_t *)at, old = __atomic_load_n(p, __ATOMIC_RELAXED);
    uint32_t new;
    do
      new = (uint32_t)atomic_result(op->atomic, 4, old, a, b, w->mode);
    while (!__atomic_compare_exchange_n(p, &old, new, 1, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
    w->changes += new != old;
    return old;
  }
  uint64_t *p = (uint64_t *)at, old = __atomic_load_n(p, __ATOMIC_RELAXED);
  uint64_t new;
  do
    new = atomic_result(op->atomic, 8, old, a, b, w->mode);
  while (!__atomic_compare_exchange_n(p, &old, new, 1, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
  w->changes += new != old;
  return old;
}

void atomic_apply(struct wave *w, const struct memory_op *op, unsigned a,
                  unsigned b, unsigned dst, unsigned k, uintptr_t base)
{
  unsigned l;
  FOR_LANES(l, w->access.lanes) {
    uint64_t old = update(w, op, base + w->access.addr[k][l],
                          operand(w, a, l, op->bytes),
                          operand(w, b, l, op->bytes));
    if (dst == ATOMIC_DROP)
      continue;
    w->v[dst][l] = (uint32_t)old;
    if (op->bytes == 8)
      w->v[dst + 1][l] = (uint32_t)(old >> 32);
  }
}
