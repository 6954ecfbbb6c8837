/* lines.h - the records of a file, one after the other (inside db only).
 *
 * Damaged lines are numbered and explained; what to do with them is up to
 * the caller.
 */
// SPDX-License-Identifier: MIT
#ifndef db_lines_h
#define db_lines_h

#include <stdint.h>
#include <sys/types.h>

#include "db/record.h"

struct lines {
  void *user;
  /* owns r; hash: of the line's text */
  void (*record)(void *user, struct record *r, size_t line, uint64_t hash);
  /* why: a sentence; torn: the last line, and it has no newline. NULL: which
   * is all that is wrong with it, its record has been given. */
  void (*damage)(void *user, size_t line, int torn, const char *why);
};

/* How far a file was read. */
struct lines_end {
  off_t bytes;
  size_t lines;
};

/* Empty lines are passed over; a file that does not exist has no lines, and
 * ends at byte -1. */
int lines_read(const char *path, const struct lines *l, struct lines_end *end,
               struct err *e);

/* What stands behind *end in an open file, and move *end there. */
int lines_follow(int fd, const char *path, const struct lines *l,
                 struct lines_end *end, struct err *e);

#endif
