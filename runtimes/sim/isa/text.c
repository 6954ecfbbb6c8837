/* text.c - see text.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/isa/text.h"

#include <stdarg.h>
#include <stdio.h>

struct out {
  char *at;
  size_t room;
  unsigned operands;
};

__attribute__((format(printf, 2, 3)))
static void put(struct out *o, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int n = vsnprintf(o->at, o->room, format, args);
  va_end(args);
  size_t used = n < 0 ? 0 : (size_t)n < o->room ? (size_t)n : o->room - 1;
  o->at += used;
  o->room -= used;
}

static void next(struct out *o)
{
  put(o, o->operands++ ? ", " : " ");
}

/* --- operands ------------------------------------------------------------- */

static void put_registers(struct out *o, const char *file, unsigned first,
                          unsigned width)
{
  if (width > 1)
    put(o, "%s[%u:%u]", file, first, first + width - 1);
  else
    put(o, "%s%u", file, first);
}

/* Pairs with names, and their halves. */
static void put_special(struct out *o, unsigned code, unsigned width)
{
  static const struct {
    uint8_t code;
    const char *name;
  } pairs[] = {{CODE_FLAT_SCRATCH, "flat_scratch"},
               {CODE_XNACK_MASK, "xnack_mask"},
               {CODE_VCC, "vcc"},
               {CODE_EXEC, "exec"}};
  for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
    if (code - pairs[n].code < 2) {
      put(o, "%s%s", pairs[n].name,
          width > 1 ? "" : code & 1 ? "_hi" : "_lo");
      return;
    }
  if (code == CODE_M0)
    put(o, "m0");
  else
    put_registers(o, "ttmp", code - CODE_TTMP0, width);
}

static void put_constant(struct out *o, const struct inst *i, unsigned code)
{
  static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0",
                                       "-2.0", "4.0", "-4.0",
                                       "0.15915494309189532"};
  static const char *const bases[] = {
      "src_shared_base", "src_shared_limit", "src_private_base",
      "src_private_limit", "src_pops_exiting_wave_id"};
  static const char *const bits[] = {"src_vccz", "src_execz", "src_scc"};
  if (code == CODE_LITERAL)
    put(o, "0x%x", i->literal);
  else if (code >= CODE_VCCZ)
    put(o, "%s", bits[code - CODE_VCCZ]);
  else if (code >= CODE_FLOAT)
    put(o, "%s", floats[code - CODE_FLOAT]);
  else if (code >= CODE_SHARED_BASE)
    put(o, "%s", bases[code - CODE_SHARED_BASE]);
  else
    put(o, "%d", code <= CODE_INLINE + 64 ? (int)code - CODE_INLINE
                                          : CODE_INLINE + 64 - (int)code);
}

static void put_operand(struct out *o, const struct inst *i, unsigned code,
                        unsigned width)
{
  if (code >= CODE_AGPR)
    put_registers(o, "a", code - CODE_AGPR, width);
  else if (code >= CODE_VGPR)
    put_registers(o, "v", code - CODE_VGPR, width);
  else if (code >= CODE_INLINE)
    put_constant(o, i, code);
  else if (code >= CODE_FLAT_SCRATCH)
    put_special(o, code, width);
  else
    put_registers(o, "s", code, width);
}

static void operand(struct out *o, const struct inst *i, unsigned code,
                    unsigned width)
{
  if (!width)
    return;
  next(o);
  put_operand(o, i, code, width);
}

/* --- formats -------------------------------------------------------------- */

static void source(struct out *o, const struct inst *i, int n, unsigned width)
{
  int abs = i->format != VOP3P && i->abs >> n & 1;
  if (!width)
    return;
  next(o);
  put(o, "%s%s", i->format != VOP3P && i->neg >> n & 1 ? "-" : "",
      abs ? "|" : "");
  put_operand(o, i, i->src[n], width);
  put(o, "%s", abs ? "|" : "");
}

static void vector(struct out *o, const struct inst *i, const struct op *p)
{
  int scalar = p->dst & OP_SCALAR;
  if (i->format == VOPC)
    operand(o, i, i->sdst, 2);
  else
    operand(o, i, i->dst + (scalar ? 0u : CODE_VGPR), p->dst & OP_WIDTH);
  if (i->format != VOPC &&
      (p->dst & OP_CARRY || (i->format == VOP2 && i->sdst)))
    operand(o, i, i->sdst, 2);
  for (int n = 0; n < 3; n++)
    source(o, i, n, p->src[n] == OP_MASK ? 2 : inst_source_width(i, n) & OP_WIDTH);
  if (inst_scaled(i)) {
    operand(o, i, i->srsrc, 1);
    operand(o, i, i->sdst, 1);
  }
  if (i->format == VOP2 && i->src[2] == CODE_VCC)
    put(o, ", vcc");
  put(o, "%s%s%s", i->flags & INST_CLAMP ? " clamp" : "",
      i->flags & INST_SDWA ? " sdwa" : "", i->flags & INST_DPP ? " dpp" : "");
}

static void scalar(struct out *o, const struct inst *i, const struct op *p)
{
  operand(o, i, i->dst, p->dst & OP_WIDTH);
  operand(o, i, i->src[0], i->format == SOPK ? 0 : p->src[0] & OP_WIDTH);
  operand(o, i, i->src[1], i->format == SOPK ? 0 : p->src[1] & OP_WIDTH);
  if (i->format == SOPK) {
    next(o);
    put(o, "0x%x", (unsigned)i->imm & 0xffff);
  }
}

static void waitcnt(struct out *o, struct waitcnt w)
{
  const struct {
    const char *name;
    unsigned value, most;
  } counters[] = {{"vmcnt", w.vm, 63}, {"expcnt", w.exp, 7}, {"lgkmcnt", w.lgkm, 15}};
  for (int n = 0; n < 3; n++)
    if (counters[n].value < counters[n].most)
      put(o, " %s(%u)", counters[n].name, counters[n].value);
}

static void program(struct out *o, const struct inst *i)
{
  if (i->op == S_WAITCNT)
    waitcnt(o, inst_waitcnt(i));
  else if (i->unit == UNIT_BRANCH)
    put(o, " %d", 4 * i->imm);
  else if (i->imm)
    put(o, " %d", i->imm);
}

static void smem(struct out *o, const struct inst *i, const struct op *p)
{
  operand(o, i, i->dst, p->dst & OP_WIDTH);
  operand(o, i, i->srsrc, p->src[0]);
  if (!p->src[0])
    return;
  if (i->flags & INST_SOFFSET)
    operand(o, i, i->src[2], 1);
  if (i->flags & INST_IMM || !(i->flags & INST_SOFFSET)) {
    next(o);
    put(o, "0x%x", (unsigned)i->imm);
  }
}

static void ds(struct out *o, const struct inst *i, const struct op *p)
{
  operand(o, i, CODE_VGPR + i->dst, p->dst);
  for (int n = 0; n < 3; n++)
    operand(o, i, i->src[n], p->src[n]);
  if (inst_two_offsets(i)) {
    if (i->offset & 255)
      put(o, " offset0:%u", i->offset & 255);
    if (i->offset >> 8 & 255)
      put(o, " offset1:%u", i->offset >> 8 & 255);
  } else if (i->offset & 0xffff) {
    put(o, " offset:%u", i->offset & 0xffff);
  }
}

static void flat(struct out *o, const struct inst *i, const struct op *p)
{
  int saddr = i->flags & INST_SADDR;
  unsigned address = inst_source_width(i, 0);
  operand(o, i, CODE_VGPR + i->dst, inst_result_width(i));
  if (address)
    operand(o, i, i->src[0], address);
  operand(o, i, i->src[1], p->src[1]);
  if (saddr)
    operand(o, i, i->src[2], i->format == SCRATCH ? 1 : 2);
  else if (i->format != FLAT)
    put(o, ", off");
  if (i->imm)
    put(o, " offset:%d", i->imm);
}

static void buffer(struct out *o, const struct inst *i, const struct op *p)
{
  if (!p->src[1])
    return;
  operand(o, i, i->src[1], inst_source_width(i, 1));
  unsigned address = inst_source_width(i, 0);
  if (address)
    operand(o, i, i->src[0], address);
  else
    put(o, "%s", o->operands ? ", off" : " off");
  operand(o, i, i->srsrc, 4);
  operand(o, i, i->src[2], 1);
  put(o, "%s%s", i->flags & INST_IDXEN ? " idxen" : "",
      i->flags & INST_OFFEN ? " offen" : "");
  if (i->imm)
    put(o, " offset:%d", i->imm);
}

static void tensor(struct out *o, const struct inst *i, const struct op *p)
{
  operand(o, i, i->src[0], p->src[0]);
  operand(o, i, i->src[1], p->src[1]);
  if (i->src[2] == CODE_NULL && i->srsrc == CODE_NULL)
    return;
  operand(o, i, i->src[2], p->src[2]);
  operand(o, i, i->srsrc, p->src[2]);
}

static void operands(struct out *o, const struct inst *i, const struct op *p)
{
  switch (i->format) {
  case SOPP:
    program(o, i);
    break;
  case SMEM:
    smem(o, i, p);
    break;
  case TENSOR:
    tensor(o, i, p);
    break;
  case DS:
    ds(o, i, p);
    break;
  case FLAT:
  case GLOBAL:
  case SCRATCH:
    flat(o, i, p);
    break;
  case MUBUF:
  case MTBUF:
    buffer(o, i, p);
    break;
  default:
    if (i->format < VOP1)
      scalar(o, i, p);
    else
      vector(o, i, p);
  }
}

void inst_text(const struct inst *i, char *to, size_t room)
{
  struct out o = {to, room, 0};
  const struct op *p = inst_op(i);
  put(&o, "%s", inst_name(i));
  if (!p || !i->legal)
    return;
  operands(&o, i, p);
  if (i->format < FLAT)
    return;
  put(&o, "%s%s%s", i->flags & INST_GLC ? " glc" : "",
      i->flags & INST_SLC ? " slc" : "", i->flags & INST_LDS ? " lds" : "");
}
