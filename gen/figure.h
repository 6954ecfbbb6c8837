/* figure.h - what a family says of itself in print: published figures that
 * it rebuilds, and the plots that a study of it draws.
 *
 *   figures = {
 *     { study = "lane", id = "dpp_row_shr", what = "v_mov_b32_dpp row_shr:1",
 *       unit = "Gxchg/s", low = 1778, high = 1784,   -- equal: one figure
 *       problem = { op = "shift" }, config = { path = "dpp", ilp = 4 },
 *       arch = "gfx906",                             -- the default
 *       note = "why ours differs, where that is known" },  -- optional
 *   },
 *   plots = {
 *     { name = "ilp", kind = "lines", title = "Throughput over ILP depth",
 *       x = "ilp", series = "op", value = "gflops",
 *       problem = {}, config = {},
 *       over = { ilp = { 1, 2, 4 } } },              -- instead of all values
 *     { name = "pad_xor", kind = "heat", title = "...", x = "pad", y = "xor",
 *       value = "gbps" },
 *   },
 *
 * `problem` names keys of the problem, the others keep their defaults.
 * `config` names tunables; what the others are is up to whoever runs it. An
 * axis is a tunable or a problem key; a key that is a range needs `over`.
 *
 * All of it is read and checked by family_open() and lives until
 * family_close().
 */
// SPDX-License-Identifier: MIT
#ifndef gen_figure_h
#define gen_figure_h

#include "gen/family.h"

enum {
  FAMILY_FIGURES = 64,
  FAMILY_PLOTS = 16,
  FIGURE_VALUES = 64, /* of an axis */
};

/* What can be told of a run: a rate from its cost, its time, or of requests to the
 * L2 how many multicast saved, where a simulated device counts them. */
struct quantity {
  const char *name;  /* as plots and JSON call it: gbps, gflops, time_us */
  const char *unit;  /* as figures and people call it: GB/s */
  const char *title; /* of an axis: bandwidth */
};

const struct quantity *quantity_at(size_t i); /* NULL past the last */

/* By its name (gbps), or NULL. */
const struct quantity *quantity_find(const char *name);
/* The rate that a plan's runs are known by: of flops (which are integer
 * operations where the peak is a fact called *_ops), else of bytes, else of
 * exchanges; of bytes where the cost states nothing. */
const struct quantity *quantity_rate(const struct plan *p);

/* A launch of this plan took so many microseconds; 0 where the family's cost
 * does not say what the quantity is made of. */
double quantity_of(const struct quantity *q, const struct plan *p, double us);
/* What of cost it is made of: "flops"; "" for the time and for counts. */
const char *quantity_cost(const struct quantity *q);
/* Is it told by counts of the run's record, and by no time? */
int quantity_counted(const struct quantity *q);

/* Problem keys as family_problem() takes them, tunables as a partial
 * config_parse() does. */
struct settings {
  size_t n;
  const char *const *names, *const *texts;
  const char *config;
};

struct figure {
  const char *study, *id, *what, *arch;
  const char *note; /* "": none */
  const struct quantity *quantity;
  double low, high;
  struct settings given;
};

struct axis {
  const char *name; /* NULL: the plot has none */
  const char *meaning;
  int of_problem; /* a problem key, not a tunable */
  size_t n;
  const struct value *values;
};

enum plot_kind {PLOT_HEAT, PLOT_LINES};

struct plot {
  const char *name, *title;
  enum plot_kind kind;
  const struct quantity *quantity;
  struct axis x, y; /* y: the series of lines, which they can do without */
  struct settings given;
};

size_t family_figures(const struct family *f, const struct figure **list);
size_t family_plots(const struct family *f, const struct plot **list);

#endif
