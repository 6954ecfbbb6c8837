/* study_compare.c - ours against published: see study_figures.h. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"
#include "tuner/study/study_figures.h"

/* How far apart, as a ratio of at least 1. */
static double apart(double a, double b)
{
  return a > b ? a / b : b / a;
}

static enum verdict judge(double ours, double middle, double low, double high)
{
  if (ours >= low && ours <= high)
    return VERDICT_RANGE;
  return apart(ours, middle) <= FIGURE_CLOSE ? VERDICT_CLOSE : VERDICT_OFF;
}

const char *verdict_name(enum verdict v)
{
  static const char *const names[] = {"in range", "ok", "off"};
  return names[v];
}

double figure_middle(const struct figure *f)
{
  return 0.5 * (f->low + f->high);
}

double row_ratio(const struct row *r)
{
  return r->value / figure_middle(r->figure);
}

enum verdict row_verdict(const struct row *r)
{
  const struct figure *f = r->figure;
  return judge(r->value, figure_middle(f), f->low, f->high);
}

int rows_compare(const struct row *a, const struct row *b,
                 struct pair_ratio *out)
{
  const struct figure *f = a->figure, *g = b->figure;
  if (f->quantity != g->quantity || a->value <= 0 || b->value <= 0)
    return 0;
  *out = (struct pair_ratio){
    .published = figure_middle(f) / figure_middle(g),
    .low = f->low / g->high,
    .high = f->high / g->low,
    .ours = a->value / b->value,
  };
  out->verdict = judge(out->ours, out->published, out->low, out->high);
  return 1;
}

/* Both ways off count alike: half is as far as double. */
static double distance(const struct row *r)
{
  return apart(r->value, figure_middle(r->figure)) - 1;
}

static void add_pairs(const struct sheet *s, size_t i, struct sheet_totals *t)
{
  size_t end = i + sheet_study(s, i);
  struct pair_ratio p;
  for (size_t a = i; a < end; a++)
    for (size_t b = a + 1; b < end; b++)
      if (rows_compare(&s->rows[a], &s->rows[b], &p)) {
        t->pairs++;
        t->pairs_ok += p.verdict != VERDICT_OFF;
      }
}

struct sheet_totals sheet_totals(const struct sheet *s)
{
  struct sheet_totals t = {.rows = s->n};
  double *all = mem_array(s->n + 1, sizeof *all);
  for (size_t i = 0; i < s->n; i++) {
    const struct row *r = &s->rows[i];
    if (r->value <= 0)
      continue;
    double d = all[t.ran++] = distance(r);
    t.close += row_verdict(r) != VERDICT_OFF;
    if (!t.worst_row || d > t.worst) {
      t.worst = d;
      t.worst_row = r;
    }
  }
  if (t.ran)
    t.median = stats_median(all, t.ran);
  for (size_t i = 0; i < s->n; i += sheet_study(s, i))
    add_pairs(s, i, &t);
  free(all);
  return t;
}

/* The first row of the study that row i is of. */
static size_t study_of(const struct sheet *s, size_t i)
{
  while (i > 0 && sheet_study(s, i - 1) > 1)
    i--;
  return i;
}

int row_misses(const struct sheet *s, size_t i)
{
  struct pair_ratio p;
  size_t from = study_of(s, i);
  if (s->rows[i].value > 0 && row_verdict(&s->rows[i]) == VERDICT_OFF)
    return 1;
  for (size_t j = from; j < from + sheet_study(s, from); j++)
    if (rows_compare(&s->rows[i], &s->rows[j], &p) &&
        p.verdict == VERDICT_OFF)
      return 1;
  return 0;
}

static int same_note(const struct sheet *s, size_t i, size_t j)
{
  const struct row *a = &s->rows[i], *b = &s->rows[j];
  return !strcmp(a->family, b->family) &&
         !strcmp(a->figure->note, b->figure->note) && row_misses(s, j);
}

int sheet_note(const struct sheet *s, size_t i, struct str *ids)
{
  size_t from = study_of(s, i), end = from + sheet_study(s, from);
  if (!*s->rows[i].figure->note || !row_misses(s, i))
    return 0;
  for (size_t j = from; j < i; j++)
    if (same_note(s, i, j))
      return 0;
  for (size_t j = i; j < end; j++)
    if (same_note(s, i, j))
      str_addf(ids, "%s%s", j > i ? ", " : "", s->rows[j].figure->id);
  return 1;
}
