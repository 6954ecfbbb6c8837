/* files.h - what of the store is at a path: tables, journals, nights.
 *
 * A path is a store, a folder of one (an architecture's, that of the shipped
 * tables), or one file FAMILY.table, FAMILY.journal, STAMP.night. Other files
 * of a store (locks, marks, indexes) are passed over.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_files_h
#define tuner_store_files_h

#include <stddef.h>

#include "base/err.h"

enum file_kind {FILE_TABLE, FILE_JOURNAL, FILE_NIGHT};

struct store_file {
  enum file_kind kind;
  char *path;
  char *folder; /* the name of the folder that it is in: an arch, a sweep */
  char *name;   /* without its end: a family, a stamp */
  int alone;    /* it was named itself */
};

/* Zero-initialise. */
struct store_files {
  size_t n, room;
  struct store_file *list;
};

/* Add what is at the path, sorted by name. A file that is named itself may lie
 * anywhere: folder and name are what its first record says. ERR_FAILED where
 * there is no such path, or nothing of a store at it. */
int files_find(struct store_files *out, const char *path, struct err *e);
/* ERR_FAILED where the path is no file of a store: by its end alone. */
int files_kind(const char *path, enum file_kind *kind, struct err *e);
void files_free(struct store_files *f);

#endif
