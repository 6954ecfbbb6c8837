/* barrier.c - do all waves of a workgroup meet at the same barrier?
 *
 * The hardware counts: it lets waves go when all that have not ended are at some
 * s_barrier. That a wave has ended, or waits at another one, is found here all
 * the same: in HIP all threads of a workgroup have to reach the same barrier, and
 * what was to be exchanged there was not.
 */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/check/inside.h"

static struct side side_of(struct check *c, const struct group *g, uint32_t n,
                           const char *did)
{
  struct group_check *s = g->watched;
  return (struct side){site_last(c, &s->waves[n], &g->waves[n]), did, n, -1,
                       s->index};
}

static struct side waits(struct check *c, const struct group *g, uint32_t n)
{
  struct group_check *s = g->watched;
  struct side side = side_of(c, g, n, "waited at by");
  side.site = s->waves[n].barrier;
  return side;
}

static uint32_t first_that_waits(const struct group *g)
{
  uint32_t n = 0;
  while (n < g->nwaves && g->waves[n].state != WAVE_BARRIER)
    n++;
  return n;
}

/* Report each wave that is not at the barrier where the first one waits. */
static void report_others(struct check *c, const struct group *g,
                          uint32_t first)
{
  struct group_check *s = g->watched;
  for (uint32_t n = 0; n < g->nwaves && c->kinds & CHECK_BARRIER; n++)
    if (g->waves[n].state == WAVE_END)
      report(c, CHECK_BARRIER, s, waits(c, g, first),
             side_of(c, g, n, "where it ended:"),
             "not all %u waves reach it", g->nwaves);
    else if (s->waves[n].barrier != s->waves[first].barrier)
      report(c, CHECK_BARRIER, s, waits(c, g, first), waits(c, g, n),
             "waves wait at two of them");
}

void barrier_meet(struct check *c, const struct group *g)
{
  report_others(c, g, first_that_waits(g));
}

void barrier_met(struct check *c, const struct group *g)
{
  uint32_t first = 0;
  while (first + 1 < g->nwaves && g->waves[first].state == WAVE_END)
    first++;
  report_others(c, g, first);
}

void barrier_end(struct check *c, const struct group *g)
{
  uint32_t first = first_that_waits(g);
  if (first == g->nwaves || !(c->kinds & CHECK_BARRIER))
    return;
  for (uint32_t n = 0; n < g->nwaves; n++)
    if (g->waves[n].state == WAVE_FAULT &&
        g->waves[n].fault.code == FAULT_TIMEOUT)
      report(c, CHECK_BARRIER, g->watched, waits(c, g, first),
             side_of(c, g, n, "still running there:"),
             "not all %u waves reach it", g->nwaves);
}
