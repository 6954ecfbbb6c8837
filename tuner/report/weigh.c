/* weigh.c - which tunable matters: see candidates.h.
 *
 * Of each problem's candidates the variation of ln(time) is taken apart by one
 * tunable at a time: what lies between its values over all of it, less what as
 * many values would explain by chance (epsilon squared; Kelley, PNAS 21, 1935).
 * A family's share is the mean over its problems, by their candidates. Tunables
 * that matter only together are missed, and the search tries good values more
 * often than others: it is what was seen, no experiment.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "tuner/report/candidates.h"

enum {ENOUGH = 20}; /* candidates of a problem */

struct cells {
  size_t n[CANDIDATE_VALUES + 6];
  double sum[CANDIDATE_VALUES + 6], best[CANDIDATE_VALUES + 6];
};

static void fill(const struct candidate_list *l, size_t tunable,
                 struct cells *c)
{
  memset(c, 0, sizeof *c);
  for (size_t i = 0; i < l->n; i++) {
    unsigned char v = l->list[i].at[tunable];
    double us = (double)l->list[i].us;
    if (!c->n[v] || us < c->best[v])
      c->best[v] = us;
    c->n[v]++;
    c->sum[v] += log(us);
  }
}

/* Sum of squares of ln(time) around its mean. */
static double variation(const struct candidate_list *l, double *mean)
{
  double sum = 0, squares = 0;
  for (size_t i = 0; i < l->n; i++)
    sum += log((double)l->list[i].us);
  *mean = sum / (double)l->n;
  for (size_t i = 0; i < l->n; i++) {
    double off = log((double)l->list[i].us) - *mean;
    squares += off * off;
  }
  return squares;
}

static double explained(const struct candidate_list *l, const struct cells *c)
{
  double mean, all = variation(l, &mean), between = 0;
  size_t values = 0;
  for (size_t v = 0; v <= CANDIDATE_NONE; v++)
    if (c->n[v]) {
      double off = c->sum[v] / (double)c->n[v] - mean;
      between += (double)c->n[v] * off * off;
      values++;
    }
  if (values < 2 || l->n <= values || !(all > 0))
    return 0;
  double within = (all - between) / (double)(l->n - values);
  return fmax(0, (between - (double)(values - 1) * within) / all);
}

static void weigh_tunable(struct candidates *c, size_t family, size_t tunable)
{
  struct tunable_seen *t = &c->families[family].tunable[tunable];
  double share = 0, weight = 0, sum[CANDIDATE_VALUES] = {0};
  size_t seen[CANDIDATE_VALUES] = {0};
  for (size_t i = 0; i < c->n; i++) {
    const struct candidate_list *l = &c->of[i];
    struct cells cells;
    if (c->family_of[i] != family || l->n < ENOUGH)
      continue;
    fill(l, tunable, &cells);
    share += (double)l->n * explained(l, &cells);
    weight += (double)l->n;
    for (size_t v = 0; v < t->n; v++)
      if (cells.n[v]) {
        sum[v] += log(cells.best[v] / (double)l->list[0].us);
        seen[v]++;
      }
  }
  t->share = weight > 0 ? share / weight : 0;
  for (size_t v = 0; v < t->n; v++)
    t->cost[v] = seen[v] ? exp(sum[v] / (double)seen[v]) : (double)NAN;
}

void candidates_weigh(struct candidates *c)
{
  for (size_t f = 0; f < c->nfamilies; f++) {
    for (size_t i = 0; i < c->n; i++)
      if (c->family_of[i] == f && c->of[i].n >= ENOUGH) {
        c->families[f].problems++;
        c->families[f].tried += c->of[i].n;
      }
    for (size_t t = 0; t < c->families[f].n; t++)
      weigh_tunable(c, f, t);
  }
}
