/* handler.c - which function executes an instruction. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/operand.h"

/* Definitions stand in the files by topic, under the names of ops.def. */
#define DECLARE(name) extern const struct vop VEC(name);
#define OP(format, code, name, ...) DECLARE_##format(name)
#define AS(format, code, name, like, ...) DECLARE_##format(like)
#define DECLARE_SOP2(name)
#define DECLARE_SOPK(name)
#define DECLARE_SOP1(name)
#define DECLARE_SOPC(name)
#define DECLARE_SOPP(name)
#define DECLARE_SMEM(name)
#define DECLARE_VOP1(name) DECLARE(name)
#define DECLARE_VOP2(name) DECLARE(name)
#define DECLARE_VOPC(name) DECLARE(name)
#define DECLARE_VOP3(name) DECLARE(name)
#define DECLARE_VOP3P(name) DECLARE(name)
#define DECLARE_VOPD(name) DECLARE(name)
#define DECLARE_DS(name)
#define DECLARE_FLAT(name)
#define DECLARE_GLOBAL(name)
#define DECLARE_SCRATCH(name)
#define DECLARE_MUBUF(name)
#define DECLARE_MTBUF(name)
#define NAMED(...)
#define NEW(...)
#define GONE(...)
#define MATRIX(...)
#define SPARSE(...)
#define SCALED(...)
#include "runtimes/sim/isa/ops.def"
#include "runtimes/sim/isa/ops_gfx908.def"
#include "runtimes/sim/isa/ops_gfx90a.def"
#include "runtimes/sim/isa/ops_gfx942.def"
#include "runtimes/sim/isa/ops_gfx950.def"
#include "runtimes/sim/isa/ops_gfx1250.def"
#undef OP
#undef AS

enum {CODES = 1024};

#define OP(format, code, name, ...) ROW_##format(code, name)
#define AS(format, code, name, like, ...) ROW_##format(code, like)
#define ENTRY(format, code, name) [format - VOP1][code] = &VEC(name),
#define ROW_SOP2(code, name)
#define ROW_SOPK(code, name)
#define ROW_SOP1(code, name)
#define ROW_SOPC(code, name)
#define ROW_SOPP(code, name)
#define ROW_SMEM(code, name)
#define ROW_VOP1(code, name) ENTRY(VOP1, code, name)
#define ROW_VOP2(code, name) ENTRY(VOP2, code, name)
#define ROW_VOPC(code, name) ENTRY(VOPC, code, name)
#define ROW_VOP3(code, name) ENTRY(VOP3, code, name)
#define ROW_VOP3P(code, name) ENTRY(VOP3P, code, name)
#define ROW_VOPD(code, name) ENTRY(VOPD, code, name)
#define ROW_DS(code, name)
#define ROW_FLAT(code, name)
#define ROW_GLOBAL(code, name)
#define ROW_SCRATCH(code, name)
#define ROW_MUBUF(code, name)
#define ROW_MTBUF(code, name)

/* By the architecture that brought the opcode (op_table()). */
static const struct vop *const table[ISAS][VOPD - VOP1 + 1][CODES] = {
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
#undef OP
#undef AS

static int is_modified(const struct inst *i, const struct vop *op)
{
  if (op->flags & V_KEEP || op->src[0] == M16)
    return 1;
  if (VEC(type_half)(op->dst) && isa_at(i->isa)->keeps_half)
    return 1;
  const unsigned all = (1u << op->n) - 1;
  if (i->flags & (INST_SDWA | INST_DPP | INST_CLAMP))
    return 1;
  if (i->format == VOP3P && (i->opselhi & all) != all)
    return 1;
  return i->neg || i->abs || i->omod || i->opsel;
}

static int is_vgpr(const struct inst *i, const struct vop *op, int first)
{
  const int n = op->n - !!(op->flags & V_ACC);
  for (int k = first; k < n; k++)
    if (i->src[k] < CODE_VGPR)
      return 0;
  return 1;
}

/* SDWA and DPP are for operands of 32 bits and less, and one DPP for those of 64. */
static int is_possible(const struct inst *i, const struct vop *op)
{
  enum {ROW_NEWBCAST = 0x15};
  if (!(i->flags & (INST_SDWA | INST_DPP)))
    return 1;
  if (i->flags & INST_DPP && i->dpp >> 4 == ROW_NEWBCAST && !(op->flags & V_ALONE))
    return 1;
  int words = VEC(type_words)(op->dst);
  for (int n = 0; n < op->n; n++)
    words |= VEC(type_words)(op->src[n]);
  return words <= 1 && !(op->flags & V_ALONE);
}

exec_fn *VEC(vector_handler)(const struct inst *i)
{
  if (i->format < VOP1 || i->format > VOPD || i->op >= CODES)
    return NULL;
  const int from = op_table(isa_at(i->isa), i->format, i->op);
  if (from < 0)
    return NULL;
  const struct vop *op = table[from][i->format - VOP1][i->op];
  if (!op || !is_possible(i, op))
    return NULL;
  if (!op->plain || is_modified(i, op))
    return op->exec;
  if (op->vv && is_vgpr(i, op, 0))
    return op->vv;
  if (op->sv && is_vgpr(i, op, 1))
    return op->sv;
  return op->plain;
}
