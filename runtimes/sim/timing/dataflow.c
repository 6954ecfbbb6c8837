/* dataflow.c - see dataflow.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/dataflow.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* VISITS: of a step by a trace, at most: with no lanes, those of an SGPR, and any. */
enum {CODES = CODE_AGPR + 256, VISITS = 3};

/* A register that step `at` reads. */
struct dataflow_use {
  uint32_t at;
  unsigned reg;
};

/* Where a trace has come to, going back. lanes: which may be on where the register is
 * read and off here: those of an SGPR, as it is restored later, DATAFLOW_ANY or
 * DATAFLOW_NONE. */
struct dataflow_place {
  uint32_t at;
  unsigned char lanes;
};

/* From a step; next: another one to the same place, plus 1. */
struct dataflow_jump {
  uint32_t from, next;
};

static int is_in(struct dataflow_span s, unsigned reg)
{
  return reg - s.first < s.width;
}

static int is_maker(const struct dataflow *f, const struct inst *i)
{
  return f->makers >> i->unit & 1;
}

/* --- what an instruction writes and reads --------------------------------- */

/* A comparison, a lane that is read back, a carry; what the scalar unit makes. */
static struct dataflow_span scalar_result(const struct inst *i, const struct op *o)
{
  unsigned width = o->dst & OP_WIDTH;
  if (i->unit == UNIT_SALU || i->unit == UNIT_SMEM || o->dst & OP_SCALAR)
    return (struct dataflow_span){i->dst, width};
  if (i->format == VOPC || o->dst & OP_CARRY || (i->format == VOP2 && i->sdst))
    return (struct dataflow_span){i->sdst, DATAFLOW_MASK};
  return (struct dataflow_span){0, 0};
}

static struct dataflow_span vector_result(const struct inst *i, const struct op *o)
{
  unsigned first = CODE_VGPR + i->dst;
  if (i->unit == UNIT_LDS || i->unit == UNIT_VMEM)
    return (struct dataflow_span){first, inst_result_width(i)};
  if (i->unit != UNIT_VALU || o->dst & OP_SCALAR || i->format == VOPC)
    return (struct dataflow_span){0, 0};
  return (struct dataflow_span){first, o->dst & OP_WIDTH};
}

int dataflow_begins(const struct inst *i, const char *const *with, size_t n)
{
  const char *name = inst_name(i);
  while (n--)
    if (!strncmp(name, with[n], strlen(with[n])))
      return 1;
  return 0;
}

/* May it leave one half of a register alone? Of 16 bits, those do that VOP3 alone has. */
static int writes_half(const struct inst *i)
{
  enum {OPSEL_HIGH = 8, VOP3_ALONE = 0x1c0};
  const char *name = inst_name(i);
  return strstr(name, "_mix") || i->opsel & OPSEL_HIGH || isa_at(i->isa)->keeps_half ||
         (strstr(name, "16") && i->format == VOP3 && i->op >= VOP3_ALONE) ||
         (i->flags & INST_SDWA && i->dsel != SEL_DWORD);
}

/* Those that compute addresses, mostly, and loads. v_fmac reads its destination; DPP
 * leaves lanes alone that have no source. */
static int is_whole(const struct inst *i)
{
  static const char *const whole[] = {
      "v_add", "v_sub", "v_mul", "v_mad_", "v_fma_", "v_lsh", "v_ashrrev", "v_and_",
      "v_or", "v_xor", "v_mov_b32", "v_min", "v_max", "v_bfe", "v_bfi", "v_cndmask",
      "v_cvt_f32_", "v_cvt_i32_", "v_cvt_u32_", "v_mbcnt", "v_xad", "ds_read",
      "global_load", "buffer_load", "scratch_load",
  };
  return !(i->flags & INST_DPP) && !writes_half(i) && DATAFLOW_BEGINS(i, whole);
}

static int reads_other_lanes(const struct inst *i)
{
  static const char *const across[] = {
      "v_readlane", "v_readfirstlane", "v_permlane", "ds_bpermute", "ds_permute",
      "ds_swizzle", "v_mfma", "v_smfmac",
  };
  return i->flags & (INST_DPP | INST_DPP8) || DATAFLOW_BEGINS(i, across);
}

int dataflow_writes_exec(const struct inst *i, struct dataflow_span scalar)
{
  return strstr(inst_name(i), "exec_") || !strncmp(inst_name(i), "v_cmpx", 6) ||
         (scalar.first <= CODE_EXEC + 1 && scalar.first + scalar.width > CODE_EXEC);
}

static const char *const narrow_saves[] = {"s_and_saveexec_b64", "s_andn1_saveexec_b64"};

/* Of what writes EXEC. A comparison's lanes are some of those that are on. */
static int narrows(const struct inst *i, struct dataflow_span scalar)
{
  const char *name = inst_name(i);
  int both = !strcmp(name, "s_and_b64"), first = both || !strcmp(name, "s_andn2_b64");
  return (i->unit == UNIT_VALU && scalar.width == DATAFLOW_MASK) ||
         DATAFLOW_BEGINS(i, narrow_saves) || (first && i->src[0] == CODE_EXEC) ||
         (both && i->src[1] == CODE_EXEC);
}

/* The SGPR whose lanes it may turn on. */
static unsigned widens(const struct inst *i, struct dataflow_span scalar)
{
  const char *name = inst_name(i);
  if (!dataflow_writes_exec(i, scalar) || narrows(i, scalar))
    return DATAFLOW_NONE;
  int second = !strcmp(name, "s_or_b64") && i->src[0] == CODE_EXEC;
  unsigned from = i->src[second];
  int restores = second || !strcmp(name, "s_mov_b64") ||
                 (!strcmp(name, "s_or_b64") && i->src[1] == CODE_EXEC);
  return restores && from < CODE_EXEC ? from : DATAFLOW_ANY;
}

static int writes(const struct dataflow_step *p, unsigned reg)
{
  return is_in(p->scalar, reg) || is_in(p->vector, reg);
}

static void need_one(struct dataflow *f, uint32_t at, unsigned reg)
{
  if (reg >= CODES || !f->made[reg])
    return;
  if (f->nuses == f->uses_room) {
    f->uses_room = f->uses_room ? 2 * f->uses_room : 64;
    f->uses = mem_resize(f->uses, f->uses_room * sizeof *f->uses);
  }
  f->uses[f->nuses++] = (struct dataflow_use){at, reg};
}

void dataflow_need(struct dataflow *f, uint32_t at, unsigned code, unsigned width)
{
  int constant = code >= CODE_INLINE && code < CODE_VGPR;
  for (unsigned n = 0; n < width && !constant; n++)
    need_one(f, at, code + n);
}

/* What a buffer's load writes stands where a store has its source. */
static unsigned source_width(const struct inst *i, int n)
{
  int buffer = i->format == MUBUF || i->format == MTBUF;
  return buffer && n == 1 && !inst_writes(i) ? 0 : inst_source_width(i, n);
}

static int reads_scalar_result(const struct inst *i)
{
  static const char *const some[] = {"s_cmov_", "s_bitset"};
  return (i->format == SOPK && strcmp(inst_name(i), "s_movk_i32")) ||
         DATAFLOW_BEGINS(i, some);
}

static int reads_vector_result(const struct inst *i)
{
  static const char *const sums[] = {"v_fmac", "v_mac", "v_pk_fmac", "v_dot2c", "v_dot4c",
                                     "v_dot8c"};
  return DATAFLOW_BEGINS(i, sums);
}

static void need_sources(struct dataflow *f, uint32_t at, enum dataflow_part part)
{
  const struct inst *i = f->steps[at].i;
  for (int n = 0; n < 3; n++) {
    unsigned width = source_width(i, n);
    dataflow_need(f, at, i->src[n], part == DATAFLOW_LOWER && width == 2 ? 1 : width);
  }
  if (reads_scalar_result(i))
    dataflow_need(f, at, i->dst, inst_op(i)->dst & OP_WIDTH);
  if (reads_vector_result(i))
    dataflow_need(f, at, CODE_VGPR + i->dst, inst_op(i)->dst & OP_WIDTH);
  if (inst_scaled(i)) {
    dataflow_need(f, at, i->srsrc, 1);
    dataflow_need(f, at, i->sdst, 1);
  }
  if ((i->format == VOP2 && i->src[2] == CODE_VCC) ||
      !strncmp(inst_name(i), "v_div_fmas", 10))
    dataflow_need(f, at, CODE_VCC, DATAFLOW_MASK);
}

void dataflow_need_scalars(struct dataflow *f, uint32_t at)
{
  enum {S_CBRANCH_VCCZ = 6, S_CBRANCH_VCCNZ = 7};
  const struct inst *i = f->steps[at].i;
  if (i->unit == UNIT_BRANCH) {
    if (i->op == S_CBRANCH_VCCZ || i->op == S_CBRANCH_VCCNZ)
      dataflow_need(f, at, CODE_VCC, DATAFLOW_MASK);
  } else if (i->format == MUBUF || i->format == MTBUF) {
    dataflow_need(f, at, i->srsrc, DATAFLOW_MASK);
    dataflow_need(f, at, i->src[2], 1);
  } else if (i->flags & INST_SADDR) {
    dataflow_need(f, at, i->src[2], DATAFLOW_MASK);
  }
}

static void run(struct dataflow *f, uint32_t at, enum dataflow_part part)
{
  if (f->steps[at].runs >= (int)part)
    return;
  f->steps[at].runs = (int)part;
  need_sources(f, at, part);
}

void dataflow_run(struct dataflow *f, uint32_t at)
{
  run(f, at, DATAFLOW_ALL);
}

/* The part of a result that register `reg` is. */
static enum dataflow_part part_of(const struct dataflow_step *p, unsigned reg)
{
  static const char *const sums[] = {"v_mad_u64_u32", "v_mad_i64_i32"};
  return DATAFLOW_BEGINS(p->i, sums) && reg == p->vector.first ? DATAFLOW_LOWER
                                                                 : DATAFLOW_ALL;
}

/* --- where that comes from ------------------------------------------------ */

/* Lanes of two SGPRs are any. */
static unsigned join(unsigned before, unsigned lanes)
{
  if (before == lanes || lanes == DATAFLOW_NONE)
    return before;
  return before == DATAFLOW_NONE ? lanes : DATAFLOW_ANY;
}

static void go_back(struct dataflow *f, uint32_t *n, unsigned reg, uint32_t to,
                    unsigned lanes)
{
  unsigned char *seen = &f->seen[(size_t)reg * f->n + to];
  unsigned all = *seen ? join(*seen - 1u, lanes) : lanes;
  if (*seen == all + 1)
    return;
  *seen = (unsigned char)(all + 1);
  f->path[(*n)++] = (struct dataflow_place){to, (unsigned char)all};
}

int dataflow_goes_on(const struct inst *i)
{
  if (i->unit == UNIT_BRANCH)
    return i->op != S_BRANCH;
  return i->format != SOPP || i->op != S_ENDPGM;
}

int dataflow_follows(const struct dataflow *f, uint32_t at)
{
  const struct dataflow_step *before = &f->steps[at - 1];
  return dataflow_goes_on(before->i) &&
         before->pc + before->i->words == f->steps[at].pc;
}

/* Whatever may have been executed just before step `at`. */
static void before(struct dataflow *f, uint32_t *n, unsigned reg, uint32_t at,
                   unsigned lanes)
{
  if (at && dataflow_follows(f, at))
    go_back(f, n, reg, at - 1, lanes);
  for (uint32_t j = f->steps[at].jumps; j; j = f->jumps[j - 1].next)
    go_back(f, n, reg, f->jumps[j - 1].from, lanes);
}

/* From behind p to before it. Lanes that are restored from an SGPR were on before they
 * were saved there; where something else is written to it, one can't tell. What is
 * saved and restored between, as conditions within each other are, does not matter. */
static unsigned lanes_before(const struct dataflow_step *p, unsigned lanes)
{
  if (lanes < DATAFLOW_NONE && p->saves == lanes)
    return DATAFLOW_NONE;
  if (lanes < DATAFLOW_NONE && (is_in(p->scalar, lanes) || is_in(p->scalar, lanes + 1)))
    return DATAFLOW_ANY;
  return lanes == DATAFLOW_NONE ? p->widens : lanes;
}

/* Does p leave nothing of the register where it will be read? */
static int hides(const struct dataflow_step *p, unsigned reg, unsigned lanes)
{
  return is_in(p->scalar, reg) || (is_in(p->vector, reg) && p->whole &&
                                   (p->full || lanes == DATAFLOW_NONE));
}

/* Makers that may have left there what u needs run as well. */
static void trace(struct dataflow *f, struct dataflow_use u)
{
  uint32_t n = 0;
  int across = reads_other_lanes(f->steps[u.at].i);
  before(f, &n, u.reg, u.at, across ? DATAFLOW_ANY : DATAFLOW_NONE);
  while (n) {
    struct dataflow_place from = f->path[--n];
    const struct dataflow_step *p = &f->steps[from.at];
    unsigned lanes = lanes_before(p, from.lanes);
    if (writes(p, u.reg) && is_maker(f, p->i))
      run(f, from.at, part_of(p, u.reg));
    if (!hides(p, u.reg, lanes))
      before(f, &n, u.reg, from.at, lanes);
  }
}

void dataflow_trace(struct dataflow *f)
{
  while (f->nuses)
    trace(f, f->uses[--f->nuses]);
}

/* --- the code ------------------------------------------------------------- */

static void add_made(struct dataflow *f, struct dataflow_span span)
{
  for (unsigned n = 0; n < span.width && span.first + n < CODES; n++)
    f->made[span.first + n] = 1;
}

void dataflow_open(struct dataflow *f, size_t most)
{
  f->steps = mem_array(most, sizeof *f->steps);
  f->path = mem_array(VISITS * most, sizeof *f->path);
  f->made = mem_array(CODES, 1);
}

void dataflow_close(struct dataflow *f)
{
  free(f->steps);
  free(f->path);
  free(f->made);
  free(f->seen);
  free(f->jumps);
  free(f->uses);
}

void dataflow_add(struct dataflow *f, uint32_t pc)
{
  struct dataflow_step *p = &f->steps[f->n++];
  *p = (struct dataflow_step){.i = &f->code[pc], .pc = pc};
  const struct op *o = p->i->legal ? inst_op(p->i) : NULL;
  if (!o)
    return;
  p->scalar = scalar_result(p->i, o);
  p->vector = vector_result(p->i, o);
  p->whole = (uint8_t)is_whole(p->i);
  p->widens = (uint8_t)widens(p->i, p->scalar);
  p->saves = DATAFLOW_BEGINS(p->i, narrow_saves) ? (uint8_t)p->i->dst : DATAFLOW_NONE;
  if (is_maker(f, p->i)) {
    add_made(f, p->scalar);
    add_made(f, p->vector);
  }
}

/* The step at pc; NULL: none is. */
static struct dataflow_step *step_at(const struct dataflow *f, uint32_t pc)
{
  uint32_t low = 0, high = f->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (f->steps[middle].pc < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < f->n && f->steps[low].pc == pc ? &f->steps[low] : NULL;
}

static void add_jump(struct dataflow *f, uint32_t from)
{
  struct dataflow_step *to = step_at(f, dataflow_target(f->code, f->steps[from].pc));
  if (!to)
    return;
  if (f->njumps == f->jumps_room) {
    f->jumps_room = f->jumps_room ? 2 * f->jumps_room : 16;
    f->jumps = mem_resize(f->jumps, f->jumps_room * sizeof *f->jumps);
  }
  f->jumps[f->njumps++] = (struct dataflow_jump){from, to->jumps};
  to->jumps = (uint32_t)f->njumps;
  f->steps[from].target = (uint32_t)(to - f->steps) + 1;
}

void dataflow_link(struct dataflow *f)
{
  f->seen = mem_array(CODES, f->n);
  for (uint32_t n = 0; n < f->n; n++)
    if (f->steps[n].i->unit == UNIT_BRANCH)
      add_jump(f, n);
}
