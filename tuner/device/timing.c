/* timing.c - see timing.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/timing.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/stats.h"

struct timing_rule timing_rule(int exact, double precision, double best_us)
{
  return (struct timing_rule){.exact = exact, .warmups = 5, .min = 7,
                              .max = 101, .precision = precision,
                              .seconds = 5, .best_us = best_us, .drop = 2};
}

/* Queueing two launches and two events takes a host some 10 us. */
enum {SHORT_US = 500, LEAD_US = 40, LEADS = 16};

unsigned timing_leads(double us)
{
  if (!(us > 0) || us >= SHORT_US)
    return 0;
  return (unsigned)fmin(LEADS, ceil(LEAD_US / us));
}

static struct timing conclude(const double *us, size_t n)
{
  return (struct timing){.us = stats_median(us, n),
                         .mad_us = stats_mad(us, n), .n = (unsigned)n};
}

static int settled(const struct timing_rule *rule, const double *us, size_t n)
{
  if (n < rule->min)
    return 0;
  struct timing t = conclude(us, n);
  return stats_half_width(t.mad_us, n) <= rule->precision * t.us;
}

/* Seconds between looks at the device. */
#define LOOK_EVERY 0.25

/* Look, if it is time; *next is the time of the next look, 0 for now. */
static int look(const struct stopwatch *w, size_t which, double *next,
                struct err *e)
{
  if (!w->look || w->now(w->user) < *next)
    return 0;
  *next = w->now(w->user) + LOOK_EVERY;
  return w->look(w->user, which, e);
}

/* What used up its time was looked at meanwhile. */
static int look_at_last(const struct stopwatch *w, double end, struct err *e)
{
  double next = 0;
  return w->now(w->user) < end ? look(w, 0, &next, e) : 0;
}

static int once(const struct stopwatch *w, struct timing *out, struct err *e)
{
  *out = (struct timing){.n = 1};
  return w->launch(w->user, 0, &out->us, e);
}

/* The last one is a look, where there is something to be seen. */
static int warm_up(const struct timing_rule *rule, const struct stopwatch *w,
                   double end, double *next, struct err *e)
{
  double warm;
  for (unsigned i = 0; i < rule->warmups && w->now(w->user) < end; i++) {
    int last = w->look && i + 1 == rule->warmups;
    if (last ? look(w, 0, next, e) : w->launch(w->user, 0, &warm, e))
      return e->code;
  }
  return 0;
}

static int dropped(const struct timing_rule *rule, const double *us, size_t n)
{
  return n == 1 && rule->best_us > 0 && us[0] > rule->drop * rule->best_us;
}

int timing_run(const struct timing_rule *rule, const struct stopwatch *w,
               struct timing *out, struct err *e)
{
  if (rule->exact)
    return once(w, out, e);
  double end = w->now(w->user) + rule->seconds, next = 0;
  if (warm_up(rule, w, end, &next, e))
    return e->code;
  double *us = mem_array(rule->max, sizeof *us);
  size_t n = 0;
  int code = 0;
  do {
    code = w->launch(w->user, 0, &us[n], e);
    n += !code;
    if (code || dropped(rule, us, n))
      break;
    code = look(w, 0, &next, e);
  } while (!code && n < rule->max && !settled(rule, us, n) &&
           w->now(w->user) < end);
  if (!code && !dropped(rule, us, n))
    code = look_at_last(w, end, e);
  if (!code)
    *out = conclude(us, n);
  free(us);
  return code;
}

/* One launch of each; us[i] is candidate i's next sample. */
static int round_of_all(const struct stopwatch *w, size_t n, double *us,
                        size_t stride, struct err *e)
{
  for (size_t i = 0; i < n; i++)
    if (w->launch(w->user, i, &us[i * stride], e))
      return e->code;
  return 0;
}

static int all_settled(const struct timing_rule *rule, const double *us,
                       size_t n, size_t rounds)
{
  for (size_t i = 0; i < n; i++)
    if (!settled(rule, us + i * rule->max, rounds))
      return 0;
  return 1;
}

int timing_finals(const struct timing_rule *rule, const struct stopwatch *w,
                  size_t n, struct timing *out, struct err *e)
{
  double end = w->now(w->user) + rule->seconds * (double)n, next = 0;
  double *us = mem_array(n * rule->max, sizeof *us);
  int code = 0;
  for (unsigned i = 0; !code && i < rule->warmups; i++)
    code = round_of_all(w, n, us, rule->max, e);
  size_t rounds = 0;
  while (!code && rounds < rule->max && !all_settled(rule, us, n, rounds) &&
         (rounds == 0 || w->now(w->user) < end)) {
    code = look(w, rounds % n, &next, e);
    if (!code)
      code = round_of_all(w, n, us + rounds, rule->max, e);
    rounds += !code;
  }
  if (!code)
    code = look_at_last(w, end, e);
  for (size_t i = 0; !code && i < n; i++)
    out[i] = conclude(us + i * rule->max, rounds);
  free(us);
  return code;
}

int timing_tie(const struct timing *a, const struct timing *b)
{
  double wa = stats_half_width(a->mad_us, a->n);
  double wb = stats_half_width(b->mad_us, b->n);
  return fabs(a->us - b->us) <= sqrt(wa * wa + wb * wb);
}
