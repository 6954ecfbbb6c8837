/* journal.h - every candidate ever measured, append-only.
 *
 * journal_append() writes one line by one write() to a file opened O_APPEND
 * and flushes it before it returns: what was reported is on the disk. Many
 * processes may append at once. A torn last line (a crash in mid-write) is
 * dropped with a notice when it is read, and the next append starts on a
 * fresh line; any other damaged line is reported with file:line and skipped,
 * the rest stays usable.
 *
 * Noticed is each damaged line, and that the file is shorter than it was
 * (mark.h), wherever it was cut. Not noticed is what has the length of what
 * it replaces and sound checksums, and a cut of a file whose mark is gone, too.
 */
// SPDX-License-Identifier: MIT
#ifndef db_journal_h
#define db_journal_h

#include "db/record.h"

struct journal;

/* Open for appending, making the file and its folder where missing. */
int journal_open(struct journal **out, const char *path, struct err *e);
int journal_append(struct journal *j, const struct record *r, struct err *e);
void journal_close(struct journal *j);

/* Called for each good record (owned by the callee) and each bad line. */
struct journal_reader {
  void *user;
  void (*record)(void *user, struct record *r);
  void (*notice)(void *user, const char *text); /* may be NULL */
};

/* Read what was appended since the last call: at first all there is. */
int journal_follow(struct journal *j, const struct journal_reader *reader,
                   struct err *e);

/* A file that does not exist is an empty journal. Returns the number of
 * damaged lines other than a torn last one, or -1 with e set. */
int journal_read(const char *path, const struct journal_reader *reader,
                 struct err *e);

#endif
