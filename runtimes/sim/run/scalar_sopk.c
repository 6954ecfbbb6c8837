/* scalar_sopk.c - scalar instructions with a 16-bit constant, and the
 * hardware registers. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/scalar.h"

#include "runtimes/sim/run/cluster.h"
#include "runtimes/sim/run/dispatch.h"

static void s_movk_i32(struct wave *w, const struct inst *i)
{
  w->s[i->dst] = (uint32_t)i->imm;
}

static void s_cmovk_i32(struct wave *w, const struct inst *i)
{
  if (w->scc)
    w->s[i->dst] = (uint32_t)i->imm;
}

#define CMPK(name, type, constant, operator) \
  static void s_cmpk_##name(struct wave *w, const struct inst *i) \
  { \
    w->scc = (type)w->s[i->dst] operator (type)(constant)i->imm; \
  }
CMPK(eq_i32, int32_t, int16_t, ==)
CMPK(lg_i32, int32_t, int16_t, !=)
CMPK(gt_i32, int32_t, int16_t, >)
CMPK(ge_i32, int32_t, int16_t, >=)
CMPK(lt_i32, int32_t, int16_t, <)
CMPK(le_i32, int32_t, int16_t, <=)
CMPK(eq_u32, uint32_t, uint16_t, ==)
CMPK(lg_u32, uint32_t, uint16_t, !=)
CMPK(gt_u32, uint32_t, uint16_t, >)
CMPK(ge_u32, uint32_t, uint16_t, >=)
CMPK(lt_u32, uint32_t, uint16_t, <)
CMPK(le_u32, uint32_t, uint16_t, <=)

static void s_addk_i32(struct wave *w, const struct inst *i)
{
  int32_t r;
  w->scc = __builtin_add_overflow((int32_t)w->s[i->dst], i->imm, &r);
  w->s[i->dst] = (uint32_t)r;
}

static void s_mulk_i32(struct wave *w, const struct inst *i)
{
  w->s[i->dst] *= (uint32_t)i->imm;
}

static void s_call_b64(struct wave *w, const struct inst *i)
{
  write64(w, i->dst, scalar_pc(w));
  scalar_branch(w, i->imm);
}

/* --- hardware registers: id in bits 5:0, first bit 10:6, width - 1 15:11 -- */

enum { HW_MODE = 1, HW_STATUS, HW_TRAPSTS, HW_ID, HW_GPR_ALLOC, HW_LDS_ALLOC,
       HW_IB_STS, HW_SH_MEM_BASES = 15, HW_IB_STS2 = 28 };

static uint32_t status(const struct wave *w)
{
  const struct group *g = w->group;
  return (w->status & ~0x1e01u) | w->scc | (WAVE_EXEC(w) == 0) << 9 |
         !wave_vcc_any(w) << 10 | (g->nwaves > 1) << 11;
}

/* SIMD, and as wave slot its place there; the rest (CU, SE) is not known. */
static uint32_t hw_id(const struct wave *w)
{
  return (w->index >> 2 & 15) | w->simd << 4;
}

static uint32_t gpr_alloc(const struct wave *w)
{
  return (w->nv / 4 - 1) << 8 | (w->ns / 8 - 1) << 24;
}

static uint32_t lds_alloc(const struct wave *w)
{
  return (w->group->lds_bytes + 511) / 512 << 12;
}

/* 1, or 0 with a fault: no such register here. */
static int hw_read(struct wave *w, unsigned id, uint32_t *value)
{
  switch (id) {
  case HW_MODE: *value = w->mode; return 1;
  case HW_STATUS: *value = status(w); return 1;
  case HW_TRAPSTS: *value = w->trapsts; return 1;
  case HW_ID: *value = hw_id(w); return 1;
  case HW_GPR_ALLOC: *value = gpr_alloc(w); return 1;
  case HW_LDS_ALLOC: *value = lds_alloc(w); return 1;
  case HW_IB_STS: *value = 0; return 1; /* nothing is ever outstanding */
  case HW_IB_STS2: *value = cluster_status(w); return 1;
  case HW_SH_MEM_BASES: *value = SH_MEM_BASES; return 1;
  }
  wave_fault(w, FAULT_LAUNCH, "hardware register %u is not simulated", id);
  return 0;
}

static uint32_t field_mask(const struct inst *i)
{
  return (uint32_t)(((uint64_t)2 << (i->imm >> 11 & 31)) - 1);
}

static void s_getreg_b32(struct wave *w, const struct inst *i)
{
  uint32_t value;
  if (hw_read(w, i->imm & 63, &value))
    w->s[i->dst] = value >> (i->imm >> 6 & 31) & field_mask(i);
}

/* STATUS and the others ignore what is written to them in user mode. */
static void set_register(struct wave *w, const struct inst *i, uint32_t value)
{
  unsigned id = i->imm & 63, first = i->imm >> 6 & 31;
  uint32_t old, mask = field_mask(i) << first;
  if (!hw_read(w, id, &old))
    return;
  uint32_t new = (old & ~mask) | (value << first & mask);
  if (id == HW_MODE)
    w->mode = new;
  if (id == HW_TRAPSTS)
    w->trapsts = new;
}

static void s_setreg_b32(struct wave *w, const struct inst *i)
{
  set_register(w, i, w->s[i->dst]);
}

static void s_setreg_imm32_b32(struct wave *w, const struct inst *i)
{
  set_register(w, i, i->literal);
}

exec_fn *const sopk_handlers[32] = {
    [0x00] = s_movk_i32,    [0x01] = s_cmovk_i32,
    [0x02] = s_cmpk_eq_i32, [0x03] = s_cmpk_lg_i32,
    [0x04] = s_cmpk_gt_i32, [0x05] = s_cmpk_ge_i32,
    [0x06] = s_cmpk_lt_i32, [0x07] = s_cmpk_le_i32,
    [0x08] = s_cmpk_eq_u32, [0x09] = s_cmpk_lg_u32,
    [0x0a] = s_cmpk_gt_u32, [0x0b] = s_cmpk_ge_u32,
    [0x0c] = s_cmpk_lt_u32, [0x0d] = s_cmpk_le_u32,
    [0x0e] = s_addk_i32,    [0x0f] = s_mulk_i32,
    [0x11] = s_getreg_b32,  [0x12] = s_setreg_b32,
    [0x14] = s_setreg_imm32_b32, [0x15] = s_call_b64,
};
