/* trend.c - see trend.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/trend.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

int trend_has(const struct trend *t, const struct subject *a,
              const struct point *p)
{
  return p->state == POINT_OK && t->source == p->source &&
         t->device == p->device && t->arch == a->arch &&
         t->family == a->family;
}

static struct trend *group_of(struct trends *t, const struct nights *s,
                              size_t night, size_t i)
{
  const struct subject *a = &s->subjects[i];
  const struct point *p = &s->list[night].points[i];
  for (size_t k = 0; k < t->n; k++)
    if (trend_has(&t->list[k], a, p))
      return &t->list[k];
  t->list = mem_resize(t->list, (t->n + 1) * sizeof *t->list);
  struct trend *made = &t->list[t->n++];
  *made = (struct trend){.arch = a->arch, .family = a->family,
                         .device = p->device, .source = p->source,
                         .first = night,
                         .speed = mem_array(s->n + 1, sizeof(double))};
  for (size_t k = 0; k < s->n; k++)
    made->speed[k] = NAN;
  return made;
}

static void find_groups(struct trends *t, const struct nights *s)
{
  for (size_t k = 0; k < s->n; k++)
    for (size_t i = 0; i < s->nsubjects; i++)
      if (s->list[k].points[i].state == POINT_OK) {
        struct trend *g = group_of(t, s, k, i);
        g->problems = g->last == k ? g->problems + 1 : 1;
        g->last = k;
      }
}

/* A night against the last before it that has the group: ln of how much faster
 * it is; NAN where they share nothing or the group is not there. */
static double step(const struct nights *s, const struct trend *g, size_t from,
                   size_t to)
{
  double sum = 0;
  size_t n = 0;
  for (size_t i = 0; i < s->nsubjects; i++) {
    const struct point *a = &s->list[from].points[i];
    const struct point *b = &s->list[to].points[i];
    if (trend_has(g, &s->subjects[i], a) && trend_has(g, &s->subjects[i], b)) {
      sum += log(a->time_us / b->time_us);
      n++;
    }
  }
  return n ? sum / (double)n : NAN;
}

static void follow(const struct nights *s, struct trend *g)
{
  size_t from = g->first;
  double at = 0;
  g->speed[from] = 1;
  for (size_t k = from + 1; k <= g->last; k++) {
    double more = step(s, g, from, k);
    if (isnan(more))
      continue;
    at += more;
    g->speed[k] = exp(at);
    from = k;
  }
}

struct trends trends_make(const struct nights *s)
{
  struct trends t = {0};
  find_groups(&t, s);
  for (size_t i = 0; i < t.n; i++)
    follow(s, &t.list[i]);
  return t;
}

void trends_free(struct trends *t)
{
  for (size_t i = 0; i < t->n; i++)
    free(t->list[i].speed);
  free(t->list);
  *t = (struct trends){0};
}
