/* merge_records.h - the records of several journals in one.
 *
 * Every distinct record once. What is in the journal already stays in its
 * order, and what comes in is put where its date belongs: of one configuration
 * the last record counts, so an older one must not come behind a newer. Within
 * one file the order of its lines counts more than their dates (a clock may be
 * set back). In which order the files are named makes no difference.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_merge_records_h
#define tuner_store_merge_records_h

#include "db/journal.h"

struct incoming; /* records on their way into one journal */

struct incoming *incoming_open(void);
void incoming_close(struct incoming *in); /* NULL is nothing */

/* One file's records, in its order, owned from now on; then incoming_file(). */
void incoming_add(struct incoming *in, struct record *r);
void incoming_file(struct incoming *in);

/* The same of a record whose date does not count: those of a file stay in their
 * order, behind all that is there. */
void incoming_line(struct incoming *in, struct record *r);

/* Into the journal at the path, which is made where it is missing, and may be in
 * use by others. */
int incoming_merge(struct incoming *in, const char *path,
                   void (*notice)(void *user, const char *text), void *user,
                   struct journal_edit *edit, struct err *e);

#endif
