/* winner.h - the row of the winner table that a session ends with. */
// SPDX-License-Identifier: MIT
#ifndef tuner_winner_h
#define tuner_winner_h

#include "tuner/session/session.h"

/* The fastest of all that the journal has under this identity, with runner-up
 * and margin; NULL where nothing was ok. The caller owns it. */
struct record *winner_row(const struct session *s);

/* The record of the configuration that the session was given, with its rate;
 * NULL where it was given none or has no result. The caller owns it. */
struct record *winner_given(const struct session *s);

/* A row as the table has it: with how many candidates were `evaluated` and, where
 * the search came to its end, how many it was `asked` for. Of the row that it replaces
 * (`older`, or NULL), if that was made with the same, it keeps the times of other
 * configurations and, where this session was no search, what the last one was. The
 * caller owns it. */
struct record *winner_tabled(const struct session *s, const struct record *row,
                             const struct record *older);

/* Put it into the table of the store in `folder`. */
int winner_store(const struct session *s, const struct record *row,
                 const char *folder,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e);

/* The rate of a time, which is quantity_rate()'s; 0 where the family states
 * no cost. *unit is its name in records. */
double winner_rate(const struct plan *plan, double us, const char **unit);

/* The arch's peak in the unit of the rate, 0 where there is none; *what gets
 * what it is the peak of: "fp32 peak". */
double winner_peak(const struct arch *a, const struct device *d,
                   const struct plan *plan, struct str *what);

#endif
