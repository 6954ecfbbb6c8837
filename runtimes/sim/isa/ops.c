/* ops.c - the ops*.def as tables, one row an opcode. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/inst.h"

#include <string.h>

/* Where each format's rows start; the gaps are opcodes that do not exist. */
enum { /* ORDER FORMAT */
  AT_SOP2 = 0,
  AT_SOPK = AT_SOP2 + 128,
  AT_SOP1 = AT_SOPK + 32,
  AT_SOPC = AT_SOP1 + 256,
  AT_SOPP = AT_SOPC + 128,
  AT_SMEM = AT_SOPP + 128,
  AT_VOP1 = AT_SMEM + 256,
  AT_VOP2 = AT_VOP1 + 256,
  AT_VOPC = AT_VOP2 + 64,
  AT_VOP3 = AT_VOPC + 256,
  AT_VOP3P = AT_VOP3 + 1024,
  AT_VOPD = AT_VOP3P + 256,
  AT_TENSOR = AT_VOPD + 64,
  AT_DS = AT_TENSOR + 2,
  AT_FLAT = AT_DS + 256,
  AT_GLOBAL = AT_FLAT + 128,
  AT_SCRATCH = AT_GLOBAL + 128,
  AT_MUBUF = AT_SCRATCH + 128,
  AT_MTBUF = AT_MUBUF + 128,
  AT_END = AT_MTBUF + 16,
};

static const uint16_t start[FORMAT_N + 1] = {
    AT_SOP2, AT_SOPK, AT_SOP1,  AT_SOPC, AT_SOPP,   AT_SMEM,    AT_VOP1,
    AT_VOP2, AT_VOPC, AT_VOP3,  AT_VOP3P, AT_VOPD,  AT_TENSOR, AT_DS, AT_FLAT,
    AT_GLOBAL, AT_SCRATCH, AT_MUBUF, AT_MTBUF, AT_END,
};

/* The opcodes of GFX9 that others are executed as, by name. */
enum {
#define OP(format, op, name, ...) GFX9_##format##_##name = op,
#include "runtimes/sim/isa/ops.def"
#undef OP
#define LATER(format, prefix) /* that came after gfx906 */ \
  GFX9_##format##_##prefix##_atomic_add_f32 = 0x4d, \
  GFX9_##format##_##prefix##_atomic_pk_add_f16, \
  GFX9_##format##_##prefix##_atomic_add_f64, \
  GFX9_##format##_##prefix##_atomic_min_f64, \
  GFX9_##format##_##prefix##_atomic_max_f64, \
  GFX9_##format##_##prefix##_atomic_pk_add_bf16, \
  GFX9_##format##_##prefix##_atomic_min_f32, /* GFX12's */ \
  GFX9_##format##_##prefix##_atomic_max_f32,
  LATER(FLAT, flat) LATER(GLOBAL, global) LATER(MUBUF, buffer)
#undef LATER
  GFX9_DS_ds_pk_add_f16 = 0x17, GFX9_DS_ds_pk_add_bf16 = 0x18,
  GFX9_DS_ds_add_f64 = 0x5c, GFX9_DS_ds_add_rtn_f64 = 0x7c,
  GFX9_DS_ds_pk_add_rtn_f16 = 0xb7, GFX9_DS_ds_pk_add_rtn_bf16 = 0xb8,
};

#define SCALAR OP_SCALAR
#define CARRY OP_CARRY
#define MASK OP_MASK
#define MASK32 OP_MASK32
#define ROW(format, op, name, dst, a, b, c, way, like) \
  [AT_##format + (op)] = {#name, dst, {a, b, c}, 0, way, like},
#define OP(format, op, name, ...) \
  ROW(format, op, name, __VA_ARGS__, WAY_LIKE, op)
#define NAMED(format, op, name, ...) \
  ROW(format, op, name, __VA_ARGS__, WAY_NONE, op)
#define NEW(format, op, name, ...) \
  ROW(format, op, name, __VA_ARGS__, WAY_OWN, op)
#define AS(format, op, name, like, ...) \
  ROW(format, op, name, __VA_ARGS__, WAY_LIKE, LIKE_##format(like, op))
#define GONE(format, op) [AT_##format + (op)] = {.name = ""},
#define MATRIX(op, name, dst, a, b, c, ...) \
  [AT_VOP3P + (op)] = {#name, dst, {a, b, c}, OP_DENSE, WAY_LIKE, op},
#define SCALED(op, name, dst, a, b, c, ...) \
  [AT_VOP3P + (op)] = {#name, dst, {a, b, c}, OP_SCALED, WAY_LIKE, op},
#define SPARSE(op, name, dst, a, b, c, ...) \
  [AT_VOP3P + (op)] = {#name, dst, {a, b, c}, OP_SPARSE, WAY_LIKE, op},
/* Vector instructions are found by their names (run/vector/handler.c). */
#define LIKE_SOP2(name, op) GFX9_SOP2_##name
#define LIKE_SOPK(name, op) GFX9_SOPK_##name
#define LIKE_SOP1(name, op) GFX9_SOP1_##name
#define LIKE_SOPC(name, op) GFX9_SOPC_##name
#define LIKE_SOPP(name, op) GFX9_SOPP_##name
#define LIKE_SMEM(name, op) GFX9_SMEM_##name
#define LIKE_DS(name, op) GFX9_DS_##name
#define LIKE_FLAT(name, op) GFX9_FLAT_##name
#define LIKE_GLOBAL(name, op) GFX9_GLOBAL_##name
#define LIKE_SCRATCH(name, op) GFX9_SCRATCH_##name
#define LIKE_MUBUF(name, op) GFX9_MUBUF_##name
#define LIKE_VOP1(name, op) op
#define LIKE_VOP2(name, op) op
#define LIKE_VOPC(name, op) op
#define LIKE_VOP3(name, op) op
#define LIKE_VOP3P(name, op) op
#define LIKE_VOPD(name, op) op

/* By isa.index: what each architecture adds to those before it, or has no
 * more, which is a row with an empty name. */
static const struct op tables[ISAS][AT_END] = {
    {
#include "runtimes/sim/isa/ops.def"
    }, {
#include "runtimes/sim/isa/ops_gfx908.def"
    }, {
#include "runtimes/sim/isa/ops_gfx90a.def"
    }, {
#include "runtimes/sim/isa/ops_gfx942.def"
    }, {
#include "runtimes/sim/isa/ops_gfx950.def"
    }, {
#include "runtimes/sim/isa/ops_gfx1250.def"
    },
};

int op_table(const struct isa *isa, unsigned format, unsigned op)
{
  if (format >= FORMAT_N || op >= (unsigned)start[format + 1] - start[format])
    return -1;
  for (int n = isa->index; n >= isa->base; n--) {
    const char *name = tables[n][start[format] + op].name;
    if (name)
      return *name ? n : -1;
  }
  return -1;
}

const struct op *op_find(const struct isa *isa, unsigned format, unsigned op)
{
  int n = op_table(isa, format, op);
  return n < 0 ? NULL : &tables[n][start[format] + op];
}

const struct op *inst_op(const struct inst *i)
{
  return op_find(isa_at(i->isa), i->format, i->op);
}

const char *inst_name(const struct inst *i)
{
  const struct op *o = inst_op(i);
  return o ? o->name : "?";
}

static int is_atomic(const struct inst *i)
{
  return strstr(inst_name(i), "_atomic_") != NULL;
}

unsigned inst_result_width(const struct inst *i)
{
  const struct op *o = inst_op(i);
  if (i->flags & INST_LDS || (is_atomic(i) && !(i->flags & INST_GLC)))
    return 0;
  if (i->format < MUBUF)
    return o->dst;
  if (strstr(o->name, "_store_"))
    return 0;
  return strstr(o->name, "_cmpswap") ? o->src[1] / 2u : o->src[1];
}

int inst_two_offsets(const struct inst *i)
{
  const char *name = inst_name(i);
  return strstr(name, "read2") || strstr(name, "write2") ||
         strstr(name, "wrxchg2");
}

int inst_writes(const struct inst *i)
{
  const char *name = inst_name(i);
  return strstr(name, "_store_") || strstr(name, "_atomic_");
}
