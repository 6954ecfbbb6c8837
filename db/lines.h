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

#include "db/jindex.h"
#include "db/record.h"

/* Records of one problem; of other lines no more than the checksum is looked
 * at. */
struct lines_only {
  const char *problem;
  uint32_t key; /* jindex_key() of it */
};

struct lines {
  void *user;
  /* owns r; hash: of the line's text */
  void (*record)(void *user, struct record *r, size_t line, uint64_t hash);
  /* why: a sentence; torn: the last line, and it has no newline. NULL: which
   * is all that is wrong with it, its record has been given. */
  void (*damage)(void *user, size_t line, int torn, const char *why);
  const struct lines_only *only; /* NULL: all records */
  struct jindex *index; /* NULL, or where each whole line is added */
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

/* What stands behind *end, which is no inside of a line, in an open file, and
 * move *end there. */
int lines_follow(int fd, const char *path, const struct lines *l,
                 struct lines_end *end, struct err *e);

/* Of the whole lines that are indexed: those of l->only, and damaged ones. */
int lines_pick(int fd, const char *path, const struct lines *l,
               const struct jindex *x, struct err *e);

#endif
