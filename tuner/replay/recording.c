/* recording.c - see recording.h. */
// SPDX-License-Identifier: MIT
#include "tuner/replay/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tuner/replay/recording_build.h"

struct point {
  struct config config;
  double cost;
};

struct values {
  size_t n;
  char *texts[RECORDING_VALUES];
};

struct recording {
  size_t n; /* tunables */
  char *names[FAMILY_TUNABLES];
  struct values values[FAMILY_TUNABLES];
  size_t npoints, room;
  struct point *points; /* sorted by recording_done() */
  size_t ntimes;
  double *times;
  struct space *space;
};

/* --- filling in ---------------------------------------------------------- */

struct recording *recording_new(void)
{
  return mem_alloc(sizeof(struct recording));
}

int recording_name(struct recording *r, const char *name, struct err *e)
{
  if (r->n == FAMILY_TUNABLES)
    return err_set(e, ERR_FAILED, "more than %d tunables", FAMILY_TUNABLES);
  if (!*name)
    return err_set(e, ERR_FAILED, "a tunable without a name");
  for (size_t i = 0; i < r->n; i++)
    if (!strcmp(r->names[i], name))
      return err_set(e, ERR_FAILED, "the tunable '%.60s' stands twice", name);
  r->names[r->n++] = mem_copy(name);
  return 0;
}

size_t recording_tunables(const struct recording *r)
{
  return r->n;
}

const char *recording_tunable(const struct recording *r, size_t i)
{
  return r->names[i];
}

/* The index of a value, which may be new; -1 where there are too many. */
static int intern(struct values *v, const char *text)
{
  size_t i = 0;
  while (i < v->n && strcmp(v->texts[i], text) != 0)
    i++;
  if (i == RECORDING_VALUES)
    return -1;
  if (i == v->n)
    v->texts[v->n++] = mem_copy(text);
  return (int)i;
}

int recording_add(struct recording *r, const char *const *texts, double cost,
                  struct err *e)
{
  struct point p = {.cost = cost};
  if (!(cost > 0))
    return err_set(e, ERR_FAILED, "the time %g is not above zero", cost);
  for (size_t i = 0; i < r->n; i++) {
    int at = intern(&r->values[i], texts[i]);
    if (at < 0)
      return err_set(e, ERR_FAILED, "'%.60s' has more than %d values",
                     r->names[i], RECORDING_VALUES);
    p.config.at[i] = (uint8_t)at;
  }
  if (r->npoints == r->room) {
    r->room = r->room ? 2 * r->room : 1024;
    r->points = mem_resize(r->points, r->room * sizeof *r->points);
  }
  r->points[r->npoints++] = p;
  return 0;
}

/* --- putting in order ---------------------------------------------------- */

static int as_number(const char *text, double *out)
{
  char *end;
  *out = strtod(text, &end);
  return end > text && !*end && isfinite(*out);
}

struct ranked {
  double key;
  size_t at;
};

static int by_key(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

/* Order the values of tunable t; indices of the points follow. */
static void order(struct recording *r, size_t t)
{
  struct values *v = &r->values[t], old = *v;
  struct ranked list[RECORDING_VALUES];
  uint8_t to[RECORDING_VALUES];
  for (size_t i = 0; i < v->n; i++) {
    list[i].at = i;
    if (!as_number(v->texts[i], &list[i].key))
      return;
  }
  qsort(list, v->n, sizeof *list, by_key);
  for (size_t i = 0; i < v->n; i++) {
    v->texts[i] = old.texts[list[i].at];
    to[list[i].at] = (uint8_t)i;
  }
  for (size_t i = 0; i < r->npoints; i++)
    r->points[i].config.at[t] = to[r->points[i].config.at[t]];
}

static int by_config(const void *a, const void *b)
{
  const struct point *x = a, *y = b;
  return memcmp(&x->config, &y->config, sizeof x->config);
}

static int worst_first(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

static int find_twice(const struct recording *r, struct err *e)
{
  for (size_t i = 1; i < r->npoints; i++)
    if (by_config(&r->points[i - 1], &r->points[i]) == 0) {
      struct str text = {0};
      recording_format(r, &r->points[i].config, &text);
      err_set(e, ERR_FAILED, "%.300s stands twice", str_text(&text));
      str_free(&text);
      return e->code;
    }
  return 0;
}

static void make_space(struct recording *r)
{
  size_t values[FAMILY_TUNABLES];
  struct config *list = mem_array(r->npoints, sizeof *list);
  for (size_t i = 0; i < r->n; i++)
    values[i] = r->values[i].n;
  for (size_t i = 0; i < r->npoints; i++)
    list[i] = r->points[i].config;
  r->space = space_open_list(values, r->n, list, r->npoints);
  free(list);
}

int recording_done(struct recording *r, struct err *e)
{
  for (size_t i = 0; i < r->n; i++)
    order(r, i);
  if (r->npoints)
    qsort(r->points, r->npoints, sizeof *r->points, by_config);
  if (find_twice(r, e))
    return e->code;
  r->times = mem_array(r->npoints + 1, sizeof *r->times);
  for (size_t i = 0; i < r->npoints; i++)
    if (isfinite(r->points[i].cost))
      r->times[r->ntimes++] = r->points[i].cost;
  qsort(r->times, r->ntimes, sizeof *r->times, worst_first);
  if (!r->ntimes)
    return err_set(e, ERR_FAILED, "holds no configuration that was timed");
  make_space(r);
  return 0;
}

/* --- reading ------------------------------------------------------------- */

int recording_parse(struct recording **out, const char *path,
                    const char *bytes, size_t n, struct err *e)
{
  struct recording *r = recording_new();
  size_t i = 0;
  while (i < n && strchr(" \t\r\n", bytes[i]))
    i++;
  int json = i < n && bytes[i] == '{';
  int code = json ? recording_json(r, path, bytes, n, e)
                  : recording_tsv(r, path, bytes, n, e);
  if (!code && recording_done(r, e))
    code = err_prefix(e, "%s", path);
  if (code) {
    recording_close(r);
    r = NULL;
  }
  *out = r;
  return code;
}

int recording_read(struct recording **out, const char *path, struct err *e)
{
  struct str bytes = {0};
  *out = NULL;
  int code = file_read(path, RECORDING_BYTES, &bytes, e);
  if (!code && bytes.len > 1 && !memcmp(bytes.at, "\x1f\x8b", 2))
    code = err_set(e, ERR_FAILED, "%s: is compressed; unpack it with gunzip",
                   path);
  if (!code)
    code = recording_parse(out, path, str_text(&bytes), bytes.len, e);
  str_free(&bytes);
  return code;
}

void recording_close(struct recording *r)
{
  if (!r)
    return;
  for (size_t i = 0; i < r->n; i++) {
    for (size_t j = 0; j < r->values[i].n; j++)
      free(r->values[i].texts[j]);
    free(r->names[i]);
  }
  free(r->points);
  free(r->times);
  space_close(r->space);
  free(r);
}

/* --- asking -------------------------------------------------------------- */

struct space *recording_space(struct recording *r)
{
  return r->space;
}

size_t recording_size(const struct recording *r)
{
  return r->npoints;
}

double recording_cost(const struct recording *r, const struct config *c)
{
  struct point key = {.config = *c};
  const struct point *p = bsearch(&key, r->points, r->npoints,
                                  sizeof *r->points, by_config);
  return p ? p->cost : INFINITY;
}

size_t recording_times(const struct recording *r, const double **times)
{
  *times = r->times;
  return r->ntimes;
}

void recording_format(const struct recording *r, const struct config *c,
                      struct str *out)
{
  for (size_t i = 0; i < r->n; i++)
    str_addf(out, "%s%s=%s", i ? "," : "", r->names[i],
             r->values[i].texts[c->at[i]]);
}
