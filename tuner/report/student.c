/* student.c - Student's distribution: see judge.h. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "tuner/report/judge.h"

enum {TERMS = 400};

/* The next convergent of a continued fraction 1 + a1/(1 + a2/(1 + ...)), by
 * Lentz's method: c and d are its ratios of numerators and denominators. */
static double lentz(double a, double *c, double *d)
{
  *d = 1 / (1 + a * *d);
  *c = 1 + a / *c;
  return *c * *d;
}

/* The continued fraction of the incomplete beta function (Abramowitz and
 * Stegun, 26.5.8), two terms at a time. */
static double fraction(double a, double b, double x)
{
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), product = d;
  for (int m = 1; m < TERMS; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    product *= lentz(even, &c, &d);
    double last = lentz(odd, &c, &d);
    product *= last;
    if (fabs(last - 1) < 1e-13)
      break;
  }
  return product;
}

/* I_x(a, b) */
static double incomplete_beta(double a, double b, double x)
{
  if (x <= 0 || x >= 1)
    return x >= 1;
  double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
                     b * log1p(-x));
  if (x < (a + 1) / (a + b + 2))
    return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, 1 - x) / b;
}

double student_tails(double x, double freedom)
{
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + x * x));
}
