/* progress.h - how far a session is: a bar on a terminal, else plain lines. */
// SPDX-License-Identifier: MIT
#ifndef tuner_progress_h
#define tuner_progress_h

#include <stdio.h>

#include "tuner/study/experiment.h"

struct progress {
  FILE *to;      /* NULL: say nothing */
  int terminal;
  double drawn;  /* when, clock_now() */
  size_t worked; /* candidates that were not in the journal */
  int quiet;     /* of an experiment: say nothing of any session */
};

/* quiet: say nothing; else to stderr. */
struct progress progress_begin(int quiet);
void progress_candidate(struct progress *p, const struct session *s,
                        size_t number, int known);
void progress_tick(struct progress *p, const struct session *s);
void progress_end(struct progress *p); /* leaves the line clean */

/* The view of an experiment that shows each session's progress, of which p is
 * the current one's, and prints notices. */
struct experiment_view progress_of_experiment(struct progress *p, int quiet);

/* "41 s", "4:41 min", "4.1 h". */
void progress_clock(double seconds, char *out, size_t room);

/* The bar's line, at most `width` columns. */
void progress_line(const struct session *s, double now, size_t worked,
                   size_t width, char *out, size_t room);

#endif
