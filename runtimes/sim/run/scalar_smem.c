/* scalar_smem.c - scalar memory: loads, stores, atomics, clocks, caches. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/atomic.h"
#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/scalar.h"

void smem_note(struct wave *w, const struct inst *i, uint64_t address,
               unsigned bytes)
{
  struct access *a = &w->access;
  a->lanes = 1;
  a->bytes = (uint8_t)bytes;
  a->n = 1;
  a->load = i->as < 0x10 || i->flags & INST_GLC;
  a->store = i->as >= 0x10;
  a->atomic = i->as >= 0x40;
  a->lds = 0;
  a->addr[0][0] = address;
}

int smem_mapped(struct wave *w, uint64_t address, unsigned bytes)
{
  size_t hint = 0;
  if (arena_valid(w->group->dispatch->arena, address, bytes, &hint))
    return 1;
  wave_fault(w, FAULT_ADDRESS,
             "scalar access of %u bytes at 0x%llx, which is no allocated "
             "memory", bytes, (unsigned long long)address);
  return 0;
}

/* The byte offset: constant, SGPR times `scale`, or both; bits 1:0 are
 * ignored by the hardware. */
static uint64_t offset(const struct wave *w, const struct inst *i,
                       uint64_t scale)
{
  uint64_t sum = i->flags & INST_IMM ? (uint64_t)(int64_t)i->imm : 0;
  if (i->flags & INST_SOFFSET)
    sum += read32(w, i, i->src[2]) * scale;
  return sum;
}

static uint64_t plain_address(const struct wave *w, const struct inst *i,
                              uint64_t scale)
{
  return (read64(w, i, i->srsrc) + offset(w, i, scale)) & ~(uint64_t)3;
}

uint64_t smem_address(const struct wave *w, const struct inst *i,
                      unsigned bytes)
{
  uint64_t scale = i->flags & INST_SCALED ? bytes : 1;
  return read64(w, i, i->srsrc) + offset(w, i, scale);
}

/* --- buffers: base (47:0), stride (61:48), records (95:64) ---------------- */

struct buffer {
  uint64_t base, size; /* bytes */
};

static struct buffer read_buffer(const struct wave *w, const struct inst *i)
{
  uint64_t low = read64(w, i, i->srsrc);
  uint64_t records = w->s[i->srsrc + 2], stride = low >> 48 & 0x3fff;
  return (struct buffer){low & 0xffffffffffff,
                         stride ? records * stride : records};
}

static uint64_t buffer_offset(const struct wave *w, const struct inst *i)
{
  return offset(w, i, 1) & 0xfffffffc;
}

/* --- loads and stores; src[0..] of the row of ops.def say the width ------- */

static unsigned width(const struct inst *i)
{
  return inst_op(i)->dst * 4u;
}

static void load(struct wave *w, const struct inst *i, uint64_t address)
{
  unsigned bytes = width(i);
  if (!smem_mapped(w, address, bytes))
    return;
  memcpy(&w->s[i->dst], (void *)(uintptr_t)address, bytes);
  smem_note(w, i, address, bytes);
}

static void store(struct wave *w, const struct inst *i, uint64_t address)
{
  unsigned bytes = width(i);
  if (!smem_mapped(w, address, bytes))
    return;
  memcpy((void *)(uintptr_t)address, &w->s[i->dst], bytes);
  smem_note(w, i, address, bytes);
}

static void s_load(struct wave *w, const struct inst *i)
{
  load(w, i, smem_address(w, i, width(i)) & ~(uint64_t)3);
}

static void s_store(struct wave *w, const struct inst *i)
{
  store(w, i, plain_address(w, i, 1));
}

/* Scratch offsets in SGPRs count 64 bytes. */
static void s_scratch_load(struct wave *w, const struct inst *i)
{
  load(w, i, plain_address(w, i, 64));
}

static void s_scratch_store(struct wave *w, const struct inst *i)
{
  store(w, i, plain_address(w, i, 64));
}

/* A buffer access: where it begins, and how many of its bytes lie inside. */
struct reach {
  uint64_t address;
  unsigned bytes;
};

/* Dwords out of range read as zero and are not written. 0: a fault. */
static int reach(struct wave *w, const struct inst *i, struct reach *r)
{
  struct buffer b = read_buffer(w, i);
  uint64_t at = buffer_offset(w, i);
  *r = (struct reach){b.base + at, 0};
  while (r->bytes < width(i) && at + r->bytes + 4 <= b.size)
    r->bytes += 4;
  return !r->bytes || smem_mapped(w, r->address, r->bytes);
}

static void s_buffer_load(struct wave *w, const struct inst *i)
{
  struct reach r;
  uint32_t value[16] = {0};
  if (!reach(w, i, &r))
    return;
  if (r.bytes) /* else the address may be none */
    memcpy(value, (void *)(uintptr_t)r.address, r.bytes);
  memcpy(&w->s[i->dst], value, width(i));
  smem_note(w, i, r.address, width(i));
}

static void s_buffer_store(struct wave *w, const struct inst *i)
{
  struct reach r;
  if (!reach(w, i, &r))
    return;
  if (r.bytes)
    memcpy((void *)(uintptr_t)r.address, &w->s[i->dst], r.bytes);
  smem_note(w, i, r.address, width(i));
}

/* --- atomics: 32 bits, + 0x20 for 64, + 0x40 for a plain address ---------- */

static const uint8_t operations[13] = {
    ATOMIC_SWAP, ATOMIC_CMPSWAP, ATOMIC_ADD,  ATOMIC_SUB, ATOMIC_SMIN,
    ATOMIC_UMIN, ATOMIC_SMAX,    ATOMIC_UMAX, ATOMIC_AND, ATOMIC_OR,
    ATOMIC_XOR,  ATOMIC_INC,     ATOMIC_DEC,
};

static uint64_t update32(uint32_t *at, unsigned op, uint64_t a, uint64_t b)
{
  uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
  do
    new = (uint32_t)atomic_result(op, 4, old, a, b, 0);
  while (!__atomic_compare_exchange_n(at, &old, new, 0, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
  return old;
}

static uint64_t update64(uint64_t *at, unsigned op, uint64_t a, uint64_t b)
{
  uint64_t old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
  do
    new = atomic_result(op, 8, old, a, b, 0);
  while (!__atomic_compare_exchange_n(at, &old, new, 0, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
  return old;
}

/* Compare-and-swap has the new value first, then what is compared. */
static void atomic(struct wave *w, const struct inst *i, uint64_t address)
{
  unsigned op = operations[i->as & 0x1f], wide = i->as >> 5 & 1;
  unsigned bytes = wide ? 8 : 4;
  if (address % bytes) {
    wave_fault(w, FAULT_ADDRESS, "misaligned scalar atomic at 0x%llx",
               (unsigned long long)address);
    return;
  }
  if (!smem_mapped(w, address, bytes))
    return;
  uint64_t first = wide ? read64(w, i, i->dst) : w->s[i->dst], second = 0;
  if (op == ATOMIC_CMPSWAP) {
    second = first;
    first = wide ? read64(w, i, i->dst + 2u) : w->s[i->dst + 1];
  }
  void *at = (void *)(uintptr_t)address;
  uint64_t old = wide ? update64(at, op, first, second)
                      : update32(at, op, first, second);
  if (i->flags & INST_GLC)
    memcpy(&w->s[i->dst], &old, bytes);
  smem_note(w, i, address, bytes);
}

static void s_atomic(struct wave *w, const struct inst *i)
{
  atomic(w, i, plain_address(w, i, 1));
}

static void s_buffer_atomic(struct wave *w, const struct inst *i)
{
  struct buffer b = read_buffer(w, i);
  uint64_t at = buffer_offset(w, i);
  unsigned bytes = i->as >> 5 & 1 ? 8 : 4;
  if (at + bytes <= b.size)
    atomic(w, i, b.base + at);
  else if (i->flags & INST_GLC)
    memset(&w->s[i->dst], 0, bytes);
}

/* --- the rest ------------------------------------------------------------- */

/* Where no model counts cycles: 4 an instruction, what a wave takes alone. */
uint64_t smem_cycles(const struct wave *w)
{
  return w->clock ? w->clock : 4 * w->executed;
}

static void s_memtime(struct wave *w, const struct inst *i)
{
  write64(w, i->dst, smem_cycles(w));
}

/* The reference clock: 25 MHz on Vega 20, where the shader has 1725. */
static void s_memrealtime(struct wave *w, const struct inst *i)
{
  write64(w, i->dst, smem_cycles(w) / (1725 / 25));
}

static void nothing(struct wave *w, const struct inst *i)
{
  (void)w, (void)i; /* there is no cache to write back or invalidate */
}

#define EVERY_ATOMIC(first, handler) \
  [(first)] = handler, [(first) + 1] = handler, [(first) + 2] = handler, \
  [(first) + 3] = handler, [(first) + 4] = handler, [(first) + 5] = handler, \
  [(first) + 6] = handler, [(first) + 7] = handler, [(first) + 8] = handler, \
  [(first) + 9] = handler, [(first) + 10] = handler, \
  [(first) + 11] = handler, [(first) + 12] = handler

exec_fn *const smem_handlers[256] = {
    [0x00] = s_load,          [0x01] = s_load,
    [0x02] = s_load,          [0x03] = s_load,
    [0x04] = s_load,          [0x05] = s_scratch_load,
    [0x06] = s_scratch_load,  [0x07] = s_scratch_load,
    [0x08] = s_buffer_load,   [0x09] = s_buffer_load,
    [0x0a] = s_buffer_load,   [0x0b] = s_buffer_load,
    [0x0c] = s_buffer_load,   [0x10] = s_store,
    [0x11] = s_store,         [0x12] = s_store,
    [0x15] = s_scratch_store, [0x16] = s_scratch_store,
    [0x17] = s_scratch_store, [0x18] = s_buffer_store,
    [0x19] = s_buffer_store,  [0x1a] = s_buffer_store,
    [0x20] = nothing,         /* s_dcache_inv */
    [0x21] = nothing,         /* s_dcache_wb */
    [0x22] = nothing,         /* s_dcache_inv_vol */
    [0x23] = nothing,         /* s_dcache_wb_vol */
    [0x24] = s_memtime,       [0x25] = s_memrealtime,
    [0x26] = nothing,         /* s_atc_probe: a prefetch of translations */
    [0x27] = nothing,         /* s_atc_probe_buffer */
    [0x28] = nothing,         /* s_dcache_discard */
    [0x29] = nothing,         /* s_dcache_discard_x2 */
    EVERY_ATOMIC(0x40, s_buffer_atomic),
    EVERY_ATOMIC(0x60, s_buffer_atomic),
    EVERY_ATOMIC(0x80, s_atomic),
    EVERY_ATOMIC(0xa0, s_atomic),
};
