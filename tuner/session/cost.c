/* cost.c - see cost.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/cost.h"

#include <stdio.h>

#include "base/duration.h"

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
