/* table.h - the winners of one arch and family, sorted, a line each.
 *
 * Files: DIR/ARCH/FAMILY.table. table_put() takes DIR/ARCH/FAMILY.lock with
 * fcntl, reads, replaces the row with the same key (problem and source and
 * device identity), and replaces the file atomically: readers never block and
 * see the old table or the new one; many writers are safe. A lock of a dead
 * process is released by the kernel.
 *
 * A row with source=modelled never replaces one with source=measured and the
 * other way round: both may stand side by side.
 */
// SPDX-License-Identifier: MIT
#ifndef db_table_h
#define db_table_h

#include "db/record.h"

struct table;

/* Load DIR/ARCH/FAMILY.table; a missing file is an empty table. Damaged
 * lines are reported through notice (may be NULL) and skipped. */
int table_load(struct table **out, const char *dir, const char *arch,
               const char *family, void (*notice)(void *, const char *),
               void *user, struct err *e);
void table_free(struct table *t);

size_t table_size(const struct table *t);
const struct record *table_row(const struct table *t, size_t i);

/* The row for this problem (its text form), measured before modelled; device
 * may be NULL for any. NULL where there is none. */
const struct record *table_find(const struct table *t, const char *problem,
                                const char *device);

int table_put(const char *dir, const struct record *row, struct err *e);

#endif
