/* memory.c - see memory.h: opcodes, checks, and the move itself. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/memory.h"

#include "runtimes/sim/run/atomic.h"
#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/exec.h"

#define LOAD(bytes, sign, half) {MEMORY_LOAD, bytes, sign, half, 0}
#define STORE(bytes, half) {MEMORY_STORE, bytes, 0, half, 0}
#define ATOMIC(name) {MEMORY_ATOMIC, 4, 0, 0, ATOMIC_##name}
#define ATOMIC_X2(name) {MEMORY_ATOMIC, 8, 0, 0, ATOMIC_##name}

/* FLAT, GLOBAL, SCRATCH and MUBUF opcodes (numbers as in ops.def). */
static const struct memory_op ops[128] = {
  [0x10] = LOAD(1, 0, WHOLE),      /* ubyte */
  [0x11] = LOAD(1, 1, WHOLE),      /* sbyte */
  [0x12] = LOAD(2, 0, WHOLE),      /* ushort */
  [0x13] = LOAD(2, 1, WHOLE),      /* sshort */
  [0x14] = LOAD(4, 0, WHOLE),      /* dword */
  [0x15] = LOAD(8, 0, WHOLE),      /* dwordx2 */
  [0x16] = LOAD(12, 0, WHOLE),     /* dwordx3 */
  [0x17] = LOAD(16, 0, WHOLE),     /* dwordx4 */
  [0x18] = STORE(1, WHOLE),        /* byte */
  [0x19] = STORE(1, HALF_HIGH),    /* byte_d16_hi */
  [0x1a] = STORE(2, WHOLE),        /* short */
  [0x1b] = STORE(2, HALF_HIGH),    /* short_d16_hi */
  [0x1c] = STORE(4, WHOLE),        /* dword */
  [0x1d] = STORE(8, WHOLE),        /* dwordx2 */
  [0x1e] = STORE(12, WHOLE),       /* dwordx3 */
  [0x1f] = STORE(16, WHOLE),       /* dwordx4 */
  [0x20] = LOAD(1, 0, HALF_LOW),   /* ubyte_d16 */
  [0x21] = LOAD(1, 0, HALF_HIGH),  /* ubyte_d16_hi */
  [0x22] = LOAD(1, 1, HALF_LOW),   /* sbyte_d16 */
  [0x23] = LOAD(1, 1, HALF_HIGH),  /* sbyte_d16_hi */
  [0x24] = LOAD(2, 0, HALF_LOW),   /* short_d16 */
  [0x25] = LOAD(2, 0, HALF_HIGH),  /* short_d16_hi */
  [0x40] = ATOMIC(SWAP), ATOMIC(CMPSWAP), ATOMIC(ADD), ATOMIC(SUB),
  [0x44] = ATOMIC(SMIN), ATOMIC(UMIN), ATOMIC(SMAX), ATOMIC(UMAX),
  [0x48] = ATOMIC(AND), ATOMIC(OR), ATOMIC(XOR), ATOMIC(INC), ATOMIC(DEC),
  [0x4d] = ATOMIC(FADD), ATOMIC(PK_F16), ATOMIC_X2(FADD), ATOMIC_X2(FMIN),
  [0x51] = ATOMIC_X2(FMAX), ATOMIC(PK_BF16), ATOMIC(FMIN), ATOMIC(FMAX),
  [0x60] = ATOMIC_X2(SWAP), ATOMIC_X2(CMPSWAP), ATOMIC_X2(ADD),
  [0x63] = ATOMIC_X2(SUB), ATOMIC_X2(SMIN), ATOMIC_X2(UMIN),
  [0x66] = ATOMIC_X2(SMAX), ATOMIC_X2(UMAX), ATOMIC_X2(AND),
  [0x69] = ATOMIC_X2(OR), ATOMIC_X2(XOR), ATOMIC_X2(INC), ATOMIC_X2(DEC),
};

const struct memory_op *memory_op_find(unsigned op)
{
  return &ops[op & 127];
}

void memory_begin(struct wave *w, const struct memory_op *op, unsigned n,
                  int lds)
{
  struct access *a = &w->access;
  a->lanes = WAVE_EXEC(w);
  a->bytes = op->bytes;
  a->n = (uint8_t)n;
  a->load = op->kind == MEMORY_LOAD;
  a->store = op->kind == MEMORY_STORE;
  a->atomic = op->kind == MEMORY_ATOMIC;
  a->lds = (uint8_t)lds;
}

static int refuse(struct wave *w, unsigned l, unsigned bytes)
{
  unsigned long long at = w->access.addr[0][l];
  const char *what = w->access.store    ? "store to"
                     : w->access.atomic ? "atomic on"
                                        : "load from";
  if (w->access.atomic && at % bytes)
    wave_fault(w, FAULT_ADDRESS,
               "lane %u: atomic on 0x%llx, which is not a multiple of %u", l,
               at, bytes);
  else if (at - NO_HEAP < APERTURE_SIZE)
    wave_fault(w, FAULT_LAUNCH,
               "it looks for the heap of malloc in a kernel, of which the "
               "simulated device has none; allocate with hipMalloc");
  else
    wave_fault(w, FAULT_ADDRESS,
               "lane %u: %s 0x%llx (%u bytes) is outside every allocation; "
               "check the index and the buffer's size",
               l, what, at, bytes);
  return 0;
}

/* All 64 lanes inside [begin, last]? The sign of a difference tells, and
 * addresses of 2^63 and more fail the test as they should. */
static int all_inside(const uint64_t *addr, uint64_t begin, uint64_t last)
{
  uint64_t outside = 0;
  for (unsigned l = 0; l < LANES; l++)
    outside |= (addr[l] - begin) | (last - addr[l]) | addr[l];
  return !(outside >> 63);
}

int memory_check(struct wave *w, unsigned bytes)
{
  const struct access *a = &w->access;
  const struct arena *arena = w->group->dispatch->arena;
  uint64_t begin = 0, end = 0, odd = a->atomic ? bytes - 1 : 0;
  /* Mostly one buffer holds what all the lanes want. */
  if (a->lanes == ~(uint64_t)0 && !odd &&
      arena_block(arena, a->addr[0][0], &begin, &end, &w->hint) &&
      end - begin >= bytes && all_inside(a->addr[0], begin, end - bytes))
    return 1;
  unsigned l;
  FOR_LANES(l, a->lanes) {
    uint64_t at = a->addr[0][l];
    if (at - begin >= end - begin &&
        !arena_block(arena, at, &begin, &end, &w->hint))
      return refuse(w, l, bytes);
    if (end - at < bytes || at & odd)
      return refuse(w, l, bytes);
  }
  return 1;
}

static void move_atomic(struct wave *w, const struct inst *i,
                        const struct memory_op *op, uintptr_t base)
{
  unsigned data = vgpr(i->src[1]), first = data;
  w->access.load = (i->flags & INST_GLC) != 0;
  if (op->atomic == ATOMIC_CMPSWAP) /* the new value stands first */
    first += op->bytes / 4;
  atomic_apply(w, op, first, data, w->access.load ? i->dst : ATOMIC_DROP, 0,
               base);
}

void memory_move(struct wave *w, const struct inst *i,
                 const struct memory_op *op, uintptr_t base, unsigned step)
{
  if (i->flags & INST_ADDRESS)
    return;
  if (op->kind == MEMORY_ATOMIC)
    move_atomic(w, i, op, base);
  else if (op->kind == MEMORY_STORE)
    memory_store(w, op, vgpr(i->src[1]), 0, base, step);
  else
    memory_load(w, op, i->dst, 0, base, step);
}

exec_fn *memory_handler(const struct inst *i)
{
  switch (i->format) {
  case DS:
    return ds_handler(i);
  case FLAT:
  case GLOBAL:
  case SCRATCH:
    return flat_handler(i);
  case MUBUF:
  case MTBUF:
    return buffer_handler(i);
  }
  return NULL;
}
