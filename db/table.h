/* table.h - the winners of one arch and family, sorted, a line each.
 *
 * Files: DIR/ARCH/FAMILY.table. table_put() takes DIR/ARCH/FAMILY.lock with
 * fcntl, reads, replaces the row with the same key, and replaces the file
 * atomically: readers never block and see the old table or the new one; many
 * writers are safe. The kernel releases the lock of a dead process.
 *
 * The key of a row is its problem, device, cus, source and hot, so rows of two
 * devices stand side by side, and modelled beside measured: neither replaces
 * the other. Every row must have arch, family, problem and source (measured,
 * modelled, or counted where nothing is timed); device, cus and hot count as empty where left out.
 *
 * The last line has the number of rows and a sum over them, so that lost rows
 * are noticed, wherever the file was cut. Where it does not agree, or is missing
 * (an older version wrote none), that is said and the rows are used; the next
 * table_put() writes it.
 *
 * A damaged line, or a row of another arch or family, is never used. Before
 * such a table is rewritten without it, the file is copied as it is to
 * FAMILY.table.damaged-N beside it, and that is said.
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

/* The row for this problem (its text form), measured before modelled, then
 * cold caches before hot ones, then the newest by date; device may be NULL
 * for any. NULL where there is none. By a hash of the problem: among 10^5 rows
 * in less than a microsecond (bench_store). */
const struct record *table_find(const struct table *t, const char *problem,
                                const char *device);

/* Copy the rows of `beneath` whose key no row of t has, each with the field
 * `mark` as 1. */
void table_lay_over(struct table *t, const struct table *beneath,
                    const char *mark);

/* The file that a row belongs into is told by its arch and family. */
int table_put(const char *dir, const struct record *row,
              void (*notice)(void *, const char *), void *user,
              struct err *e);

/* --- many rows at once ---------------------------------------------------- */

/* Changes the rows of a table. The rows and their list (mem.h) are the table's
 * again when edit() returns; it need not sort them. */
struct table_editor {
  void *user;
  void (*edit)(void *user, struct record ***rows, size_t *n);
  void (*notice)(void *user, const char *text); /* may be NULL */
};

/* Under the table's lock: read, edit, write. A table whose rows stay as they
 * are is not written. *written (may be NULL): it was. */
int table_edit(const char *dir, const char *arch, const char *family,
               const struct table_editor *editor, int *written,
               struct err *e);
/* The same of any file, whose lock is beside it: FILE.lock, where FILE loses
 * the end .table. */
int table_edit_file(const char *path, const char *arch, const char *family,
                    const struct table_editor *editor, int *written,
                    struct err *e);
/* As table_load(), of any file: its arch and family are those of its first row.
 * No file: ERR_FAILED. */
int table_load_file(struct table **out, const char *path,
                    void (*notice)(void *, const char *), void *user,
                    struct err *e);

#endif
