/* utilization.c - see utilization.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/utilization.h"

#include "base/clock.h"

void utilization_begin(struct utilization *s)
{
  if (!s->from)
    s->from = clock_now();
}

void utilization_account(struct utilization *s, struct working devices,
                         struct working compilers)
{
  double now = clock_now();
  if (!s->from)
    return;
  if (s->busy)
    *s->busy += now - s->mark;
  s->mark = now;
  if (devices.busy == devices.all)
    s->busy = &s->device;
  else if (compilers.busy == compilers.all)
    s->busy = &s->compilers;
  else if (devices.busy + compilers.busy > 0)
    s->busy = &s->some;
  else
    s->busy = &s->nobody;
}
