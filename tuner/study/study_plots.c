/* study_plots.c - see study_plots.h.
 *
 * Points of one problem go through one session; an axis that is a problem
 * key makes as many problems as it has values.
 */
// SPDX-License-Identifier: MIT
#include "tuner/study/study_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/study/chart.h"
#include "base/clock.h"
#include "tuner/study/gnuplot.h"

enum {SIDEWAYS = 44}; /* letters that fit along the height of a picture */

struct work {
  struct experiment *experiment;
  const char *family;
  const struct plot *plot;
  const char *winner;
  double until;
  size_t nx, ny;
  double *values; /* [y * nx + x] */
  struct drawing *out;
};

/* A value of an axis as text, in memory of the caller's. */
static const char *axis_text(const struct axis *a, size_t i, char *out,
                             size_t room)
{
  value_format(&a->values[i], out, room);
  return out;
}

/* --- one problem --------------------------------------------------------- */

/* Values x0..x1 and y0..y1 of the axes that are tunables, and the one of each
 * that is a key. */
struct part {
  size_t x0, x1, y0, y1;
};

static int open_problem(const struct work *w, const struct part *part,
                        struct setup *s, struct err *e)
{
  const struct plot *p = w->plot;
  const char *names[FAMILY_KEYS], *texts[FAMILY_KEYS];
  char x[64], y[64];
  size_t n = p->given.n;
  for (size_t i = 0; i < n; i++) {
    names[i] = p->given.names[i];
    texts[i] = p->given.texts[i];
  }
  if (p->x.of_problem) {
    names[n] = p->x.name;
    texts[n++] = axis_text(&p->x, part->x0, x, sizeof x);
  }
  if (p->y.name && p->y.of_problem) {
    names[n] = p->y.name;
    texts[n++] = axis_text(&p->y, part->y0, y, sizeof y);
  }
  return experiment_problem(w->experiment, w->family, names, texts, n, s, e);
}

/* What the points have in common: the plot's configuration, the rest of it
 * from the winner, or from the first legal one that agrees. */
static void common(const struct work *w, const struct setup *s,
                   struct config *c)
{
  const char *given = w->plot->given.config;
  struct config base = {0};
  int has = w->winner &&
            !config_parse(s->task.family, w->winner, 0, &base, NULL);
  if (setup_config(s, has ? &base : NULL, given, c, NULL))
    config_parse(s->task.family, given, 1, c, NULL);
}

static void set_axis(const struct setup *s, const struct axis *a, size_t i,
                     struct config *c)
{
  char value[64], text[128];
  if (!a->name || a->of_problem)
    return;
  axis_text(a, i, value, sizeof value);
  snprintf(text, sizeof text, "%s=%s", a->name, value);
  config_parse(s->task.family, text, 1, c, NULL);
}

static int is_axis(const struct axis *a, const char *pair)
{
  size_t n = a->name ? strlen(a->name) : 0;
  return n && !strncmp(pair, a->name, n) && pair[n] == '=';
}

/* Of a list of name=value those that are no axis. */
static void add_others(const struct plot *p, const char *list, struct str *to)
{
  const char *between = "";
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, ",");
    if (!is_axis(&p->x, at) && !is_axis(&p->y, at)) {
      str_addf(to, "%s%.*s", between, (int)n, at);
      between = ",";
    }
    at += n + (at[n] == ',');
  }
}

static void describe(const struct work *w, const struct setup *s,
                     const struct config *c)
{
  struct str *rest = &w->out->rest;
  if (rest->len)
    return;
  struct str config = {0};
  config_format(s->task.family, c, &config);
  str_add(rest, "problem `");
  add_others(w->plot, str_text(&s->task.problem_text), rest);
  str_add(rest, "`, configuration `");
  add_others(w->plot, str_text(&config), rest);
  str_add(rest, "`");
  str_free(&config);
}

static void take_point(struct work *w, const struct setup *s,
                       const struct config *c, const struct outcome *o,
                       double *value)
{
  struct drawing *d = w->out;
  d->points++;
  if (!o->done) {
    d->left++;
  } else if (o->status == STATUS_RULE) {
    d->excluded++;
  } else if (o->status == STATUS_OK) {
    const struct quantity *q = w->plot->quantity;
    double v = setup_value(s, c, q, o->us);
    *value = quantity_counted(q) ? o->saved : v > 0 ? v : NAN;
  } else {
    if (!d->failed++)
      snprintf(d->reason, sizeof d->reason, "%s", o->reason);
  }
}

static int run_part(struct work *w, const struct part *part, struct err *e)
{
  struct setup s;
  struct config base;
  size_t n = (part->x1 - part->x0) * (part->y1 - part->y0), i = 0;
  struct err why = {0};
  if (open_problem(w, part, &s, &why)) {
    w->out->points += n;
    if (!w->out->failed)
      snprintf(w->out->reason, sizeof w->out->reason, "%.390s", why.text);
    w->out->failed += n;
    setup_close(&s);
    return 0;
  }
  struct config *configs = mem_array(n, sizeof *configs);
  struct outcome *outcomes = mem_array(n, sizeof *outcomes);
  common(w, &s, &base);
  describe(w, &s, &base);
  for (size_t y = part->y0; y < part->y1; y++)
    for (size_t x = part->x0; x < part->x1; x++, i++) {
      configs[i] = base;
      set_axis(&s, &w->plot->x, x, &configs[i]);
      set_axis(&s, &w->plot->y, y, &configs[i]);
    }
  int code = experiment_try(w->experiment, &s, configs, n, outcomes, w->until,
                            e);
  i = 0;
  for (size_t y = part->y0; y < part->y1 && !code; y++)
    for (size_t x = part->x0; x < part->x1; x++, i++)
      take_point(w, &s, &configs[i], &outcomes[i],
                 &w->values[y * w->nx + x]);
  free(configs);
  free(outcomes);
  setup_close(&s);
  return code;
}

/* --- all of them --------------------------------------------------------- */

static int run_all(struct work *w, struct err *e)
{
  const struct plot *p = w->plot;
  size_t dx = p->x.of_problem ? 1 : w->nx;
  size_t dy = p->y.name && p->y.of_problem ? 1 : w->ny;
  int code = 0;
  for (size_t y = 0; y < w->ny && !code; y += dy)
    for (size_t x = 0; x < w->nx && !code; x += dx)
      code = run_part(w, &(struct part){x, x + dx, y, y + dy}, e);
  return code;
}

static const char **axis_names(const struct axis *a, size_t n)
{
  const char **names = mem_array(n + 1, sizeof *names + 64);
  char *texts = (char *)(names + n + 1);
  for (size_t i = 0; a->name && i < n; i++)
    names[i] = axis_text(a, i, texts + 64 * i, 64);
  return names;
}

static void draw(const struct work *w, const char *path, double by)
{
  const struct plot *p = w->plot;
  const struct experiment *l = w->experiment;
  const char **x = axis_names(&p->x, w->nx), **y = axis_names(&p->y, w->ny);
  char about[300], x_title[200], y_title[200] = "";
  const char *slash = strrchr(w->family, '/');
  snprintf(about, sizeof about, "tune %s, %s", slash ? slash + 1 : w->family,
           l->target.device->name);
  if (w->out->left)
    snprintf(about + strlen(about), sizeof about - strlen(about),
             "; %zu of %zu points, the time was up",
             w->out->points - w->out->left, w->out->points);
  snprintf(x_title, sizeof x_title, "%s: %s", p->x.name, p->x.meaning);
  if (p->y.name && p->kind == PLOT_HEAT &&
      strlen(p->y.name) + strlen(p->y.meaning) + 2 <= SIDEWAYS)
    snprintf(y_title, sizeof y_title, "%s: %s", p->y.name, p->y.meaning);
  else if (p->y.name)
    snprintf(y_title, sizeof y_title, "%s", p->y.name);
  struct chart c = {
    .kind = p->kind == PLOT_HEAT ? CHART_HEAT : CHART_LINES,
    .title = p->title, .about = about,
    .source = device_source(l->target.device), .value = p->quantity->title,
    .unit = p->quantity->unit, .x = {x_title, w->nx, x},
    .y = {y_title, p->y.name ? w->ny : 0, y}, .values = w->values,
  };
  struct err why;
  double left = fmax(1, fmin(by - clock_now(), GNUPLOT_SECONDS));
  w->out->drawn = !chart_draw(&c, path, left, &why);
  if (!w->out->drawn)
    snprintf(w->out->undrawn, sizeof w->out->undrawn, "%.390s", why.text);
  free(x);
  free(y);
}

int plot_draw(struct experiment *l, const char *family, const struct plot *p,
              const char *winner, double until, const char *path,
              double by, struct drawing *out, struct err *e)
{
  *out = (struct drawing){0};
  struct work w = { l, family, p, winner, until, p->x.n,
                    p->y.name ? p->y.n : 1, NULL, out };
  size_t n = w.nx * w.ny, known = 0;
  w.values = mem_array(n, sizeof *w.values);
  for (size_t i = 0; i < n; i++)
    w.values[i] = NAN;
  int code = run_all(&w, e);
  for (size_t i = 0; i < n; i++)
    known += isfinite(w.values[i]) != 0;
  if (!code && known)
    draw(&w, path, by);
  free(w.values);
  return code;
}

void drawing_free(struct drawing *d)
{
  str_free(&d->rest);
}
