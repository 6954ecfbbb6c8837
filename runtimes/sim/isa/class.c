/* class.c - the unit that executes an instruction, and the hardware counter
 * that it goes to. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/inst.h"

/* SOPP opcodes of branches for debuggers, GFX9. */
enum {S_CBRANCH_DBG_FIRST = 23, S_CBRANCH_DBG_LAST = 26};

static enum unit sopp_unit(unsigned op)
{
  int branch = op == S_BRANCH ||
               (op >= S_CBRANCH_FIRST && op <= S_CBRANCH_LAST) ||
               (op >= S_CBRANCH_DBG_FIRST && op <= S_CBRANCH_DBG_LAST);
  return branch ? UNIT_BRANCH : UNIT_OTHER;
}

enum unit inst_unit(const struct inst *i)
{
  static const uint8_t units[FORMAT_N] = {
      [SOP2] = UNIT_SALU,  [SOPK] = UNIT_SALU,  [SOP1] = UNIT_SALU,
      [SOPC] = UNIT_SALU,  [SMEM] = UNIT_SMEM,  [VOP1] = UNIT_VALU,
      [VOP2] = UNIT_VALU,  [VOPC] = UNIT_VALU,  [VOP3] = UNIT_VALU,
      [VOP3P] = UNIT_VALU, [VOPD] = UNIT_VALU,  [TENSOR] = UNIT_VMEM,
      [DS] = UNIT_LDS,     [FLAT] = UNIT_VMEM,
      [GLOBAL] = UNIT_VMEM, [SCRATCH] = UNIT_VMEM, [MUBUF] = UNIT_VMEM,
      [MTBUF] = UNIT_VMEM,
  };
  const struct op *o = inst_op(i);
  if (i->format != SOPP)
    return units[i->format];
  return o->way == WAY_LIKE ? sopp_unit(o->like) : UNIT_OTHER;
}

static enum op_class memory_count(const struct inst *i)
{
  enum op_class read = i->format == FLAT ? CLASS_FLAT_RD
                    : i->format == MUBUF || i->format == MTBUF
                        ? CLASS_BUFFER_RD
                        : CLASS_GLOBAL_RD;
  return inst_writes(i) ? read + 1 : read;
}

enum op_class inst_class(const struct inst *i)
{
  static const uint8_t counts[UNIT_N] = { /* ORDER UNIT */
      CLASS_VALU, CLASS_SALU, CLASS_SMEM, CLASS_LDS,
      CLASS_BUFFER_RD, CLASS_OTHER, CLASS_OTHER};
  return i->unit == UNIT_VMEM ? memory_count(i) : counts[i->unit];
}
