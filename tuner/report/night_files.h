/* night_files.h - which files of a sweep are one night (inside of report only).
 *
 * A sweep in N shards writes N files a night, which need not begin at the same
 * time. In the order of their stamps a file joins the night before it where
 * that has as many shards, lacks this one, and began less than a day earlier.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_night_files_h
#define tuner_report_night_files_h

#include "db/night.h"

struct night_group {
  char stamp[NIGHT_STAMP]; /* of the first, without -I-of-N */
  size_t shards, n;
  const char **file; /* stamps, of night_files.stamps */
};

struct night_files {
  char (*stamps)[NIGHT_STAMP];
  size_t n;
  struct night_group *group;
};

/* The sweep by name, by the path of its file, or with NULL the only one; its
 * name goes to `name`. Files that began after `until` (NULL: none) are left
 * out. ERR_FAILED where there is none. */
int night_files_find(struct night_files *out, const char *store,
                     const char *sweep, const char *until,
                     char name[NIGHT_STAMP], struct err *e);
void night_files_free(struct night_files *f);

#endif
