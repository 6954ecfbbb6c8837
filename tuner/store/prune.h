/* prune.h - which results of a journal are needed, and which are not.
 *
 * A result stays if
 *   1. it is the last of its configuration, of its provenance and data seed
 *      (an earlier one is never looked at), and
 *   2. its provenance (provenance.h) is the newest of its question, or was in
 *      use in the last `days` days of the journal: wrong and failed results of
 *      it, too, since they are not tried again; or
 *   3. of older provenances: it is one of the two fastest of the newest of
 *      these, which are measured first when something has changed; or
 *   4. it is the winner or the runner-up of a row of the table; or
 *   5. it was imported.
 * Damaged lines go, and the journal with them is kept beside it. Of a table, of
 * two rows of one provenance the older goes. Nights are never touched: what
 * reports need is in them.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_prune_h
#define tuner_store_prune_h

#include "db/journal.h"

struct prune_request {
  int days;
  int dry; /* only say what would go */
  void *user;
  void (*notice)(void *user, const char *text);
};

struct pruned {
  size_t kept, superseded, outdated, damaged; /* records */
};

/* A journal; the table beside it tells winners. */
int prune_journal(const struct prune_request *q, const char *path,
                  struct pruned *out, struct err *e);
/* A table: rows that went. */
int prune_table(const struct prune_request *q, const char *path,
                struct pruned *out, struct err *e);

#endif
