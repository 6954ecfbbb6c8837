/* ds.c - LDS reads, writes and atomics.
 *
 * An address is VGPR + offset, a 32-bit sum, then a byte of the group's LDS.
 * What lies outside is dropped by hardware and is a fault here, a mistake in
 * the program, unless the launch wants it as on a card; but for writes that no
 * LDS could hold, which rocBLAS's kernels use to turn lanes off (address
 * 0xf00000). Plain reads and writes may be unaligned, as in the mode that Linux
 * sets for compute (SH_MEM_CONFIG.alignment_mode = unaligned); atomics may not.
 * M0 does not bound LDS on GFX9.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/ds.h"

#include "runtimes/sim/run/async.h"
#include "runtimes/sim/run/atomic.h"
#include "runtimes/sim/run/dispatch.h"

static int inside(struct wave *w, unsigned k, unsigned l, unsigned bytes)
{
  const struct access *a = &w->access;
  uint64_t at = a->addr[k][l], size = w->group->lds_bytes;
  if (at + bytes > size) {
    wave_fault(w, FAULT_ADDRESS,
               "lane %u: LDS address 0x%llx (%u bytes) is outside the "
               "workgroup's %llu bytes; check the index and the dynamic LDS "
               "of the launch",
               l, (unsigned long long)at, bytes, (unsigned long long)size);
    return 0;
  }
  if (a->atomic && at % bytes) {
    wave_fault(w, FAULT_ADDRESS,
               "lane %u: atomic on LDS address 0x%llx, which is not a "
               "multiple of %u",
               l, (unsigned long long)at, bytes);
    return 0;
  }
  return 1;
}

/* Negative addresses are not meant: an index that went wrong. */
static int turned_off(const struct wave *w, unsigned k, unsigned l)
{
  const struct access *a = &w->access;
  return a->store && a->addr[k][l] >= w->code->isa->lds_most &&
         a->addr[k][l] <= INT32_MAX;
}

/* What an atomic returns that finds nothing. */
static void return_zero(struct wave *w, unsigned l, unsigned bytes)
{
  const struct inst *i = &w->code->code[w->at];
  int agpr = CODE_VGPR + i->dst >= CODE_AGPR; /* behind the VGPRs */
  unsigned first = agpr ? w->nv + CODE_VGPR + i->dst - CODE_AGPR : i->dst;
  for (unsigned k = 0; k < bytes / 4; k++)
    w->v[first + k][l] = 0;
}

/* As hardware does it: a load finds the zeros behind the LDS. */
static void drop(struct wave *w, unsigned k, unsigned l, unsigned bytes)
{
  struct access *a = &w->access;
  if (a->load && !a->atomic) {
    a->addr[k][l] = w->group->lds_bytes;
    return;
  }
  a->lanes &= ~((uint64_t)1 << l);
  if (a->load)
    return_zero(w, l, bytes);
}

static int beyond(const struct wave *w, unsigned k, unsigned l, unsigned bytes)
{
  return w->group->lds_open &&
         w->access.addr[k][l] + bytes > w->group->lds_bytes;
}

int lds_check(struct wave *w, unsigned k, unsigned bytes)
{
  struct access *a = &w->access;
  unsigned l;
  FOR_LANES(l, a->lanes)
    if (turned_off(w, k, l))
      a->lanes &= ~((uint64_t)1 << l);
    else if (beyond(w, k, l, bytes))
      drop(w, k, l, bytes);
    else if (!inside(w, k, l, bytes))
      return 0;
  return 1;
}

/* Address k of every lane; the check of single lanes only where the quick
 * one over all of them, active or not, finds something. Sizes are small: the
 * highest bit of an address or of what is left behind it tells. */
int ds_addresses(struct wave *w, unsigned v, uint32_t offset, unsigned bytes,
                 unsigned k)
{
  const uint32_t *from = w->v[v];
  uint64_t *to = w->access.addr[k];
  uint32_t last = w->group->lds_bytes - bytes, outside = last, any = 0;
  for (unsigned l = 0; l < LANES; l++) {
    uint32_t at = from[l] + offset;
    outside |= at | (last - at);
    any |= at;
    to[l] = at;
  }
  uint32_t odd = w->access.atomic ? any & (bytes - 1) : 0;
  return (!(outside >> 31 | odd) || lds_check(w, k, bytes)) &&
         (!w->group->async || async_check(w, k, bytes));
}

static void one(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ds_op_find(i->as)->move;
  memory_begin(w, op, 1, 1);
  if (ds_addresses(w, vgpr(i->src[0]), i->offset & 0xffff, op->bytes, 0))
    memory_move(w, i, op, (uintptr_t)w->group->lds, 4);
}

/* Both addresses of READ2, WRITE2, WRXCHG2 and their ST64 forms. */
static int two_addresses(struct wave *w, const struct inst *i,
                         const struct ds_op *op)
{
  uint32_t first = (i->offset & 255) * op->scale;
  uint32_t second = (i->offset >> 8 & 255) * op->scale;
  memory_begin(w, &op->move, 2, 1);
  return ds_addresses(w, vgpr(i->src[0]), first, op->move.bytes, 0) &&
         ds_addresses(w, vgpr(i->src[0]), second, op->move.bytes, 1);
}

static void two(struct wave *w, const struct inst *i)
{
  const struct ds_op *op = ds_op_find(i->as);
  unsigned n = op->move.bytes / 4;
  uintptr_t base = (uintptr_t)w->group->lds;
  if (!two_addresses(w, i, op) || i->flags & INST_ADDRESS)
    return;
  if (op->move.kind == MEMORY_LOAD) {
    memory_load(w, &op->move, i->dst, 0, base, 4);
    memory_load(w, &op->move, i->dst + n, 1, base, 4);
  } else {
    memory_store(w, &op->move, vgpr(i->src[1]), 0, base, 4);
    memory_store(w, &op->move, vgpr(i->src[2]), 1, base, 4);
  }
}

/* Bit 5 of these opcodes: the old value is returned. */
static int returns(const struct inst *i)
{
  return i->as >> 5 & 1;
}

static int turned(const struct inst *i, const struct memory_op *op)
{
  return op->atomic == ATOMIC_CMPSWAP && isa_at(i->isa)->compares_last;
}

static void atomic(struct wave *w, const struct inst *i)
{
  const struct memory_op *op = &ds_op_find(i->as)->move;
  int first = turned(i, op) ? 2 : 1;
  unsigned data = vgpr(i->src[first]);
  unsigned second = ds_op_find(i->as)->scale ? vgpr(i->src[3 - first]) : data;
  memory_begin(w, op, 1, 1);
  w->access.load = (uint8_t)returns(i);
  if (ds_addresses(w, vgpr(i->src[0]), i->offset & 0xffff, op->bytes, 0))
    atomic_apply(w, op, data, second, returns(i) ? i->dst : ATOMIC_DROP, 0,
                 (uintptr_t)w->group->lds);
}

/* WRXCHG2: the first exchange of a lane before its second. */
static void exchange_two(struct wave *w, const struct inst *i)
{
  const struct ds_op *op = ds_op_find(i->as);
  unsigned n = op->move.bytes / 4, a = vgpr(i->src[1]), b = vgpr(i->src[2]);
  uintptr_t base = (uintptr_t)w->group->lds;
  if (!two_addresses(w, i, op))
    return;
  w->access.load = 1;
  atomic_apply(w, &op->move, a, a, i->dst, 0, base);
  atomic_apply(w, &op->move, b, b, i->dst + n, 1, base);
}

#define READ(bytes) {one, {MEMORY_LOAD, bytes, 0, WHOLE, 0}, 0}
#define NARROW(bytes, sign, half) \
  {one, {MEMORY_LOAD, bytes, sign, half, 0}, 0}
#define READ2(bytes, scale) {two, {MEMORY_LOAD, bytes, 0, 0, 0}, scale}
#define WRITE(bytes, half) {one, {MEMORY_STORE, bytes, 0, half, 0}, 0}
#define WRITE2(bytes, scale) {two, {MEMORY_STORE, bytes, 0, 0, 0}, scale}
#define ATOM(bytes, name) \
  {atomic, {MEMORY_ATOMIC, bytes, 0, 0, ATOMIC_##name}, 0}
#define ATOM2(bytes, name) /* with a second operand in data1 */ \
  {atomic, {MEMORY_ATOMIC, bytes, 0, 0, ATOMIC_##name}, 1}
#define SWAP2(bytes, scale) \
  {exchange_two, {MEMORY_ATOMIC, bytes, 0, 0, ATOMIC_SWAP}, scale}

#define TRANSPOSED(bytes) \
  {ds_transposed, {MEMORY_LOAD, bytes, 0, WHOLE, 0}, 0}

/* The atomics stand in one order at 0x00, 0x20 (return), 0x40 and 0x60. */
#define ATOMICS(first, bytes) \
  [first] = ATOM(bytes, ADD), ATOM(bytes, SUB), ATOM(bytes, RSUB), \
  [first + 0x03] = ATOM(bytes, INC), ATOM(bytes, DEC), ATOM(bytes, SMIN), \
  [first + 0x06] = ATOM(bytes, SMAX), ATOM(bytes, UMIN), ATOM(bytes, UMAX), \
  [first + 0x09] = ATOM(bytes, AND), ATOM(bytes, OR), ATOM(bytes, XOR), \
  [first + 0x0c] = ATOM2(bytes, MSKOR), \
  [first + 0x10] = ATOM2(bytes, CMPSWAP), ATOM2(bytes, FCMPSWAP), \
  [first + 0x12] = ATOM(bytes, FMIN), ATOM(bytes, FMAX)

/* "Vega" 7 nm ISA, table of DS opcodes. */
static const struct ds_op ops[256] = {
  ATOMICS(0x00, 4),
  [0x0d] = WRITE(4, WHOLE), WRITE2(4, 4), WRITE2(4, 256),
  [0x14] = {ds_nothing, {0}, 0},
  [0x15] = ATOM(4, FADD),
  [0x17] = ATOM(4, PK_F16), ATOM(4, PK_BF16),
  [0x1d] = {ds_addtid, {MEMORY_STORE, 4, 0, WHOLE, 0}, 0},
  [0x1e] = WRITE(1, WHOLE), WRITE(2, WHOLE),
  ATOMICS(0x20, 4),
  [0x2d] = ATOM(4, SWAP), SWAP2(4, 4), SWAP2(4, 256),
  [0x34] = ATOM2(4, WRAP), ATOM(4, FADD),
  [0x36] = READ(4), READ2(4, 4), READ2(4, 256),
  [0x39] = NARROW(1, 1, WHOLE), NARROW(1, 0, WHOLE), NARROW(2, 1, WHOLE),
  [0x3c] = NARROW(2, 0, WHOLE),
  [0x3d] = {ds_swizzle, {0}, 0},
  [0x3e] = {ds_permute, {0}, 0},
  [0x3f] = {ds_bpermute, {0}, 0},
  ATOMICS(0x40, 8),
  [0x4d] = WRITE(8, WHOLE), WRITE2(8, 8), WRITE2(8, 512),
  [0x54] = WRITE(1, HALF_HIGH), WRITE(2, HALF_HIGH),
  [0x56] = NARROW(1, 0, HALF_LOW), NARROW(1, 0, HALF_HIGH),
  [0x58] = NARROW(1, 1, HALF_LOW), NARROW(1, 1, HALF_HIGH),
  [0x5a] = NARROW(2, 0, HALF_LOW), NARROW(2, 0, HALF_HIGH),
  [0x5c] = ATOM(8, FADD),
  ATOMICS(0x60, 8),
  [0x6d] = ATOM(8, SWAP), SWAP2(8, 8), SWAP2(8, 512),
  [0x76] = READ(8), READ2(8, 8), READ2(8, 512),
  [0x7c] = ATOM(8, FADD),
  [0x7e] = ATOM(8, CONDSWAP),
  [0xb6] = {ds_addtid, {MEMORY_LOAD, 4, 0, WHOLE, 0}, 0},
  [0xb7] = ATOM(4, PK_F16), ATOM(4, PK_BF16),
  [0xbd] = {ds_count, {MEMORY_ATOMIC, 4, 0, 0, ATOMIC_SUB}, 0},
  [0xbe] = {ds_count, {MEMORY_ATOMIC, 4, 0, 0, ATOMIC_ADD}, 0},
  [0xde] = WRITE(12, WHOLE), WRITE(16, WHOLE),
  [0xe0] = TRANSPOSED(8), TRANSPOSED(12), TRANSPOSED(8), TRANSPOSED(8),
  [0xfe] = READ(12), READ(16),
};

const struct ds_op *ds_op_find(unsigned op)
{
  return &ops[op & 255];
}

exec_fn *ds_handler(const struct inst *i)
{
  /* There is no global data share on this device. */
  return i->flags & INST_GDS || i->as > 255 ? NULL : ops[i->as].exec;
}
