/* shipped.h - the winners of a store, and beneath them those that came with the
 * program.
 *
 * Shipped tables are found in the folder that TUNE_SHIPPED names (empty: there
 * are none), else beside the program where it was built or installed. A row of
 * the store's own shadows the shipped one of the same problem, device,
 * source and conditions. Shipped rows have the field shipped=1, in memory only.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_session_shipped_h
#define tuner_session_shipped_h

#include <limits.h>

#include "db/table.h"

/* Where the shipped tables are; empty: nowhere. */
void shipped_folder(char out[PATH_MAX]);

/* As table_load() of the store's folder; that of the shipped tables may be
 * missing. */
int shipped_load(struct table **out, const char *folder, const char *arch,
                 const char *family,
                 void (*notice)(void *user, const char *text), void *user,
                 struct err *e);

/* 1 where the row came with the program. */
int shipped_row(const struct record *row);

#endif
