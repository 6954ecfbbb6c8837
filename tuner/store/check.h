/* check.h - what is wrong with the files of a store, why, and what to do.
 *
 *   damaged    a line that cannot be used, or lines that are lost
 *   duplicate  two rows for one question; a record that stands twice
 *   stale      a winner whose kernels the templates would make anew
 *   misplaced  in a file of another architecture, family or sweep
 *
 * Not wrong, and counted: results of earlier templates in a journal (history),
 * a night without an end (cut short, or under way).
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_check_h
#define tuner_store_check_h

#include "tuner/store/files.h"

struct finding {
  const char *what;  /* one of the words above */
  const char *where; /* the file, its line where that is known, or the problem */
  const char *why;   /* a sentence without its end */
  const char *to_do; /* the same */
};

struct check_count {
  size_t tables, rows, journals, records, nights, problems;
  size_t earlier; /* records of earlier templates */
  size_t open;    /* nights without an end */
  size_t wrong;
};

struct check_request {
  const char *templates; /* the folder of families; may be NULL */
  void *user;
  void (*found)(void *user, const struct finding *f);
};

/* ERR_FAILED where a file cannot be read at all; *out is added to. */
int check_files(const struct check_request *q, const struct store_files *files,
                struct check_count *out, struct err *e);

#endif
