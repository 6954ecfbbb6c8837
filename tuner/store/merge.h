/* merge.h - several stores, or files of them, as one.
 *
 * Tables: merge_rows.h. Journals: merge_records.h. Nights: merge_nights.h. The
 * result is the same in whatever order the inputs are named. What the target
 * holds takes part, so that a merge which was interrupted is run again. Journals
 * go first: no winner is in a table before its candidates are in the journal.
 * Other processes may use the target meanwhile; of two merges one waits.
 *
 * Inputs are only read. A damaged line of an input is told and left out.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_merge_h
#define tuner_store_merge_h

#include "tuner/store/files.h"
#include "tuner/store/merge_rows.h"

/* What became of one table, journal, or night of the target. */
struct merged {
  enum file_kind kind;
  const char *folder, *name; /* arch and family; sweep and stamp */
  size_t files;              /* inputs that have it */
  size_t rows;               /* of the table; 0 of others */
  size_t added, replaced;    /* rows; records, and 0 */
};

struct merge_request {
  const char *out; /* a store; or one file, for inputs of its kind */
  const char *const *inputs;
  size_t n;
  void *user;
  void (*notice)(void *user, const char *text);
  void (*done)(void *user, const struct merged *m);
  merge_conflict *conflict;
};

int merge(const struct merge_request *q, struct err *e);

#endif
