/* loop_control.c - see loop_control.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/loop_control.h"

#include <stdlib.h>

#include "base/mem.h"

/* MASK: SGPRs of a bit a lane. CODES: of operands. BRANCHES: within the loop, that
 * are told apart; behind one more it is as if it were not there. */
enum {MASK = 2, CODES = CODE_AGPR + 256, BRANCHES = 64};

/* Registers by operand code (inst.h): SGPRs, VCC, M0 and EXEC, then VGPRs. SCC is
 * left out, as the VALU does not write it. */
struct span {
  unsigned first, width;
};

struct step {
  const struct inst *i;
  uint32_t pc;
  struct span scalar, vector; /* that it writes */
};

/* A register that step `at` reads. */
struct use {
  uint32_t at;
  unsigned reg;
};

struct jump {
  uint32_t from, to; /* steps */
};

struct search {
  const struct main_loop *b;
  struct step *steps; /* in order */
  uint32_t n;
  struct jump jumps[BRANCHES];
  unsigned njumps;
  unsigned char by_valu[CODES]; /* of each register: the VALU writes it */
  unsigned char *runs;          /* the result */
  struct use *uses;             /* that are still to be traced */
  size_t nuses, room;
  uint32_t *path, *seen; /* of trace(): where it has yet to go on, and the number
                            of the trace that last came by */
  uint32_t traces;
};

static int is_in(struct span s, unsigned reg)
{
  return reg - s.first < s.width;
}

/* --- what an instruction writes and reads --------------------------------- */

static int is_valu(const struct inst *i)
{
  return i->unit == UNIT_VALU;
}

/* A comparison, a lane that is read back, a carry; what the scalar unit makes. */
static struct span scalar_result(const struct inst *i, const struct op *o)
{
  unsigned width = o->dst & OP_WIDTH;
  if (i->unit == UNIT_SALU || i->unit == UNIT_SMEM || o->dst & OP_SCALAR)
    return (struct span){i->dst, width};
  if (i->format == VOPC || o->dst & OP_CARRY || (i->format == VOP2 && i->sdst))
    return (struct span){i->sdst, MASK};
  return (struct span){0, 0};
}

static struct span vector_result(const struct inst *i, const struct op *o)
{
  unsigned first = CODE_VGPR + i->dst;
  if (i->unit == UNIT_LDS || i->unit == UNIT_VMEM)
    return (struct span){first, inst_result_width(i)};
  if (!is_valu(i) || o->dst & OP_SCALAR || i->format == VOPC)
    return (struct span){0, 0};
  return (struct span){first, o->dst & OP_WIDTH};
}

static int writes(const struct step *p, unsigned reg)
{
  return is_in(p->scalar, reg) || is_in(p->vector, reg);
}

static void need_one(struct search *s, uint32_t at, unsigned reg)
{
  if (reg >= CODES || !s->by_valu[reg])
    return;
  if (s->nuses == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->uses = mem_resize(s->uses, s->room * sizeof *s->uses);
  }
  s->uses[s->nuses++] = (struct use){at, reg};
}

static void need(struct search *s, uint32_t at, unsigned code, unsigned width)
{
  int constant = code >= CODE_INLINE && code < CODE_VGPR;
  for (unsigned n = 0; n < width && !constant; n++)
    need_one(s, at, code + n);
}

static void need_sources(struct search *s, uint32_t at)
{
  const struct inst *i = s->steps[at].i;
  for (int n = 0; n < 3; n++)
    need(s, at, i->src[n], inst_source_width(i, n));
  if (i->format == SOPK)
    need(s, at, i->dst, inst_op(i)->dst & OP_WIDTH);
  if (i->format == VOP2 && i->src[2] == CODE_VCC)
    need(s, at, CODE_VCC, MASK);
}

/* A branch by VCC has no operand that says so. */
static void need_condition(struct search *s, uint32_t at)
{
  enum {S_CBRANCH_VCCZ = 6, S_CBRANCH_VCCNZ = 7};
  const struct inst *i = s->steps[at].i;
  if (i->op == S_CBRANCH_VCCZ || i->op == S_CBRANCH_VCCNZ)
    need(s, at, CODE_VCC, MASK);
}

static void need_address(struct search *s, uint32_t at)
{
  const struct inst *i = s->steps[at].i;
  if (i->format == MUBUF || i->format == MTBUF) {
    need(s, at, i->srsrc, MASK);
    need(s, at, i->src[2], 1);
  } else if (i->flags & INST_SADDR) {
    need(s, at, i->src[2], MASK);
  }
}

/* --- where that comes from ------------------------------------------------ */

static void run(struct search *s, uint32_t at)
{
  unsigned char *runs = &s->runs[s->steps[at].pc - s->b->first];
  if (*runs)
    return;
  *runs = 1;
  need_sources(s, at);
}

static void go_back(struct search *s, uint32_t *n, uint32_t to)
{
  if (s->seen[to] == s->traces)
    return;
  s->seen[to] = s->traces;
  s->path[(*n)++] = to;
}

static int goes_on(const struct inst *i)
{
  return i->unit != UNIT_BRANCH || i->op != S_BRANCH;
}

/* Whatever may have been executed just before `at`. */
static void before(struct search *s, uint32_t *n, uint32_t at)
{
  if (at && goes_on(s->steps[at - 1].i))
    go_back(s, n, at - 1);
  for (unsigned j = 0; j < s->njumps; j++)
    if (s->jumps[j].to == at)
      go_back(s, n, s->jumps[j].from);
}

/* What of the VALU may have left there what u needs runs as well. */
static void trace(struct search *s, struct use u)
{
  uint32_t n = 0;
  s->traces++;
  before(s, &n, u.at);
  while (n) {
    uint32_t at = s->path[--n];
    if (!writes(&s->steps[at], u.reg))
      before(s, &n, at);
    else if (is_valu(s->steps[at].i))
      run(s, at);
  }
}

/* --- the loop ------------------------------------------------------------- */

static void add_made(struct search *s, struct span span)
{
  for (unsigned n = 0; n < span.width && span.first + n < CODES; n++)
    s->by_valu[span.first + n] = 1;
}

static void add_step(struct search *s, uint32_t pc)
{
  struct step *p = &s->steps[s->n++];
  *p = (struct step){.i = &s->b->d->kernel->object->code[pc], .pc = pc};
  const struct op *o = p->i->legal ? inst_op(p->i) : NULL;
  if (!o)
    return;
  p->scalar = scalar_result(p->i, o);
  p->vector = vector_result(p->i, o);
  if (is_valu(p->i)) {
    add_made(s, p->scalar);
    add_made(s, p->vector);
  }
}

static void add_jump(struct search *s, uint32_t from)
{
  uint32_t pc = s->steps[from].pc + 1 + (uint32_t)s->steps[from].i->imm;
  for (uint32_t to = 0; to < s->n && s->njumps < BRANCHES; to++)
    if (s->steps[to].pc == pc)
      s->jumps[s->njumps++] = (struct jump){from, to};
}

static void list_steps(struct search *s)
{
  const struct main_loop *b = s->b;
  for (uint32_t pc = b->first; pc <= b->last; pc += main_loop_price(b, pc)->words)
    add_step(s, pc);
  for (uint32_t n = 0; n < s->n; n++)
    if (s->steps[n].i->unit == UNIT_BRANCH)
      add_jump(s, n);
}

/* What runs in any case, and what the loads' scalar addresses come from. */
static void begin(struct search *s, uint32_t at)
{
  const struct step *p = &s->steps[at];
  if (!p->i->legal || !inst_op(p->i))
    return;
  if (p->i->unit == UNIT_SALU) {
    run(s, at);
  } else if (p->i->unit == UNIT_BRANCH) {
    s->runs[p->pc - s->b->first] = 1;
    need_condition(s, at);
  } else if (p->i->unit == UNIT_VMEM) {
    need_address(s, at);
  }
}

unsigned char *loop_control(const struct main_loop *b)
{
  size_t most = b->last - b->first + 1;
  struct search *s = mem_alloc(sizeof *s);
  s->b = b;
  s->steps = mem_array(most, sizeof *s->steps);
  s->path = mem_array(most, sizeof *s->path);
  s->seen = mem_array(most, sizeof *s->seen);
  s->runs = mem_array(most, sizeof *s->runs);
  list_steps(s);
  for (uint32_t n = 0; n < s->n; n++)
    begin(s, n);
  while (s->nuses)
    trace(s, s->uses[--s->nuses]);
  unsigned char *runs = s->runs;
  free(s->steps);
  free(s->path);
  free(s->seen);
  free(s->uses);
  free(s);
  return runs;
}
