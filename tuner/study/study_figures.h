/* study_figures.h - published figures of all families beside ours.
 *
 * A sheet has one row for each figure of an arch, the rows of one study side
 * by side. Sequence: catalogue_open -> sheet_collect -> sheet_run ->
 * sheet_row, sheet_pair -> sheet_free, catalogue_close.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_study_figures_h
#define tuner_study_figures_h

#include "tuner/study/experiment.h"

/* The families that there are, or the one that is asked for. */
struct catalogue {
  size_t n;
  struct family **families;
  char **names; /* as experiment_problem() takes them */
};

/* `only`: a family's name or path, or NULL for all. */
int catalogue_open(struct catalogue *c, const char *folder, const char *only,
                   struct err *e);
void catalogue_close(struct catalogue *c);

struct row {
  const struct figure *figure;
  const char *family; /* as the catalogue names it, which may be a path */
  const char *name;   /* the family's own */
  struct str problem, config; /* that it ran with; may be empty */
  struct outcome outcome;
  double value; /* in the figure's unit; 0: there is none */
};

struct sheet {
  size_t n;
  struct row *rows;
};

/* The figures of an arch; of one study, or with NULL of all. ERR_USAGE with
 * the nearest name where no figure of the arch is of that study. */
int sheet_collect(struct sheet *s, const struct catalogue *c, const char *arch,
                  const char *study, struct err *e);
void sheet_free(struct sheet *s);

/* Run the rows; `say` is told of each study of a family. A row that cannot
 * run has its reason in its outcome; only an interruption is an error. */
int sheet_run(struct sheet *s, struct experiment *l,
              void (*say)(const struct experiment *l, const char *family,
                          const char *what),
              struct err *e);

/* The rows of the study that begins at row i. */
size_t sheet_study(const struct sheet *s, size_t i);

/* --- comparing ----------------------------------------------------------- */

double figure_middle(const struct figure *f);
/* Ours over the middle of the published range. */
double row_ratio(const struct row *r);

enum verdict {
  VERDICT_RANGE, /* in the published range */
  VERDICT_CLOSE, /* within FIGURE_CLOSE of its middle */
  VERDICT_OFF,
};

#define FIGURE_CLOSE 1.15 /* either way */

enum verdict row_verdict(const struct row *r);
const char *verdict_name(enum verdict v); /* "in range", "ok", "off" */

/* Row a over row b: published (the middles), its range, and ours. */
struct pair_ratio {
  double published, low, high, ours;
  enum verdict verdict;
};

/* 0 where the two cannot be compared: other units, or one without a value. */
int rows_compare(const struct row *a, const struct row *b,
                 struct pair_ratio *out);

/* How well a sheet does as a whole. */
struct sheet_totals {
  size_t rows, ran;       /* all; with a value */
  size_t close;           /* in range or close */
  size_t pairs, pairs_ok; /* within studies */
  double median;          /* of the ratios' distance from 1 */
  double worst;
  const struct row *worst_row; /* NULL where nothing ran */
};

struct sheet_totals sheet_totals(const struct sheet *s);

/* Does the row miss by itself or in a pair? Then its note is of interest. */
int row_misses(const struct sheet *s, size_t i);

/* 1 where row i misses and has a note that no row of its family and study
 * before it has told: ids gets all of these that miss and have that note. */
int sheet_note(const struct sheet *s, size_t i, struct str *ids);

#endif
