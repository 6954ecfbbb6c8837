/* chart.h - the plots that studies show: heat maps and lines.
 *
 * Fill in a chart, chart_draw() it. All texts and numbers stay the caller's.
 * A chart of modelled values says so in the picture: `source` is part of it.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_chart_h
#define tuner_chart_h

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

enum chart_kind {
  CHART_HEAT,  /* a coloured cell for each x and y */
  CHART_LINES, /* a line over x for each y */
};

/* x of both kinds; y of a heat map, or the lines. */
struct chart_axis {
  const char *title;
  size_t n; /* positions, or lines; lines: 0 is one without a name */
  const char *const *names; /* of positions or lines */
};

struct chart {
  enum chart_kind kind;
  const char *title;
  const char *about;  /* a smaller line under the title; "": none */
  const char *source; /* "modelled" or "measured": beside the unit */
  const char *value, *unit; /* "bandwidth", "GB/s" */
  struct chart_axis x, y;
  const double *values; /* values[y * x.n + x]; NAN: there is none */
};

/* Where x has numbers, lines stand at these, on a scale by powers of two
 * where they go up like that; else all positions are equally far apart. */
void chart_script(const struct chart *c, struct str *script);

/* ERR_FAILED as gnuplot_draw(), which may take so many seconds. */
int chart_draw(const struct chart *c, const char *path, double seconds,
               struct err *e);

#endif
