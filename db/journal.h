/* journal.h - every candidate ever measured, append-only.
 *
 * journal_append() writes one line by one write() to a file opened O_APPEND
 * and flushes it before it returns: what was reported is on the disk. Many
 * processes may append at once. A torn last line (a crash in mid-write) is
 * dropped with a notice when it is read, and the next append starts on a
 * fresh line; any other damaged line is reported with file:line and skipped,
 * the rest stays usable.
 *
 * journal_rewrite() takes records out of a journal, or puts some in between,
 * while others use it. It
 * holds the journal's lock, writes JOURNAL.new, flushes it and renames it:
 * whatever is killed, the old file is there or the new one, whole. Who has the
 * old one open finds at its next append, under the lock, that another is at the
 * path, and goes over to that: nothing goes into a file that nobody will read.
 *
 * Who wants the records of one problem says so: journal_only(), journal_find().
 * Then an index (jindex.h) tells where they are, and lines of other problems
 * are not read. It is made anew where it is not there, or not of this journal
 * as it is: by whoever follows, in about a second for 10^6 lines; others wait.
 *
 * Noticed is each damaged line, and that the file is shorter than it was,
 * wherever it was cut: its length is kept beside it (mark.h), and in the index.
 * By the index also that lines were changed or taken out by another program,
 * whatever their length and checksums. Where both are gone (or, for lines that
 * are sound, the index alone) the file is taken as it is.
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

/* From now on give records of this problem alone (a record's `problem`). Before
 * the first journal_follow(). */
void journal_only(struct journal *j, const char *problem);

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

/* The same of one problem's records; 0, or e->code. Nothing is written: where
 * the index is of no use the journal is read whole. */
int journal_find(const char *path, const char *problem,
                 const struct journal_reader *reader, struct err *e);

/* What becomes of a journal. Records come in the order of the file, all of them
 * to look() (may be NULL) and then all of them again to insert() and keep(),
 * under one lock: what is kept can depend on the whole. notice() as in a
 * reader. */
struct journal_editor {
  void *user;
  void (*look)(void *user, const struct record *r);
  int (*keep)(void *user, const struct record *r); /* 0: take it out; may be
                                                      NULL: all stay */
  /* A record to put in before r (NULL: at the end), the editor's own; asked
   * again until it is NULL. May be NULL. */
  const struct record *(*insert)(void *user, const struct record *r);
  void (*notice)(void *user, const char *text);    /* may be NULL */
};

struct journal_edit {
  size_t kept, dropped, inserted, damaged; /* lines */
};

/* Where all records are kept, none comes in and no line is damaged, the file is
 * left as it is.
 * Damaged lines are taken out; the journal with them is kept as
 * JOURNAL.damaged-N, and that is said. No file: nothing is done. The process
 * must not have the journal open (closing it would drop the lock). */
int journal_rewrite(const char *path, const struct journal_editor *editor,
                    struct journal_edit *out, struct err *e);

#endif
