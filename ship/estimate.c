/* estimate.c - see estimate.h. */
// SPDX-License-Identifier: MIT
#include "ship/estimate.h"

#include <math.h>

/* Of a gfx906 at 1725 MHz, simulated. Found first by least absolute errors of the
 * logarithm of the quotient of two times of one kernel, over pairs of sizes of
 * db/gfx906/gemm.table that tests/fitted/losses.awk names, then changed one by
 * one as long as the kernels that they choose lost less; few digits matter. */
static const double launch_us = 2;
static const double away_us = 1.3;      /* a step's loads */
static const double unit_bytes = 60e3;  /* loaded in a microsecond by a CU */
static const double result_us = 0.3;
static const double written_bytes = 16e3;   /* in a microsecond by a CU */
static const double card_bytes = 3.3e6; /* moved in a microsecond */
static const double scratch_bytes = 0.43e6;

static double hypotenuse(double a, double b)
{
  return sqrt(a * a + b * b);
}

/* So many workgroups beside each other. */
static double round_us(const struct effort *w, double n)
{
  double done = n * w->us, loaded = n * w->bytes / unit_bytes;
  double step = hypotenuse(away_us, hypotenuse(done, loaded));
  double result = result_us + n * w->written / written_bytes;
  return w->steps * step + w->results * result;
}

double estimate_us(const struct effort *w, double cus)
{
  double busiest = ceil(w->groups / cus);
  double full = floor(busiest / w->resident);
  double rest = busiest - full * w->resident;
  double us = full * round_us(w, w->resident);
  if (rest > 0)
    us += round_us(w, rest);
  return launch_us * w->launches + hypotenuse(us, w->moved / card_bytes) +
         w->scratch / scratch_bytes;
}
