/* memory_move.c - move data between VGPRs and checked addresses.
 *
 * The common cases, all 64 lanes moving one, two or four dwords, have loops
 * of their own: a VGPR is a row of lanes and memory holds a lane's dwords
 * together, so the wide ones transpose four lanes at a time.
 *
 * A dword or an aligned pair of them is moved at once, and in order: one
 * workgroup may wait for what another one stores, and they may be executed by
 * two threads of the host (dispatch.c). On x86 acquire and release cost
 * nothing.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "runtimes/sim/run/memory.h"

typedef uint32_t quad __attribute__((vector_size(16)));

/* Four lanes' addresses are looked at together, as mostly none is odd. */
enum {TOGETHER = 4};
#define EACH_OF_FOUR _Pragma("GCC unroll 4") for (unsigned k = 0; k < 4; k++)

static int all_aligned(const uint64_t addr[TOGETHER], uintptr_t base,
                       uint64_t bytes)
{
  uint64_t odd = 0;
  EACH_OF_FOUR
    odd |= base + addr[k];
  return !(odd & (bytes - 1));
}

static uint32_t dword_at(uintptr_t at)
{
  return __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
}

static uint32_t dword_read(uintptr_t at)
{
  uint32_t x;
  if (!(at & 3))
    return dword_at(at);
  memcpy(&x, (const void *)at, sizeof x);
  return x;
}

static void dword_write(uintptr_t at, uint32_t x)
{
  if (!(at & 3))
    __atomic_store_n((uint32_t *)at, x, __ATOMIC_RELEASE);
  else
    memcpy((void *)at, &x, sizeof x);
}

static uint64_t pair_at(uintptr_t at)
{
  return __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
}

static uint64_t pair_read(uintptr_t at)
{
  uint64_t x;
  if (!(at & 7))
    return pair_at(at);
  memcpy(&x, (const void *)at, sizeof x);
  return x;
}

static void pair_write(uintptr_t at, uint64_t x)
{
  if (!(at & 7))
    __atomic_store_n((uint64_t *)at, x, __ATOMIC_RELEASE);
  else
    memcpy((void *)at, &x, sizeof x);
}

static quad quad_read(const void *at)
{
  quad q;
  memcpy(&q, at, sizeof q);
  return q;
}

static void quad_write(void *at, quad q)
{
  memcpy(at, &q, sizeof q);
}

/* Four rows of four become four columns. */
static void transpose(quad r[4])
{
  quad ab_low = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
  quad ab_high = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  quad cd_low = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  quad cd_high = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  r[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  r[1] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  r[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  r[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

static void load_quads(uint32_t (*v)[LANES], const uint64_t *addr,
                       uintptr_t base)
{
  for (unsigned l = 0; l < LANES; l += TOGETHER) {
    quad r[4];
    EACH_OF_FOUR
      r[k] = quad_read((const void *)(base + addr[l + k]));
    transpose(r);
    EACH_OF_FOUR
      quad_write(&v[k][l], r[k]);
  }
}

static void store_quads(uint32_t (*v)[LANES], const uint64_t *addr,
                        uintptr_t base)
{
  for (unsigned l = 0; l < LANES; l += TOGETHER) {
    quad r[4];
    EACH_OF_FOUR
      r[k] = quad_read(&v[k][l]);
    transpose(r);
    EACH_OF_FOUR
      quad_write((void *)(base + addr[l + k]), r[k]);
  }
}

typedef uint64_t two __attribute__((vector_size(16)));

static quad two_read(uint64_t first, uint64_t second, int aligned)
{
  return aligned ? (quad)(two){pair_at(first), pair_at(second)}
                 : (quad)(two){pair_read(first), pair_read(second)};
}

static void two_write(uint64_t first, uint64_t second, quad q)
{
  pair_write(first, ((two)q)[0]);
  pair_write(second, ((two)q)[1]);
}

static void load_pairs(uint32_t (*v)[LANES], const uint64_t *addr,
                       uintptr_t base)
{
  for (unsigned l = 0; l < LANES; l += TOGETHER) {
    int aligned = all_aligned(addr + l, base, 8);
    quad ab = two_read(base + addr[l], base + addr[l + 1], aligned);
    quad cd = two_read(base + addr[l + 2], base + addr[l + 3], aligned);
    quad_write(&v[0][l], __builtin_shufflevector(ab, cd, 0, 2, 4, 6));
    quad_write(&v[1][l], __builtin_shufflevector(ab, cd, 1, 3, 5, 7));
  }
}

static void store_pairs(uint32_t (*v)[LANES], const uint64_t *addr,
                        uintptr_t base)
{
  for (unsigned l = 0; l < LANES; l += 4) {
    quad low = quad_read(&v[0][l]), high = quad_read(&v[1][l]);
    two_write(base + addr[l], base + addr[l + 1],
              __builtin_shufflevector(low, high, 0, 4, 1, 5));
    two_write(base + addr[l + 2], base + addr[l + 3],
              __builtin_shufflevector(low, high, 2, 6, 3, 7));
  }
}

static void load_dword(uint32_t *v, const uint64_t *addr, uintptr_t base)
{
  for (unsigned l = 0; l < LANES; l += TOGETHER)
    if (all_aligned(addr + l, base, 4))
      EACH_OF_FOUR
        v[l + k] = dword_at(base + addr[l + k]);
    else
      EACH_OF_FOUR
        v[l + k] = dword_read(base + addr[l + k]);
}

static void store_dword(const uint32_t *v, const uint64_t *addr,
                        uintptr_t base)
{
  for (unsigned l = 0; l < LANES; l++)
    dword_write(base + addr[l], v[l]);
}

static uint32_t narrow_read(const struct memory_op *op, const uint8_t *at)
{
  if (op->bytes == 1)
    return op->sign ? (uint32_t)(int8_t)*at : *at;
  uint16_t h;
  memcpy(&h, at, sizeof h);
  return op->sign ? (uint32_t)(int16_t)h : h;
}

/* D16 loads zero the other half: the device is sramecc+, whose registers are
 * written whole (LLVM, D16PreservesUnusedBits). rocBLAS's f16 kernels OR the
 * two halves together from registers that they never cleared. */
static void load_narrow(struct wave *w, const struct memory_op *op,
                        uint32_t *v, const uint64_t *addr, uintptr_t base)
{
  unsigned l;
  FOR_LANES(l, w->access.lanes) {
    uint32_t value = narrow_read(op, (const uint8_t *)(base + addr[l]));
    v[l] = op->half == HALF_LOW    ? value & 0xffff
           : op->half == HALF_HIGH ? value << 16
                                   : value;
  }
}

static void store_narrow(const struct wave *w, const struct memory_op *op,
                         const uint32_t *v, const uint64_t *addr,
                         uintptr_t base)
{
  unsigned l, down = op->half == HALF_HIGH ? 16 : 0;
  FOR_LANES(l, w->access.lanes) {
    uint16_t value = (uint16_t)(v[l] >> down);
    memcpy((void *)(base + addr[l]), &value, op->bytes); /* little-endian */
  }
}

void memory_load(struct wave *w, const struct memory_op *op, unsigned first,
                 unsigned k, uintptr_t base, unsigned step)
{
  uint32_t (*v)[LANES] = w->v + first;
  const uint64_t *addr = w->access.addr[k];
  int full = w->access.lanes == ~(uint64_t)0;
  if (op->bytes < 4) {
    load_narrow(w, op, *v, addr, base);
  } else if (full && op->bytes == 16 && step == 4) {
    load_quads(v, addr, base);
  } else if (full && op->bytes == 8 && step == 4) {
    load_pairs(v, addr, base);
  } else {
    for (unsigned d = 0; d < op->bytes / 4u; d++, base += step) {
      unsigned l;
      if (full)
        load_dword(v[d], addr, base);
      else
        FOR_LANES(l, w->access.lanes)
          v[d][l] = dword_read(base + addr[l]);
    }
  }
}

void memory_store(struct wave *w, const struct memory_op *op, unsigned first,
                  unsigned k, uintptr_t base, unsigned step)
{
  uint32_t (*v)[LANES] = w->v + first;
  const uint64_t *addr = w->access.addr[k];
  int full = w->access.lanes == ~(uint64_t)0;
  if (op->bytes < 4) {
    store_narrow(w, op, *v, addr, base);
  } else if (full && op->bytes == 16 && step == 4) {
    store_quads(v, addr, base);
  } else if (full && op->bytes == 8 && step == 4) {
    store_pairs(v, addr, base);
  } else {
    for (unsigned d = 0; d < op->bytes / 4u; d++, base += step) {
      unsigned l;
      if (full)
        store_dword(v[d], addr, base);
      else
        FOR_LANES(l, w->access.lanes)
          dword_write(base + addr[l], v[d][l]);
    }
  }
}
