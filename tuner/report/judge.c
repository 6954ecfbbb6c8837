/* judge.c - see judge.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/stats.h"

#define EFFICIENCY 0.37 /* of the MAD */

static const double half_pi = 1.5707963267948966;

double judge_spread(const struct timed *t)
{
  return 1.4826 * t->mad_us / t->us;
}

void noise_add(struct noise *s, const struct timed *t)
{
  double freedom = t->n > 1 ? EFFICIENCY * (t->n - 1) : 0;
  double spread = judge_spread(t);
  s->freedom += freedom;
  s->sum += freedom * spread * spread;
}

double judge_error(const struct timed *a, const struct timed *b, double s)
{
  return s * sqrt(half_pi * (1.0 / a->n + 1.0 / b->n));
}

/* --- Holm ---------------------------------------------------------------- */

struct place {
  double p;
  size_t at;
};

static int order(const void *a, const void *b)
{
  double x = ((const struct place *)a)->p, y = ((const struct place *)b)->p;
  return (x > y) - (x < y);
}

void judge_holm(const double *p, size_t n, double alpha, int *alarm)
{
  struct place *sorted = mem_array(n + 1, sizeof *sorted);
  for (size_t i = 0; i < n; i++) {
    sorted[i] = (struct place){p[i], i};
    alarm[i] = 0;
  }
  qsort(sorted, n, sizeof *sorted, order);
  for (size_t i = 0; i < n && sorted[i].p <= alpha / (double)(n - i); i++)
    alarm[sorted[i].at] = 1;
  free(sorted);
}

/* --- all pairs ----------------------------------------------------------- */

/* The median over all problems of their squared spread. */
static double usual(const struct pair_timed *list, size_t n)
{
  double *s = mem_array(n + 1, sizeof *s);
  size_t known = 0;
  for (size_t i = 0; i < n; i++)
    if (list[i].noise.freedom > 0)
      s[known++] = list[i].noise.sum / list[i].noise.freedom;
  double median = known ? stats_median(s, known) : 0;
  free(s);
  return median;
}

static struct judged judge_one(const struct pair_timed *x, double usually,
                               double drift)
{
  double known = x->noise.freedom + JUDGE_PRIOR;
  double s = sqrt((x->noise.sum + JUDGE_PRIOR * usually) / known);
  double error = judge_error(&x->before, &x->after, s);
  double se = hypot(error, drift), share = error > 0 ? se / error : 1e3;
  struct judged out = {.d = log(x->after.us / x->before.us), .se = se,
                       .freedom = fmin(1e6, known * pow(share, 4))};
  out.p = student_tails(out.d / se, out.freedom);
  return out;
}

void judge_all(const struct pair_timed *list, size_t n, double drift,
               struct judged *out)
{
  double usually = usual(list, n);
  double *p = mem_array(n + 1, sizeof *p);
  int *alarm = mem_array(n + 1, sizeof *alarm);
  for (size_t i = 0; i < n; i++) {
    out[i] = judge_one(&list[i], usually, drift);
    p[i] = out[i].p;
  }
  judge_holm(p, n, JUDGE_ALPHA, alarm);
  for (size_t i = 0; i < n; i++)
    out[i].alarm = alarm[i];
  free(alarm);
  free(p);
}

double judge_least(const struct judged *j, size_t n)
{
  double low = 0, high = 1e4;
  while (n && high - low > 1e-4) {
    double middle = (low + high) / 2;
    if (student_tails(middle, j->freedom) > JUDGE_ALPHA / (double)n)
      low = middle;
    else
      high = middle;
  }
  return high * j->se;
}
