/* sweep_text.h - what `tune sweep` prints. */
// SPDX-License-Identifier: MIT
#ifndef tuner_cli_sweep_text_h
#define tuner_cli_sweep_text_h

#include "tuner/sweep/status.h"
#include "tuner/sweep/sweep.h"

struct sweep_text {
  int quiet, json, terminal; /* terminal: there is a bar to clear */
};

/* The view of a sweep that shows its progress on stderr; with --json each
 * problem on stdout, too. */
struct sweep_view sweep_text_view(struct sweep_text *t,
                                  const struct options *o);
/* What would run, on stdout. */
void sweep_text_plan(const struct sweep_text *t, const struct sweep *s);
/* At the end. */
void sweep_text_end(const struct sweep_text *t, const struct sweep *s);
void sweep_text_status(int json, const char *sweep,
                       const struct sweep_status *list, size_t n);

#endif
