/* lines.h - the records of a file, one after the other (inside db only).
 *
 * Damaged lines are numbered and explained; what to do with them is up to
 * the caller.
 */
// SPDX-License-Identifier: MIT
#ifndef db_lines_h
#define db_lines_h

#include "db/record.h"

struct lines {
  void *user;
  void (*record)(void *user, struct record *r, size_t line); /* owns r */
  /* why: a sentence; torn: the last line, and it has no newline */
  void (*damage)(void *user, size_t line, int torn, const char *why);
};

/* Empty lines are passed over; a file that does not exist has no lines. */
int lines_read(const char *path, const struct lines *l, struct err *e);

#endif
