/* lookup.h - the rows of a problem in a table (inside db only).
 *
 * A hash table over the problems of sorted rows: rows of one problem stand side
 * by side, so an entry is the first of them, their number, and which is best.
 */
// SPDX-License-Identifier: MIT
#ifndef db_lookup_h
#define db_lookup_h

#include <stddef.h>
#include <stdint.h>

#include "db/record.h"

struct lookup_rows {
  const char *problem; /* of the rows; NULL: an empty place */
  uint32_t hash, first, n;
  uint32_t best;
};

struct lookup {
  size_t places; /* a power of two, at least a quarter of them empty; or 0 */
  struct lookup_rows *list;
};

/* better: is a to be preferred to b? */
void lookup_build(struct lookup *l, struct record *const *rows, size_t n,
                  int (*better)(const struct record *a,
                                const struct record *b));
const struct lookup_rows *lookup_find(const struct lookup *l,
                                      const char *problem); /* or NULL */
void lookup_free(struct lookup *l);

#endif
