/* study_plots.h - the plots that a family asks for, measured and drawn. */
// SPDX-License-Identifier: MIT
#ifndef tuner_study_plots_h
#define tuner_study_plots_h

#include "tuner/study/experiment.h"

struct drawing {
  size_t points, excluded, failed, left; /* left: the time was up */
  struct str rest;   /* problem and configuration of what is no axis */
  char reason[400];  /* of the first point that failed */
  int drawn;         /* the picture is there */
  char undrawn[400]; /* why it could not be drawn; "": it could, or no point
                      * has a value */
};

/* Measure the points of a plot until at most `until`, and draw it at path
 * before clock_now() is `by`. `winner` (may be NULL) is the configuration, as
 * text, of what the plot leaves open. Where no point has a value nothing is
 * drawn. Only an interruption is an error. drawing_free() in any case. */
int plot_draw(struct experiment *l, const char *family, const struct plot *p,
              const char *winner, double until, const char *path,
              double by, struct drawing *out, struct err *e);
void drawing_free(struct drawing *d);

#endif
