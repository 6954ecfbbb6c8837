/* matrix_hazard.c - how long the matrix cores take, and who must wait.
 *
 * The hardware does not hold back an instruction that uses a result too early:
 * there must be wait states in between, one for each instruction and as many as
 * s_nop says. How many is LLVM's GCNHazardRecognizer.cpp; AMD's ISA documents of
 * CDNA3 and CDNA4, "Required Software Scheduling Rules", have the same. The code
 * that follows is looked at along all branches, not just those taken. A taken one
 * counts as the 20 cycles that it lasts (CLRX GcnTimings): LLVM counts one state,
 * but misses the shorter of two ways to a place, which are such branches.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "runtimes/sim/load/object.h"
#include "runtimes/sim/run/matrix.h"

enum use { /* of a result */
  USE_NONE,
  USE_AB,     /* as A or B of the next product */
  USE_SAME_C, /* as C, the very same registers */
  USE_C,      /* as C in part */
  USE_VALU,   /* read by the VALU */
  USE_MEMORY, /* by an access to memory or LDS */
  USE_OVER,   /* written over by either */
  USE_N
};

enum {
  MOST = 20,    /* wait states */
  TAKEN = 5,    /* of a branch */
  BRANCHES = 4, /* that are followed */
};

static int is_single(const struct matrix *x)
{
  return x->type[0] == MATRIX_F32 || x->type[0] == MATRIX_XF32;
}

static int is_double(const struct matrix *x)
{
  return x->type[0] == MATRIX_F64;
}

/* Of four cycles (AMD's calculator). */
static int passes(const struct isa *isa, const struct matrix *x)
{
  if (is_double(x))
    return x->m == 4 ? 4 : isa->late_matrix ? 16 : 8;
  int all = x->m == 4 ? 2 : x->m / 2;
  int fast = isa->fast_matrix && x->blocks == 1 && x->type[0] != MATRIX_F32;
  return fast ? all / 2 : all;
}

/* Of doubles, 16 x 16; of gfx950; 4 x 4. On gfx950 LLVM leaves 18 states before
 * memory and 11 before what writes over the result, where AMD's document wants 20 and
 * 19: cards run what compilers emit, so that fewer than both want is a fault, which
 * names both numbers. ORDER USE */
static const uint8_t double_waits[3][USE_N] = {{0, 11, 0, 9, 11, 18, 11},
                                               {0, 19, 0, 17, 19, 18, 11},
                                               {0, 6, 4, 4, 6, 9, 6}};

static int of_doubles(const struct isa *isa, const struct matrix *x,
                      const struct matrix *user, enum use use)
{
  int c = use == USE_C || use == USE_SAME_C;
  if (c && user && (!is_double(user) || (use == USE_SAME_C && user->m != x->m)))
    return 0;
  return double_waits[x->m == 4 ? 2 : isa->late_matrix][use];
}

/* What AMD's document of CDNA4 wants where that is more; else 0. */
static int more_by_document(const struct isa *isa, const struct matrix *x, enum use use)
{
  if (!is_double(x) || x->m == 4 || !isa->late_matrix)
    return 0;
  return use == USE_MEMORY ? 20 : use == USE_OVER ? 19 : 0;
}

/* Where AGPRs are a file of their own, the VALU's moves alone read them. */
static int of_file_apart(int n, enum use use)
{
  static const int8_t fixed[USE_N] = {0, 4, 0, 2, 0, 0, 0};
  return use == USE_VALU ? n + 2 : use == USE_OVER ? n - 1 : fixed[use];
}

static int needed(const struct isa *isa, const struct matrix *x,
                  const struct matrix *user, enum use use)
{
  int n = passes(isa, x);
  if (isa->agprs == AGPRS_APART)
    return of_file_apart(n, use);
  if (is_double(x))
    return of_doubles(isa, x, user, use);
  int late = isa->late_matrix && n != 2 && !is_single(x);
  int slow = !isa->fast_matrix || !is_single(x); /* else a state less */
  if (use == USE_SAME_C)
    return isa->fast_matrix && n == 2 ? 2 : 0;
  if (use != USE_C)
    return n + 2 + slow + late;
  if (!isa->fast_matrix)
    return n + is_double(user);
  return is_single(x) && !is_single(user) && !is_double(user) ? 0
                                                              : n + slow + late;
}

unsigned matrix_passes(const struct inst *i)
{
  const struct matrix *x = matrix_find(i);
  return x ? (unsigned)passes(isa_at(i->isa), x) : 0;
}

static int overlap(unsigned a, unsigned width_a, unsigned b, unsigned width_b)
{
  return width_a && width_b && a < b + width_b && b < a + width_a;
}

/* A result in registers, as operand codes. */
struct result {
  const struct isa *isa;
  const struct matrix *x;
  unsigned first, width;
};

static unsigned written(const struct inst *i)
{
  const struct op *o = inst_op(i);
  int scalar = i->format == VOPC || o->dst & OP_SCALAR;
  int none = i->format < VOP1 || (i->format >= DS && i->flags & INST_LDS);
  return scalar || none ? 0 : o->dst & OP_WIDTH;
}

static int uses_source(const struct result *r, const struct inst *i, int n)
{
  return i->format >= VOP1 && i->src[n] >= CODE_VGPR &&
         overlap(r->first, r->width, i->src[n], inst_source_width(i, n));
}

/* A sparse one's C is its destination, src2 its index. */
static enum use use_of_matrix(const struct result *r, const struct inst *i)
{
  const struct matrix *x = matrix_find(i);
  int sparse = x && x->kind == MATRIX_SPARSE;
  unsigned c = sparse ? CODE_VGPR + i->dst : i->src[2];
  unsigned width = sparse ? inst_op(i)->dst : inst_source_width(i, 2);
  if (uses_source(r, i, 0) || uses_source(r, i, 1) ||
      (sparse && uses_source(r, i, 2)))
    return USE_AB;
  if (c < CODE_VGPR || !overlap(r->first, r->width, c, width))
    return USE_NONE;
  return c == r->first && width == r->width ? USE_SAME_C : USE_C;
}

static enum use use_of(const struct result *r, const struct inst *i)
{
  int sources = i->format > DS ? 2 : 3;
  if (i->format == VOP3P && inst_op(i)->matrix)
    return use_of_matrix(r, i);
  for (int n = 0; n < sources; n++)
    if (uses_source(r, i, n))
      return i->format >= DS ? USE_MEMORY : USE_VALU;
  return overlap(r->first, r->width, CODE_VGPR + i->dst, written(i)) ? USE_OVER
                                                                     : USE_NONE;
}

/* Is all of it made anew? Who reads it then is another's. */
static int replaces(const struct result *r, const struct inst *i)
{
  unsigned dst = CODE_VGPR + i->dst;
  return i->format >= VOP1 && dst <= r->first &&
         dst + written(i) >= r->first + r->width;
}

struct early { /* who comes too early, and by how much */
  size_t at;
  int is, must; /* wait states */
  int document; /* those of AMD's document, where LLVM leaves fewer; else 0 */
};

static int is_jump(const struct inst *i)
{
  return i->format == SOPP && (i->op == S_BRANCH || (i->op >= S_CBRANCH_FIRST &&
                                                     i->op <= S_CBRANCH_LAST));
}

/* 1: from dword `at` of n on somebody comes too early. */
static int follow(const struct inst *code, size_t n, const struct result *r,
                  size_t at, int states, int branches, struct early *e)
{
  while (states < MOST && at < n) {
    const struct inst *i = &code[at];
    if (!i->legal || (i->format == SOPP && i->op == S_ENDPGM))
      return 0;
    enum use use = use_of(r, i);
    int must = use ? needed(r->isa, r->x, matrix_find(i), use) : 0;
    *e = (struct early){at, states, must, more_by_document(r->isa, r->x, use)};
    if (states < must)
      return 1;
    if (replaces(r, i))
      return 0;
    states += i->format == SOPP && i->op == S_NOP ? (i->imm & 15) + 1 : 1;
    at += i->words;
    if (!is_jump(i))
      continue;
    size_t there = at + (size_t)i->imm;
    int then = states - 1 + TAKEN;
    if (i->op == S_BRANCH)
      at = there, states = then;
    else if (branches && follow(code, n, r, there, then, branches - 1, e))
      return 1;
  }
  return 0;
}

int matrix_awaited(struct wave *w, const struct inst *code, size_t n, size_t at)
{
  const struct inst *i = &code[at];
  struct early e;
  struct result r = {isa_at(i->isa), matrix_find(i), CODE_VGPR + i->dst,
                     inst_op(i)->dst};
  if (!follow(code, n, &r, at + i->words, 0, BRANCHES, &e))
    return 1;
  if (!w)
    return 0;
  char also[64] = "";
  if (e.document)
    snprintf(also, sizeof also, " (LLVM leaves %d; AMD's document asks for %d)", e.must,
             e.document);
  wave_fault(w, FAULT_LAUNCH,
             "its result is used too early by %s, 0x%x bytes on: %d wait "
             "states lie between, %d must%s; put s_nop %d before that",
             inst_name(&code[e.at]), (unsigned)(e.at - at) * 4, e.is, e.must, also,
             e.must - e.is - 1);
  return 0;
}
