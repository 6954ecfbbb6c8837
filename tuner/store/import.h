/* import.h - results of others into a store, and the store's to others.
 *
 * What is imported goes into the journal of its architecture and family with
 * source=imported, imported=FILE-HASH (which is part of its provenance) and, in
 * imported_source, what it called itself. So it never counts as a result of this
 * device: no run takes it for known, and no winner is chosen from it.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_import_h
#define tuner_store_import_h

#include "tuner/store/exchange.h"
#include "tuner/store/files.h"

struct import_request {
  const char *store, *path;
  const char *format;       /* NULL: by what is in the file */
  const char *arch, *family; /* of results that do not say; may be NULL */
  void *user;
  void (*notice)(void *user, const char *text);
};

/* All of a file, or nothing. *read: results in it; *added: that are new. */
int import_file(const struct import_request *q, size_t *read, size_t *added,
                struct err *e);

/* The records of these files that are wanted (NULL: any): of journals, and of
 * tables that have no journal beside them. */
int export_read(const struct store_files *files, const char *arch,
                const char *family,
                void (*notice)(void *user, const char *text), void *user,
                struct results *out, struct err *e);

/* Sorted by provenance; where the run of one that begins at `from` ends. */
void export_sort(struct results *r);
size_t export_run(const struct results *r, size_t from);

#endif
