/* merge_rows.h - the rows of several tables of one architecture and family as
 * the rows of one.
 *
 * Of each provenance (provenance.h) the newest row stays; of two of one date
 * the faster, then the one that sorts first, so that the order in which rows
 * come does not matter. Rows of two provenances both stay: a look-up takes
 * measured before modelled ones, then cold before hot, then the newest.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_merge_rows_h
#define tuner_store_merge_rows_h

#include "db/record.h"

enum conflict_kind {
  CONFLICT_MADE,   /* both stay: one question, made with different things */
  CONFLICT_SLOWER, /* the newer stays, and is slower beyond the noise */
  CONFLICT_DATE,   /* of one date, and not the same */
  CONFLICT_N
};

struct conflict {
  enum conflict_kind kind;
  const struct record *kept, *other; /* until the callback returns */
};

typedef void merge_conflict(void *user, const struct conflict *c);

/* The rows are the caller's list, sorted and cut here; what goes is freed. */
void merge_rows(struct record **rows, size_t *n, merge_conflict *conflict,
                void *user);

/* A sentence on it, and what settles it. */
void conflict_text(const struct conflict *c, struct str *out);
const char *conflict_name(enum conflict_kind k); /* made, slower, date */

#endif
