/* history.h - the journal, as one session uses it.
 *
 * A measurement is known by all that it depends on: family and its files,
 * problem, configuration, arch, device, compiler, runtime, data seed. What
 * the journal has under the same names is not measured again, whatever its
 * status. Opening the history opens the journal for appending too, so that a
 * store that cannot be written is found out before any work is done.
 *
 * Processes on one problem share the work: who begins something claims it, and
 * the others look again until its result is there or the claim is gone.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_history_h
#define tuner_history_h

#include "db/record.h"

struct history;

/* $TUNE_DB, $XDG_DATA_HOME/tune or ~/.local/share/tune; db, if not NULL,
 * comes before them. */
int history_folder(const char *db, struct str *out, struct err *e);

/* identity: the pairs that records must share; copied. notice: damaged lines
 * and the like, a sentence each. */
int history_open(struct history **out, const char *folder,
                 const struct record *identity,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e);
/* The same to look at only: nothing is written, and no journal is an empty
 * one. */
int history_read(struct history **out, const char *folder,
                 const struct record *identity,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e);
void history_close(struct history *h);

const char *history_path(const struct history *h); /* of the journal */

/* The last record of this configuration; NULL where there is none. */
const struct record *history_find(const struct history *h,
                                  const char *config);

/* The last one that is no finalist's, if there is one: what a search learnt, so that the
 * next run learns the same. */
const struct record *history_trial(const struct history *h,
                                   const char *config);

/* Take in what others have appended since. */
int history_refresh(struct history *h, struct err *e);

/* Claim a configuration, or another word for what is done once: 0 where
 * another process has it. Whoever got it refreshes before it begins: it may be
 * done. Gone with history_close() and with the process. */
int history_claim(struct history *h, const char *what);
void history_unclaim(struct history *h, const char *what);

/* Was the record in the journal before this run? */
int history_was_there(const struct history *h, const struct record *r);

/* Has the journal results of this configuration that do not count any more?
 * Where it has none of the problem that do, those of any configuration tell.
 * Appends what has changed since, a sentence without its end. */
int history_outdated(const struct history *h, const char *config,
                     struct str *why);

/* The date of the first record of this data seed; NULL where there is none. */
const char *history_begun(const struct history *h);

/* The date of the first record of any data seed; NULL where there is none. */
const char *history_first(const struct history *h);

/* Complete r with identity and date, write it durably, and keep it. */
int history_add(struct history *h, struct record *r, struct err *e);

/* The ok records, fastest first, the last of each configuration, of all data
 * seeds; *out is one allocation to free(). */
size_t history_best(const struct history *h, const struct record ***out);

/* How many configurations it has a result of, right or wrong. */
size_t history_tried(const struct history *h);

#endif
