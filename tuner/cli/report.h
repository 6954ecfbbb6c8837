/* report.h - results for people, on stdout, in at most 80 columns. */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_h
#define tuner_report_h

#include "db/record.h"
#include "tuner/session/session.h"

/* What the session found: row is its winner, or the configuration that it was
 * given. against: a library's product beside it, or NULL. stored: the table
 * that has the winner, or NULL. */
void report_session(const struct session *s, const struct record *row,
                    const struct record *winner,
                    const struct record *against, const char *why,
                    const char *stored, double wall);

/* One row of a winner table; stale: its kernels have changed since. */
void report_row(const struct record *row, int stale);

/* The device of a row, with its CUs where its name does not say them. */
void report_device(const struct record *row, struct str *out);

#endif
