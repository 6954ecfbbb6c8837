/* stats.c - see stats.h. */
// SPDX-License-Identifier: MIT
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int order(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts x. */
static double middle(double *x, size_t n)
{
  qsort(x, n, sizeof *x, order);
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double stats_median(const double *x, size_t n)
{
  double *copy = mem_array(n, sizeof *copy);
  memcpy(copy, x, n * sizeof *copy);
  double median = middle(copy, n);
  free(copy);
  return median;
}

double stats_mad(const double *x, size_t n)
{
  double median = stats_median(x, n);
  double *off = mem_array(n, sizeof *off);
  for (size_t i = 0; i < n; i++)
    off[i] = fabs(x[i] - median);
  double mad = middle(off, n);
  free(off);
  return mad;
}

double stats_half_width(double mad, size_t n)
{
  return 1.96 * 1.2533 * 1.4826 * mad / sqrt((double)n);
}
