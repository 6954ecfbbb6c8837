/* reference_dot.c - many steps of a dot product or an FMA on one sum.
 *
 * Integer sums are exact: they wrap at 32 bits, or with clamp stay at the end
 * of their range (LLVM, AMDGPUUsage: llvm.amdgcn.sdot4 and its like). As every
 * step adds the same, all of them together do what one after the other does.
 *
 * A float step has a rounding for each of its k operations, in any order, so
 * an error E before it is one of at most
 *
 *     f E + gamma_k (sum of the magnitudes of its terms) + k tiny
 *
 * after it, f the factor on the sum (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, section 3.1; a fused step only makes it
 * smaller). Keeping a sum in 0 to 1 brings no two numbers further apart.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

struct dot;

/* One operation; bits of a number and whether signed, for the integer ones. */
struct op {
  const char *name;
  struct expected (*result)(const struct dot *g, size_t i);
  enum element operand, sum;
  int per_operand, per_sum; /* elements in memory */
  int bits, is_signed;
};

struct dot {
  const struct reference_job *job;
  const struct op *op;
  size_t n;
  long long steps;
  int clamp;
  int a, b, c, y; /* buffers */
};

static double input(const struct dot *g, int buffer, size_t i)
{
  return input_value(g->job->seed, (size_t)buffer,
                     &g->job->plan->buffers[buffer], i);
}

/* --- integers ------------------------------------------------------------ */

static uint32_t word(const struct dot *g, int buffer, size_t i)
{
  return (uint32_t)(int32_t)input(g, buffer, i);
}

/* Number n of a word. */
static long long part(const struct op *op, uint32_t word, int n)
{
  long long size = 1LL << op->bits, x = word >> n * op->bits & (size - 1);
  return op->is_signed && x >= size / 2 ? x - size : x;
}

static long long product(const struct op *op, uint32_t a, uint32_t b)
{
  long long sum = 0;
  for (int n = 0; n < 32 / op->bits; n++)
    sum += part(op, a, n) * part(op, b, n);
  return sum;
}

/* Signed sums start half of the range away from what memory holds. */
static struct expected whole(const struct dot *g, size_t i)
{
  uint32_t start = word(g, g->c, i) ^ (g->op->is_signed ? 0x80000000 : 0);
  long long least = g->op->is_signed ? INT32_MIN : 0;
  long long most = g->op->is_signed ? INT32_MAX : UINT32_MAX;
  long long first = g->op->is_signed ? (int32_t)start : (long long)start;
  long long sum = first + g->steps * product(g->op, word(g, g->a, i),
                                             word(g, g->b, i));
  if (g->clamp)
    sum = sum < least ? least : sum > most ? most : sum;
  return (struct expected){.want = (int32_t)(uint32_t)sum};
}

/* --- floats -------------------------------------------------------------- */

static struct expected halves(const struct dot *g, size_t i)
{
  double a = input(g, g->a, 2 * i), b = input(g, g->b, 2 * i);
  double c = input(g, g->a, 2 * i + 1), d = input(g, g->b, 2 * i + 1);
  double sum = input(g, g->c, i), error = 0, size = fabs(a * b) + fabs(c * d);
  const struct element_ops *type = element_ops(ELEMENT_F32);
  for (long long s = 0; s < g->steps; s++) {
    error += reference_gamma(3, type->unit) * (fabs(sum) + error + size)
             + 3 * type->tiny;
    sum += a * b + c * d;
    if (g->clamp)
      sum = fmin(fmax(sum, 0), 1);
  }
  return (struct expected){sum, error};
}

static struct expected multiply_add(const struct dot *g, size_t i)
{
  double a = input(g, g->a, i), b = input(g, g->b, i);
  double x = input(g, g->c, i), error = 0;
  const struct element_ops *type = element_ops(g->op->sum);
  for (long long s = 0; s < g->steps; s++) {
    double size = fabs(a) * (fabs(x) + error) + fabs(b);
    error = fabs(a) * error + reference_gamma(2, type->unit) * size
            + 2 * type->tiny;
    x = a * x + b;
  }
  return (struct expected){x, error};
}

/* ------------------------------------------------------------------------- */

static const struct op ops[] = {
  {"sdot4", whole, ELEMENT_I32, ELEMENT_I32, 1, 1, 8, 1},
  {"udot4", whole, ELEMENT_I32, ELEMENT_I32, 1, 1, 8, 0},
  {"sdot8", whole, ELEMENT_I32, ELEMENT_I32, 1, 1, 4, 1},
  {"udot8", whole, ELEMENT_I32, ELEMENT_I32, 1, 1, 4, 0},
  {"fdot2", halves, ELEMENT_F16, ELEMENT_F32, 2, 1, 0, 0},
  {"fma_f32", multiply_add, ELEMENT_F32, ELEMENT_F32, 1, 1, 0, 0},
  {"pk_fma_f16", multiply_add, ELEMENT_F16, ELEMENT_F16, 2, 2, 0, 0},
};

static struct dot describe(const struct reference_job *job)
{
  const struct family *f = job->family;
  const struct problem *p = job->problem;
  const char *op = problem_text(f, p, "op");
  struct dot g = {
      .job = job,
      .n = (size_t)problem_int(f, p, "n"),
      .steps = problem_int(f, p, "steps"),
      .clamp = (int)problem_int(f, p, "clamp"),
      .a = reference_buffer(job->plan, "a"),
      .b = reference_buffer(job->plan, "b"),
      .c = reference_buffer(job->plan, "c"),
      .y = reference_buffer(job->plan, "y"),
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (!strcmp(ops[i].name, op))
      g.op = &ops[i];
  return g;
}

static int holds(const struct dot *g, int buffer, enum element type, int each)
{
  if (buffer < 0)
    return 0;
  const struct buffer *b = &g->job->plan->buffers[buffer];
  return b->type == type && b->elements >= g->n * (size_t)each;
}

static int check(const struct reference_job *job, struct err *e)
{
  struct dot g = describe(job);
  const struct op *op = g.op;
  if (!op || !holds(&g, g.a, op->operand, op->per_operand) ||
      !holds(&g, g.b, op->operand, op->per_operand) ||
      !holds(&g, g.c, op->sum, op->per_sum) ||
      !holds(&g, g.y, op->sum, op->per_sum))
    return err_set(e, ERR_FAILED, "%s.lua: the reference 'dot' needs the keys "
                   "op, clamp, steps and n, and buffers a, b, c, y of n "
                   "operands and sums in the types of op",
                   family_name(job->family));
  return 0;
}

static struct expected result(const struct dot *g, size_t i)
{
  if (i >= g->n * (size_t)g->op->per_sum)
    return (struct expected){.bound = -1};
  return g->op->result(g, i);
}

static struct expected one(const struct reference_job *job, size_t b,
                           size_t i)
{
  (void)b; /* there is one output, y */
  struct dot g = describe(job);
  return result(&g, i);
}

const struct reference reference_dot = {"dot", check, NULL, one};
