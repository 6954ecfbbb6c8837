/* chart.c - gnuplot scripts of charts: see chart.h. */
// SPDX-License-Identifier: MIT
#include "tuner/study/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/study/gnuplot.h"

enum {
  LABELLED = 18, /* cells a row, at most, with their value written in */
  BESIDE = 150,  /* pixels right of a heat map: colours, numbers, title */
  LEGEND = 8,    /* lines whose names fit beside the plot without shrinking */
};

/* Colours that stay apart for people who cannot tell red from green (Okabe
 * and Ito, "Color Universal Design", 2008). */
static const char *const colours[] = {
  "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
  "#999999",
};

enum {COLOURS = sizeof colours / sizeof *colours};

/* Steps of even lightness from dark to bright, after matplotlib's viridis. */
static const char palette[] =
    "set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', "
    "3 '#2c728e', 4 '#21918c', 5 '#28ae80', 6 '#5ec962', 7 '#addc30', "
    "8 '#fde725')\n";

/* --- parts of every chart ------------------------------------------------ */

static void set_quoted(struct str *s, const char *what, const char *text)
{
  str_addf(s, "set %s ", what);
  gnuplot_quote(s, text);
  str_add(s, "\n");
}

static void add_title(const struct chart *c, struct str *s)
{
  str_add(s, "set title ");
  gnuplot_quote(s, c->title);
  str_addf(s, " offset 0,%s font ',16'\n", *c->about ? "0.6" : "0.3");
  if (!*c->about)
    return;
  str_add(s, "set label 1 ");
  gnuplot_quote(s, c->about);
  str_add(s, " at graph 0.5, graph 1 center offset 0,0.8 font ',11' "
             "textcolor '#555555'\nset tmargin 3.6\n");
}

/* "bandwidth, GB/s (modelled)" */
static void add_value_title(const struct chart *c, const char *which,
                            struct str *s)
{
  struct str text = {0};
  str_addf(&text, "%s, %s (%s)", c->value, c->unit, c->source);
  set_quoted(s, which, text.at);
  str_free(&text);
}

static void add_frame(const struct chart *c, int width, int height,
                      struct str *s)
{
  str_addf(s,
           "set terminal svg size %d,%d dynamic noenhanced font 'sans,14' "
           "background '#ffffff' linewidth 1\n"
           "set encoding utf8\n",
           width, height);
  add_title(c, s);
  set_quoted(s, "xlabel", c->x.title);
  str_add(s, "set border 3 linecolor '#444444'\n"
             "set tics nomirror out scale 0.5 textcolor '#222222'\n");
}

static void add_tics(const char *which, const struct chart_axis *a,
                     const double *at, struct str *s)
{
  str_addf(s, "set %stics (", which);
  for (size_t i = 0; i < a->n; i++) {
    str_add(s, i ? ", " : "");
    gnuplot_quote(s, a->names[i]);
    str_addf(s, " %.9g", at ? at[i] : (double)i);
  }
  str_add(s, ")\n");
}

static void range(const struct chart *c, size_t rows, double *low,
                  double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t i = 0; i < rows * c->x.n; i++)
    if (isfinite(c->values[i])) {
      *low = fmin(*low, c->values[i]);
      *high = fmax(*high, c->values[i]);
    }
  if (*low > *high)
    *low = *high = 0;
}

/* --- heat maps ----------------------------------------------------------- */

static int clamp(double width, double least, double most)
{
  return (int)fmin(fmax(width, least), most);
}

/* Three digits of the value are what a cell has room for. */
static const char *cell_format(double high)
{
  return high >= 100 ? "%.0f" : high >= 10 ? "%.1f" : "%.2f";
}

static void heat(const struct chart *c, struct str *s)
{
  double low, high;
  size_t nx = c->x.n, ny = c->y.n;
  int labelled = nx <= LABELLED;
  int width = clamp(220.0 + 46.0 * (double)nx, 620, 1060);
  range(c, ny, &low, &high);
  add_frame(c, width, clamp(190.0 + 34.0 * (double)ny, 380, 900), s);
  str_addf(s, "set rmargin at screen %.3f\n", 1 - (double)BESIDE / width);
  str_add(s, palette);
  set_quoted(s, "ylabel", c->y.title);
  add_value_title(c, "cblabel", s);
  add_tics("x", &c->x, NULL, s);
  add_tics("y", &c->y, NULL, s);
  str_addf(s, "set xrange [-0.5:%zu.5]\nset yrange [-0.5:%zu.5]\n", nx - 1,
           ny - 1);
  str_addf(s, "set cbrange [%.9g:%.9g]\nset key off\n", fmin(low, 0),
           high > 0 ? high : 1);
  str_add(s, "$data << EOD\n");
  for (size_t y = 0; y < ny; y++)
    for (size_t x = 0; x < nx; x++)
      if (isfinite(c->values[y * nx + x]))
        str_addf(s, "%zu %zu %.9g\n", x, y, c->values[y * nx + x]);
  str_add(s, "EOD\n");
  str_add(s, "plot $data using 1:2:(0.5):(0.5):3 with boxxyerror "
             "fillstyle solid noborder palette notitle");
  if (labelled) {
    double middle = 0.6 * high;
    for (int bright = 0; bright < 2; bright++)
      str_addf(s,
               ", $data using 1:2:($3 %s %.9g ? sprintf('%s', $3) : '') "
               "with labels font ',11' textcolor rgb '%s' notitle",
               bright ? ">=" : "<", middle, cell_format(high),
               bright ? "#000000" : "#ffffff");
  }
  str_add(s, "\n");
}

/* --- lines --------------------------------------------------------------- */

/* The names as numbers, if they all are and go up; 0 if not. */
static int numbers(const struct chart_axis *a, double *out)
{
  for (size_t i = 0; i < a->n; i++) {
    char *end;
    out[i] = strtod(a->names[i], &end);
    if (end == a->names[i] || *end || !isfinite(out[i]) ||
        (i && out[i] <= out[i - 1]))
      return 0;
  }
  return 1;
}

/* Do they grow like powers of two? */
static int geometric(const double *at, size_t n)
{
  return n > 2 && at[0] > 0 && at[n - 1] / at[0] >= 4 &&
         at[n - 1] - at[n - 2] > 1.5 * (at[1] - at[0]);
}

static void add_x(const struct chart *c, double *at, struct str *s)
{
  size_t n = c->x.n;
  int known = numbers(&c->x, at);
  for (size_t i = 0; i < n && !known; i++)
    at[i] = (double)i;
  add_tics("x", &c->x, at, s);
  if (known && geometric(at, n))
    str_addf(s, "set logscale x 2\nset xrange [%.9g:%.9g]\n", at[0] / 1.2,
             at[n - 1] * 1.2);
  else if (n > 1)
    str_addf(s, "set xrange [%.9g:%.9g]\n", at[0] - 0.04 * (at[n - 1] - at[0]),
             at[n - 1] + 0.04 * (at[n - 1] - at[0]));
}

static void add_legend(const struct chart *c, struct str *s)
{
  if (!c->y.n) {
    str_add(s, "set key off\n");
    return;
  }
  str_addf(s, "set key outside right top Left reverse samplen 2 spacing 1.2 "
              "font ',%d' title ", c->y.n > LEGEND ? 11 : 13);
  gnuplot_quote(s, c->y.title);
  str_add(s, " left\n");
}

static void lines(const struct chart *c, struct str *s)
{
  double low, high, *at = mem_array(c->x.n + 1, sizeof *at);
  size_t rows = c->y.n ? c->y.n : 1;
  range(c, rows, &low, &high);
  add_frame(c, 860, 480, s);
  add_value_title(c, "ylabel", s);
  str_add(s, "set grid y linecolor '#dddddd'\n");
  str_addf(s, "set yrange [0:%.9g]\n", high > 0 ? 1.06 * high : 1);
  add_x(c, at, s);
  add_legend(c, s);
  for (size_t y = 0; y < rows; y++) {
    str_addf(s, "$line%zu << EOD\n", y);
    for (size_t x = 0; x < c->x.n; x++)
      if (isfinite(c->values[y * c->x.n + x]))
        str_addf(s, "%.9g %.9g\n", at[x], c->values[y * c->x.n + x]);
      else
        str_add(s, "\n"); /* a gap in the line */
    str_add(s, "EOD\n");
  }
  for (size_t y = 0; y < rows; y++) {
    str_addf(s, "%s$line%zu using 1:2 with linespoints linewidth 2 "
                "pointtype %zu pointsize 0.7 linecolor '%s' ",
             y ? ", " : "plot ", y, 5 + 2 * (y % 5), colours[y % COLOURS]);
    if (c->y.n) {
      str_add(s, "title ");
      gnuplot_quote(s, c->y.names[y]);
    } else {
      str_add(s, "notitle");
    }
  }
  str_add(s, "\n");
  free(at);
}

void chart_script(const struct chart *c, struct str *script)
{
  (c->kind == CHART_HEAT ? heat : lines)(c, script);
}

int chart_draw(const struct chart *c, const char *path, double seconds,
               struct err *e)
{
  struct str script = {0};
  chart_script(c, &script);
  int failed = gnuplot_draw(script.at, path, seconds, e);
  str_free(&script);
  return failed;
}
