/* study_report.h - a study as Markdown, for people to read.
 *
 * Sequence: report_head, then for each family report_family,
 * report_winner, report_figures and report_plot, then report_tail. All
 * append to one text.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_study_report_h
#define tuner_study_report_h

#include "tuner/study/study_figures.h"
#include "tuner/study/study_plots.h"

/* Title, what it was made with, and how well the figures are met. `command`
 * is what makes the report again. */
void study_head(struct str *to, const struct experiment *l,
                const struct sheet *s, const char *command);

void study_family(struct str *to, const struct family *f);

/* The default run's winner; row NULL: why there is none. */
void study_winner(struct str *to, const struct record *row, const char *why,
                  const char *command);

/* The family's figures, study by study; nothing where it has none. */
void study_figures(struct str *to, const struct experiment *l,
                   const struct sheet *s, const char *family);

/* A plot; `file` is the picture's, beside the report. */
void study_plot(struct str *to, const struct experiment *l, const struct plot *p,
                const struct drawing *d, const char *file);

void study_tail(struct str *to, const struct experiment *l);

#endif
