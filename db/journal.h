/* journal.h - every candidate ever measured, append-only.
 *
 * journal_append() writes one line by one write() to a file opened O_APPEND
 * and flushes it before it returns: what was reported is on the disk. Many
 * processes may append at once. A torn last line (a crash in mid-write) is
 * dropped with a notice when it is read, and the next append starts on a
 * fresh line; any other damaged line is reported with file:line and skipped,
 * the rest stays usable.
 *
 * journal_rewrite() takes records out of a journal while others use it. It holds
 * the journal's lock, writes JOURNAL.new, flushes it and renames it: whatever is
 * killed, the old file is there or the new one, whole. Who has the old one open
 * finds at its next append, under the lock, that another is at the path, and
 * goes over to that: so nothing is appended to a file that nobody will read.
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

/* Read what was appended since the last call: at first, and after a rewrite by
 * another process, all there is. */
int journal_follow(struct journal *j, const struct journal_reader *reader,
                   struct err *e);

/* A file that does not exist is an empty journal. Returns the number of
 * damaged lines other than a torn last one, or -1 with e set. */
int journal_read(const char *path, const struct journal_reader *reader,
                 struct err *e);

/* What stays of a journal. Records come in the order of the file, all of them
 * to look() (may be NULL) and then all of them again to keep(), under one lock:
 * what is kept can depend on the whole. notice() as in a reader. */
struct journal_editor {
  void *user;
  void (*look)(void *user, const struct record *r);
  int (*keep)(void *user, const struct record *r); /* 0: take it out */
  void (*notice)(void *user, const char *text);    /* may be NULL */
};

struct journal_edit {
  size_t kept, dropped, damaged; /* lines */
};

/* Where all records are kept and no line is damaged, the file is left as it is.
 * Damaged lines are taken out; the journal with them is kept as
 * JOURNAL.damaged-N, and that is said. No file: nothing is done. The process
 * must not have the journal open (closing it would drop the lock). */
int journal_rewrite(const char *path, const struct journal_editor *editor,
                    struct journal_edit *out, struct err *e);

#endif
