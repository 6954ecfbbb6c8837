/* show.h - the parts of `tune show`. */
// SPDX-License-Identifier: MIT
#ifndef tuner_cli_show_h
#define tuner_cli_show_h

#include "db/table.h"
#include "tuner/options/options.h"
#include "tuner/session/stored.h"

/* A line for each row of an arch's table, under a heading for each device. */
void show_list(struct family *f, const struct arch *a, const struct table *t);

/* One row for programs, with `share` of the peak, `stale`, and what launching
 * its kernel takes. `rank` (from 1; 0: none) is its place among the best. */
void show_json(struct family *f, const struct arch *a, const char *type,
               const struct record *row, size_t rank);

/* --best N: the journal's fastest of one problem. */
int show_best(const struct options *r, const char *family, struct err *e);

#endif
