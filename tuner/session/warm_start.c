/* warm_start.c - see warm_start.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/warm_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/session/shipped.h"

#define FAR 1e3 /* more than the logs of all ratios together */

struct ranked {
  const struct record *row;
  double distance;
  size_t number; /* in the table, which is sorted */
};

/* The value of a key in "m=64,n=32,layout=nn", "" where it has none. */
static void take_value(const char *pairs, const char *name, char *out,
                       size_t room)
{
  size_t n = strlen(name);
  *out = 0;
  for (; pairs; pairs = strchr(pairs, ',')) {
    pairs += *pairs == ',';
    if (strncmp(pairs, name, n) || pairs[n] != '=')
      continue;
    size_t length = strcspn(pairs + n + 1, ",");
    length = length < room ? length : room - 1;
    memcpy(out, pairs + n + 1, length);
    out[length] = 0;
    return;
  }
}

/* Of 0, or of two signs, there is no ratio. */
static double apart(const struct value *v, const char *there)
{
  char here[64], *end;
  value_format(v, here, sizeof here);
  if (!strcmp(here, there))
    return 0;
  double a = v->kind == VALUE_INT ? (double)v->i : v->d;
  double b = strtod(there, &end);
  if (v->kind == VALUE_STR || *end || !(a / b > 0) || !isfinite(a / b))
    return FAR;
  return fabs(log2(a / b));
}

/* Is the row's field another than this run's? */
static int differ(const struct warm_start_query *q, const struct record *row,
                  const char *name)
{
  return strcmp(record_text(row, name), record_text(q->identity, name)) != 0;
}

static double distance(const struct warm_start_query *q,
                       const struct record *row)
{
  static const char *const conditions[] = {"device", "cus", "source", "hot"};
  const struct key *keys;
  double sum = 0;
  size_t n = family_keys(q->family, &keys);
  for (size_t i = 0; i < n; i++) {
    char there[64];
    take_value(record_text(row, "problem"), keys[i].name, there, sizeof there);
    if (!*there && keys[i].quiet)
      value_format(&keys[i].standard, there, sizeof there);
    sum += apart(&q->problem->values[i], there);
  }
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (differ(q, row, conditions[i]))
      sum += FAR;
  return sum;
}

/* Was it made with what this run is made with? */
static int is_current(const struct warm_start_query *q,
                      const struct record *row)
{
  static const char *const makers[] = {"template", "compiler", "runtime"};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (differ(q, row, makers[i]))
      return 0;
  return 1;
}

/* The problem's own row is no news where the journal has what it was chosen from: it
 * was made with what this run is made with, here, and is as old as the first result or
 * newer. */
static int is_news(const struct warm_start_query *q, const struct record *row)
{
  return !is_current(q, row) || shipped_row(row) || !q->first ||
         strcmp(record_text(row, "date"), q->first) < 0;
}

static int wanted(const struct warm_start_query *q, const struct record *row,
                  double away)
{
  return (away > 0 || is_news(q, row)) &&
         (!q->before || strcmp(record_text(row, "date"), q->before) <= 0);
}

static int nearer(const void *left, const void *right)
{
  const struct ranked *a = left, *b = right;
  if (a->distance != b->distance)
    return a->distance < b->distance ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static void add(const struct warm_start_query *q, const struct record *row,
                const char *field, struct config out[WARM_START_MOST],
                size_t *n)
{
  struct config c;
  if (*n < WARM_START_MOST &&
      !config_parse_older(q->family, record_text(row, field), &c, NULL) &&
      !space_rule(q->space, &c) && !config_among(out, *n, &c))
    out[(*n)++] = c;
}

size_t warm_start_find(const struct table *t, const struct warm_start_query *q,
                       struct config out[WARM_START_MOST])
{
  size_t rows = table_size(t), n = 0, found = 0;
  struct ranked *list = mem_array(rows + 1, sizeof *list);
  for (size_t i = 0; i < rows; i++) {
    const struct record *row = table_row(t, i);
    double away = distance(q, row);
    if (wanted(q, row, away))
      list[n++] = (struct ranked){row, away, i};
  }
  qsort(list, n, sizeof *list, nearer);
  for (size_t i = 0; i < n && found < WARM_START_MOST; i++) {
    add(q, list[i].row, "config", out, &found);
    if (list[i].distance <= 0)
      add(q, list[i].row, "runner_up", out, &found);
  }
  free(list);
  return found;
}
