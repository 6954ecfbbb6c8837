/* winners.h - the winners of a table, read as the family reads them.
 *
 * One for each problem: the row that a look-up prefers. A row that the family
 * cannot read any more, or whose configuration its rules exclude by now, is
 * left out with a notice.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_winners_h
#define tuner_pack_winners_h

#include "db/table.h"
#include "gen/family.h"

struct winner {
  const struct record *row; /* of the table */
  struct problem problem;
  struct config config;
  uint32_t plan; /* where it is packed: its plan */
  int packed;
  int stale; /* its kernels have changed since: kernel_hash.h */
};

struct winners {
  struct table *table;
  size_t n, left_out;
  struct winner *list;
};

/* The table DIR/ARCH/FAMILY.table, of whose arch the family has the facts. */
int winners_open(struct winners *w, struct family *f, const char *dir,
                 const char *arch, void (*notice)(void *, const char *),
                 void *user, struct err *e);
void winners_close(struct winners *w);

#endif
