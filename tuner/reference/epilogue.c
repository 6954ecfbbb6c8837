/* epilogue.c - see epilogue.h.
 *
 * Each step adds its own rounding to the bound. An activation passes an error
 * on at most `steepest` times, which is the largest derivative of the three
 * (gelu's, 1.1290, at sqrt 2), and adds its own, so much of its argument.
 */
// SPDX-License-Identifier: MIT
#include "tuner/reference/epilogue.h"

#include <math.h>
#include <string.h>

#include "tuner/reference/inputs.h"
#include "tuner/reference/problem.h"

static const double unit = 0x1p-24, least = 0x1p-126;
static const double steepest = 1.13, own_error = 0x1p-20;

static double gelu(double x)
{
  return x / 2 * (1 + erf(x / sqrt(2)));
}

static double gelu_tanh(double x)
{
  double u = sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x);
  return x / 2 * (1 + tanh(u));
}

static double silu(double x)
{
  return x / (1 + exp(-x));
}

static double (*activation(const char *name))(double)
{
  static const struct {
    const char *name;
    double (*function)(double);
  } table[] = {{"gelu", gelu}, {"gelu_tanh", gelu_tanh}, {"silu", silu}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name))
      return table[i].function;
  return NULL;
}

struct epilogue epilogue_of(const struct reference_job *job)
{
  const char *bias = problem_text(job->family, job->problem, "bias");
  const char *name = problem_text(job->family, job->problem, "activation");
  return (struct epilogue){
      .job = job,
      .row_scale = reference_buffer(job->plan, "row_scale"),
      .col_scale = reference_buffer(job->plan, "col_scale"),
      .bias = reference_buffer(job->plan, "bias"),
      .up = reference_buffer(job->plan, "up"),
      .residual = reference_buffer(job->plan, "residual"),
      .by_row = !strcmp(bias, "row"),
      .activation = activation(name),
  };
}

static double read(const struct epilogue *e, int buffer, size_t i)
{
  return input_value(e->job->seed, (size_t)buffer,
                     &e->job->plan->buffers[buffer], i);
}

double epilogue_scale(const struct epilogue *e, size_t row, size_t col)
{
  double rows = e->row_scale < 0 ? 1 : read(e, e->row_scale, row);
  double cols = e->col_scale < 0 ? 1 : read(e, e->col_scale, col);
  return rows * cols;
}

static struct expected rounded(double want, double bound)
{
  return (struct expected){want, bound + 2 * unit * fabs(want) + least};
}

struct expected epilogue_apply(const struct epilogue *e, struct expected x,
                               size_t row, size_t col, size_t i)
{
  if (e->bias >= 0)
    x = rounded(x.want + read(e, e->bias, e->by_row ? row : col), x.bound);
  if (e->activation)
    x = rounded(e->activation(x.want),
                steepest * x.bound + own_error * fabs(x.want));
  if (e->up >= 0) {
    double up = read(e, e->up, i);
    x = rounded(x.want * up, x.bound * fabs(up));
  }
  if (e->residual >= 0)
    x = rounded(x.want + read(e, e->residual, i), x.bound);
  return x;
}

struct expected epilogue_gate(struct expected gate, struct expected up)
{
  struct expected x = rounded(
      silu(gate.want), steepest * gate.bound + own_error * fabs(gate.want));
  return rounded(x.want * up.want, x.bound * (fabs(up.want) + up.bound) +
                                       fabs(x.want) * up.bound);
}
