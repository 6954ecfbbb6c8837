/* warm_start.h - the winners of problems like this one, to begin a run with.
 *
 * They come from the store's table of the same arch and family, the nearest
 * problem first. Keys of a problem that are numbers are near by the ratio of
 * their values. A word (a layout, a type) that differs counts more than any
 * ratio, and so does a row of another device or of other conditions. A
 * configuration that does not fit the space of this problem is left out, and
 * one that comes again counts once. First of all come this problem's own winner and
 * its runner-up, where they were made with other templates, compiler or runtime, or
 * are older than all that the journal has of the problem: such a row came from
 * elsewhere, in a table that was merged or copied.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_warm_start_h
#define tuner_warm_start_h

#include "db/table.h"
#include "gen/space.h"

enum {WARM_START_MOST = 8};

struct warm_start_query {
  const struct family *family;
  const struct problem *problem;
  const struct space *space;
  const struct record *identity; /* of this run: target_identity() */
  /* The date of this run's first result in the journal (NULL: it has none). Rows that
   * are newer do not count, so that a run that is repeated begins as it did, whatever
   * has been tuned since. */
  const char *before;
  const char *first; /* the same of the problem's, of any data seed */
};

/* How many there are; the nearest first. */
size_t warm_start_find(const struct table *t, const struct warm_start_query *q,
                       struct config out[WARM_START_MOST]);

#endif
