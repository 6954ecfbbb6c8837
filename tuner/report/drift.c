/* drift.c - see drift.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"

enum {
  LOOK_BACK = 14, /* pairs of nights */
  ENOUGH = 20,    /* differences, for a median of them to mean something */
};

/* Only noise lies between the two. */
static int repeated(const struct point *a, const struct point *b)
{
  return a->state == POINT_OK && b->state == POINT_OK &&
         a->source == SOURCE_MEASURED && b->source == SOURCE_MEASURED &&
         a->device == b->device && a->config == b->config &&
         a->made == b->made && a->kernel == b->kernel && a->date != b->date;
}

struct timed point_timed(const struct point *p)
{
  return (struct timed){p->time_us, p->mad_us, p->n};
}

struct gathered {
  double *off, *error;
  size_t n;
};

static void gather(const struct nights *s, const struct night_info *a,
                   const struct night_info *b, struct gathered *g)
{
  for (size_t i = 0; i < s->nsubjects; i++) {
    const struct point *p = &a->points[i], *q = &b->points[i];
    if (!repeated(p, q))
      continue;
    struct timed x = point_timed(p), y = point_timed(q);
    g->off[g->n] = fabs(log(y.us / x.us));
    double s = fmax(judge_spread(&x), judge_spread(&y));
    g->error[g->n++] = judge_error(&x, &y, s);
  }
}

double nights_drift(const struct nights *s, size_t n)
{
  size_t from = n > LOOK_BACK ? n - LOOK_BACK : 0;
  double drift = JUDGE_DRIFT;
  struct gathered g = {0};
  g.off = mem_array((size_t)LOOK_BACK * s->nsubjects + 1, sizeof *g.off);
  g.error = mem_array((size_t)LOOK_BACK * s->nsubjects + 1, sizeof *g.error);
  for (size_t i = from + 1; i < n; i++)
    gather(s, &s->list[i - 1], &s->list[i], &g);
  if (g.n >= ENOUGH) {
    double all = 1.4826 * stats_median(g.off, g.n);
    double own = stats_median(g.error, g.n);
    drift = fmax(drift, sqrt(fmax(0, all * all - own * own)));
  }
  free(g.off);
  free(g.error);
  return drift;
}

static void add(struct noise *sum, const struct point *p,
                const struct point *like)
{
  if (p->state != POINT_OK || p->source != like->source ||
      p->device != like->device)
    return;
  struct timed t = point_timed(p);
  noise_add(sum, &t);
}

/* Was the winner surely timed anew in that night? */
static int is_timed_anew(const struct point *p)
{
  return p->why != WHY_KEPT && p->why != WHY_NEAR;
}

struct noise nights_noise(const struct comparison *c, size_t i)
{
  const struct point *after = &c->after->points[i];
  const struct night_info *list = c->nights->list;
  size_t from = c->earlier > LOOK_BACK ? c->earlier - LOOK_BACK : 0;
  struct noise sum = {0};
  for (size_t k = from; k < c->earlier; k++)
    if (&list[k] != c->before && is_timed_anew(&list[k].points[i]))
      add(&sum, &list[k].points[i], after);
  add(&sum, &c->before->points[i], after);
  add(&sum, after, after);
  return sum;
}
