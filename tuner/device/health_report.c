/* health_report.c - what the health checks of a run say: see health.h. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "tuner/device/health.h"

/* Of the wall time of a train of launches that events should account for:
 * what it takes to start the first and to hear of the last is not theirs. */
#define EVENTS_LOW 0.9
#define EVENTS_HIGH 1.01

void health_add(struct health *all, const struct health *later)
{
  if (later->n == 0)
    return;
  if (all->n == 0)
    all->first = later->first;
  all->last = later->last;
  all->n += later->n;
}

void health_format(const struct health *h, struct str *out)
{
  if (h->n == 0)
    return;
  double slower = h->last.us / h->first.us - 1;
  double share = h->last.event_us / h->last.wall_us;
  str_addf(out, "the health kernel took %.1f us first and %.1f us last, %.1f "
           "%% %s; events see %.1f %% of the wall time%s", h->first.us,
           h->last.us, 100 * fabs(slower), slower > 0 ? "more" : "less",
           100 * share,
           share < EVENTS_LOW || share > EVENTS_HIGH
               ? ": TIMES BY EVENTS ARE NOT TO BE TRUSTED HERE" : "");
}
