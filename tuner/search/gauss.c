/* gauss.c - see gauss.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/gauss.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum {
  LOOK = 8,                /* samples before the first look at what is still to be gained */
  VALUES = UINT8_MAX + 1,  /* of a tunable, at most: recordings have more than families */
};

static const double first_weight = 0.3; /* where the family says none */
static const double least_weight = 0.002, most_weight = 20;
static const double doubt = 1; /* what the square of a weight's logarithm costs, from the first */
static const double smooth = 0.82; /* of the variance, shared by far ones too */
static const double noise = 0.004; /* of a result, as part of the variance */

struct gauss {
  size_t ntunables; /* that have a choice */
  uint8_t tunables[FAMILY_TUNABLES];
  double first[FAMILY_TUNABLES]; /* weight, before there are results */
  double weight[FAMILY_TUNABLES], range[FAMILY_TUNABLES];
  /* what two configurations have in common by a tunable, at the difference of their
   * values + VALUES - 1 */
  double common[FAMILY_TUNABLES][2 * VALUES - 1];
  size_t n;
  uint8_t at[FAMILY_TUNABLES][GAUSS_MOST]; /* the samples' values, by tunables */
  double y[GAUSS_MOST];
  double toward[GAUSS_MOST]; /* the inverse of the covariances times y */
  double variance;           /* of what no sample is near */
  double factor[GAUSS_MOST][GAUSS_MOST]; /* Cholesky's, by rows */
};

static void tabulate(struct gauss *g, size_t i)
{
  for (int d = 1 - VALUES; d < VALUES; d++)
    g->common[i][VALUES - 1 + d] = exp(-g->weight[i] * abs(d) / g->range[i]);
}

static void begin_with(struct gauss *g, size_t i, double weight)
{
  g->first[i] = g->weight[i] = weight;
  tabulate(g, i);
}

struct gauss *gauss_open(const struct space *space)
{
  struct gauss *g = mem_alloc(sizeof *g);
  g->ntunables = g->n = 0;
  for (size_t t = 0; t < space_tunables(space); t++)
    if (space_values(space, t) > 1) {
      g->tunables[g->ntunables] = (uint8_t)t;
      g->range[g->ntunables] = (double)(space_values(space, t) - 1);
      double said = space_weight(space, t);
      begin_with(g, g->ntunables++, said > 0 ? said : first_weight);
    }
  return g;
}

void gauss_close(struct gauss *g)
{
  free(g);
}

void gauss_weigh(struct gauss *g, size_t tunable, double weight)
{
  for (size_t i = 0; i < g->ntunables; i++)
    if (g->tunables[i] == tunable)
      begin_with(g, i, weight);
}

static void put(struct gauss *g, size_t n, const struct config *c)
{
  for (size_t i = 0; i < g->ntunables; i++)
    g->at[i][n] = c->at[g->tunables[i]];
}

/* What is shared of all that is not known, by p (gauss.h). */
static double shared(double p)
{
  double square = p * p, fourth = square * square;
  return smooth * p + (1 - smooth) * fourth * fourth;
}

/* What each of the first n samples has in common with one of value[i] in the i-th
 * tunable: tunables outside, for products that need not wait for each other. */
static void compare(const struct gauss *g, const uint8_t *value, size_t n,
                    double *out)
{
  for (size_t k = 0; k < n; k++)
    out[k] = 1;
  for (size_t i = 0; i < g->ntunables; i++) {
    const double *common = &g->common[i][VALUES - 1 - value[i]];
    const uint8_t *at = g->at[i];
    for (size_t k = 0; k < n; k++)
      out[k] *= common[at[k]];
  }
  for (size_t k = 0; k < n; k++)
    out[k] = shared(out[k]);
}

static void compare_config(const struct gauss *g, const struct config *c,
                           double *out)
{
  uint8_t value[FAMILY_TUNABLES] = {0};
  for (size_t i = 0; i < g->ntunables; i++)
    value[i] = c->at[g->tunables[i]];
  compare(g, value, g->n, out);
}

static void compare_sample(const struct gauss *g, size_t k, double *out)
{
  uint8_t value[FAMILY_TUNABLES] = {0};
  for (size_t i = 0; i < g->ntunables; i++)
    value[i] = g->at[i][k];
  compare(g, value, k, out);
}

/* --- linear algebra ------------------------------------------------------- */

static double product(const double *a, const double *b, size_t n)
{
  double sum[4] = {0}; /* additions that need not wait for each other */
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      sum[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sum[0] += a[i] * b[i];
  return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* The row of a further sample in the factor, of what it has in common with the n
 * before it. */
static void factor_row(struct gauss *g, size_t n, double *row)
{
  for (size_t j = 0; j < n; j++)
    row[j] = (row[j] - product(g->factor[j], row, j)) / g->factor[j][j];
  row[n] = sqrt(fmax(1 + noise - product(row, row, n), noise));
}

/* The factor of the samples' covariances. */
static void factorise(struct gauss *g)
{
  for (size_t i = 0; i < g->n; i++) {
    compare_sample(g, i, g->factor[i]);
    factor_row(g, i, g->factor[i]);
  }
}

/* x becomes the x for which factor * x was x. */
static void solve(const struct gauss *g, double *x)
{
  for (size_t j = 0; j < g->n; j++)
    x[j] = (x[j] - product(g->factor[j], x, j)) / g->factor[j][j];
}

/* The same with the factor transposed. */
static void solve_transposed(const struct gauss *g, double *x)
{
  for (size_t j = g->n; j-- > 0;) {
    x[j] /= g->factor[j][j];
    for (size_t i = 0; i < j; i++)
      x[i] -= g->factor[j][i] * x[j];
  }
}

/* --- what is learnt ------------------------------------------------------- */

/* All that follows from samples and weights. Returned is the logarithm of how likely
 * the weights are, by the results and without them, but for a constant. */
static double settle(struct gauss *g)
{
  double likely = 0;
  factorise(g);
  for (size_t i = 0; i < g->n; i++)
    g->toward[i] = g->y[i];
  solve(g, g->toward);
  g->variance = fmax(product(g->toward, g->toward, g->n) / (double)g->n, 1e-12);
  solve_transposed(g, g->toward);
  for (size_t i = 0; i < g->n; i++)
    likely -= log(g->factor[i][i]);
  likely -= 0.5 * (double)g->n * log(g->variance);
  for (size_t i = 0; i < g->ntunables; i++) {
    double far = log(g->weight[i] / g->first[i]);
    likely -= doubt * far * far;
  }
  return likely;
}

static void learn_weight(struct gauss *g, size_t i, double *likeliest)
{
  static const double factors[] = {0.5, 2};
  double was = g->weight[i];
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    g->weight[i] = fmin(fmax(was * factors[k], least_weight), most_weight);
    tabulate(g, i);
    double likely = settle(g);
    if (likely > *likeliest) {
      *likeliest = likely;
      return;
    }
  }
  g->weight[i] = was;
  tabulate(g, i);
}

double gauss_take(struct gauss *g, const struct result *samples, size_t n,
                  int learn)
{
  g->n = n;
  for (size_t i = 0; i < n; i++) {
    put(g, i, &samples[i].config);
    g->y[i] = samples[i].y;
  }
  double likeliest = settle(g);
  for (size_t i = 0; learn && i < g->ntunables; i++)
    learn_weight(g, i, &likeliest);
  return learn ? settle(g) : likeliest;
}

/* --- what is asked -------------------------------------------------------- */

void gauss_believe(struct gauss *g, const struct config *c)
{
  if (g->n == GAUSS_MOST)
    return;
  compare_config(g, c, g->factor[g->n]);
  factor_row(g, g->n, g->factor[g->n]);
  put(g, g->n, c);
  g->toward[g->n++] = 0; /* as expected: no mean changes */
}

/* Of what is normally distributed, `ahead` of the best in the mean. */
static double expected_gain(double ahead, double deviation)
{
  double z = ahead / deviation;
  double density = exp(-0.5 * z * z) / sqrt(2 * M_PI);
  return ahead * 0.5 * erfc(-z * M_SQRT1_2) + deviation * density;
}

/* The more samples are looked at, the less is unknown, and to be gained: most are
 * given up after the first. */
double gauss_gain(const struct gauss *g, const struct config *c, double before,
                  double best, double least)
{
  double row[GAUSS_MOST], ahead = best - before, unknown = 1;
  compare_config(g, c, row);
  ahead -= product(row, g->toward, g->n);
  for (size_t j = 0, look = 0; j < g->n; j++) {
    if (j == look) {
      if (expected_gain(ahead, sqrt(g->variance * unknown)) <= least)
        return 0;
      look += j < LOOK ? LOOK : j;
    }
    row[j] = (row[j] - product(g->factor[j], row, j)) / g->factor[j][j];
    unknown = fmax(unknown - row[j] * row[j], 1e-9);
  }
  double gain = expected_gain(ahead, sqrt(g->variance * unknown));
  return gain > least ? gain : 0;
}
