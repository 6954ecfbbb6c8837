/* cost.c - see cost.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/cost.h"

#include <math.h>
#include <stdio.h>

#include "base/duration.h"
#include "tuner/device/timing.h"

int cost_is_time(const struct record *r)
{
  return !record_get(r, "static_cost");
}

double cost_of(const struct record *r, double missing)
{
  return record_number(r, cost_is_time(r) ? "time_us" : "static_cost", missing);
}

void cost_format(double cost, int is_time, char *out, size_t room)
{
  if (is_time)
    duration_format(cost, out, room);
  else
    snprintf(out, room, "%.6g cycles of static cost", cost);
}

void cost_text(const struct record *r, char *out, size_t room)
{
  cost_format(cost_of(r, 0), cost_is_time(r), out, room);
}

double cost_error(const struct record *r)
{
  return fmax(0, record_number(r, "error_80", 0));
}

void cost_error_text(const struct record *r, char *out, size_t room)
{
  double error = cost_error(r);
  *out = 0;
  if (error > 0)
    snprintf(out, room, "+- %.0f %%", 100 * error);
}

static struct timing timing_of(const struct record *r)
{
  return (struct timing){.us = cost_of(r, 0),
                         .mad_us = record_number(r, "mad_us", 0),
                         .n = (unsigned)record_number(r, "n", 1)};
}

/* The errors of two kernels are taken to be independent, which those of
 * recorded kernels are (tests/suites/bars). */
static int within_errors(const struct record *a, const struct record *b)
{
  double apart = log(cost_of(a, 0) / cost_of(b, 0));
  return fabs(apart) <= hypot(log1p(cost_error(a)), log1p(cost_error(b)));
}

int cost_tie(const struct record *a, const struct record *b)
{
  struct timing x = timing_of(a), y = timing_of(b);
  if (timing_tie(&x, &y))
    return 1;
  return cost_error(a) > 0 && cost_error(b) > 0 && x.us > 0 && y.us > 0 &&
         within_errors(a, b);
}
