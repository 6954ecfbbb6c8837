/* drift.c - what the probes of a run say of the device: see probe.h. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "tuner/device/probe.h"

/* Of the wall time of a train of launches that events should account for:
 * what it takes to start the first and to hear of the last is not theirs. */
#define EVENTS_LOW 0.9
#define EVENTS_HIGH 1.01

void drift_add(struct drift *all, const struct drift *later)
{
  if (later->n == 0)
    return;
  if (all->n == 0)
    all->first = later->first;
  all->last = later->last;
  all->n += later->n;
}

void drift_format(const struct drift *d, struct str *out)
{
  if (d->n == 0)
    return;
  double drift = d->last.us / d->first.us - 1;
  double share = d->last.event_us / d->last.wall_us;
  str_addf(out, "the probe kernel took %.1f us first and %.1f us last, %.1f "
           "%% %s; events see %.1f %% of the wall time%s", d->first.us,
           d->last.us, 100 * fabs(drift), drift > 0 ? "more" : "less",
           100 * share,
           share < EVENTS_LOW || share > EVENTS_HIGH
               ? ": TIMES BY EVENTS ARE NOT TO BE TRUSTED HERE" : "");
}
