/* estimate.c - see estimate.h. */
// SPDX-License-Identifier: MIT
#include "ship/estimate.h"

#include <math.h>

/* Of a gfx906 at 1725 MHz, simulated. With the constants of fit.c they are what lost
 * least of 80 descents from random beginnings: one constant after the other was changed
 * as long as the kernels that are then chosen for sizes of db/gfx906/gemm.table, each
 * left out, lost less (the mean logarithm, and 0.002 for each size that loses more than
 * 15 %). Counted were only the sizes that tests/fitted/losses.awk names; few digits
 * matter. */
static const double launch_us = 1.3;
static const double away_us = 0.36;  /* a step's loads */
static const double unit_bytes = 45e3;  /* loaded in a microsecond by a CU */
static const double result_us = 0.84;
static const double written_bytes = 550e3;  /* in a microsecond by a CU */
static const double card_bytes = 5.5e6;  /* moved in a microsecond */
static const double scratch_bytes = 0.23e6;

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
