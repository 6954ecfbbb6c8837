/* ops.c - ops.def as a table, one row an opcode. */
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
  AT_DS = AT_VOP3P + 128,
  AT_FLAT = AT_DS + 256,
  AT_GLOBAL = AT_FLAT + 128,
  AT_SCRATCH = AT_GLOBAL + 128,
  AT_MUBUF = AT_SCRATCH + 128,
  AT_MTBUF = AT_MUBUF + 128,
  AT_END = AT_MTBUF + 16,
};

static const uint16_t start[FORMAT_N + 1] = {
    AT_SOP2, AT_SOPK, AT_SOP1,  AT_SOPC, AT_SOPP,   AT_SMEM,    AT_VOP1,
    AT_VOP2, AT_VOPC, AT_VOP3,  AT_VOP3P, AT_DS,    AT_FLAT,    AT_GLOBAL,
    AT_SCRATCH, AT_MUBUF, AT_MTBUF, AT_END,
};

#define SCALAR OP_SCALAR
#define CARRY OP_CARRY
#define MASK OP_MASK
#define OP(format, op, name, dst, a, b, c) \
  [AT_##format + (op)] = {#name, dst, {a, b, c}},
static const struct op ops[AT_END] = {
#include "runtimes/sim/isa/ops.def"
};

const struct op *op_find(unsigned format, unsigned op)
{
  if (format >= FORMAT_N || op >= (unsigned)start[format + 1] - start[format])
    return NULL;
  const struct op *o = &ops[start[format] + op];
  return o->name ? o : NULL;
}

const char *inst_name(const struct inst *i)
{
  const struct op *o = op_find(i->format, i->op);
  return o ? o->name : "?";
}

int inst_writes(const struct inst *i)
{
  const char *name = inst_name(i);
  return strstr(name, "_store_") || strstr(name, "_atomic_");
}
