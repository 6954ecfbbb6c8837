/* rewrite.c - taking records out of a journal; see journal.h. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "db/jindex.h"
#include "db/journal.h"
#include "db/lines.h"
#include "db/mark.h"

enum {BLOCK = 1 << 20}; /* bytes that are written at once */

struct rewrite {
  const char *path;
  const struct journal_editor *editor;
  struct journal_edit *edit;
  int from, to; /* descriptors of the old file and of the new one, or -1 */
  int cut;      /* the last line has lost its newline, and is whole */
  int failed;   /* errno of the first write that failed */
  off_t bytes;  /* of the new file */
  struct str text; /* of it, not written yet */
  struct jindex index;
};

static void say(const struct rewrite *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct rewrite *w, const char *format, ...)
{
  struct str text = {0};
  char what[PATH_MAX + 300];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  str_addf(&text, "%s%s", w->path, what);
  if (w->editor->notice)
    w->editor->notice(w->editor->user, text.at);
  str_free(&text);
}

/* --- the first pass: what is there --------------------------------------- */

static void look(void *user, struct record *r, size_t line, uint64_t hash)
{
  (void)line, (void)hash;
  const struct journal_editor *editor = ((struct rewrite *)user)->editor;
  if (editor->look)
    editor->look(editor->user, r);
  record_free(r);
}

static void complain(void *user, size_t line, int torn, const char *why)
{
  struct rewrite *w = user;
  (void)torn;
  if (!why) {
    w->cut = 1;
    return;
  }
  w->edit->damaged++;
  say(w, ":%zu: is taken out: %s", line, why);
}

/* --- the second pass: what stays ----------------------------------------- */

static void flush(struct rewrite *w)
{
  if (!w->failed && file_write(w->to, str_text(&w->text), w->text.len))
    w->failed = errno;
  w->bytes += (off_t)w->text.len;
  str_clear(&w->text);
}

static void add(struct rewrite *w, const struct record *r)
{
  size_t from = w->text.len;
  uint32_t crc;
  record_format(r, &w->text);
  size_t n = w->text.len - from;
  record_check(w->text.at + from, n, &crc, NULL);
  jindex_add(&w->index, w->text.at + from, n, (uint64_t)w->bytes + from, crc,
             0);
  str_add(&w->text, "\n");
}

static void put(struct rewrite *w, const struct record *r, size_t *count)
{
  add(w, r);
  ++*count;
  if (w->text.len >= BLOCK)
    flush(w);
}

/* What comes in before r, or with NULL at the end. */
static void insert(struct rewrite *w, const struct record *r)
{
  const struct journal_editor *editor = w->editor;
  const struct record *in;
  while (editor->insert && (in = editor->insert(editor->user, r)))
    put(w, in, &w->edit->inserted);
}

static void keep(void *user, struct record *r, size_t line, uint64_t hash)
{
  struct rewrite *w = user;
  const struct journal_editor *editor = w->editor;
  (void)line, (void)hash;
  insert(w, r);
  if (!editor->keep || editor->keep(editor->user, r))
    put(w, r, &w->edit->kept);
  else
    w->edit->dropped++;
  record_free(r);
}

static void pass_over(void *user, size_t line, int torn, const char *why)
{
  (void)user, (void)line, (void)torn, (void)why;
}

static int pass(struct rewrite *w, const struct lines *lines, struct err *e)
{
  struct lines_end end = {0};
  return lines_follow(w->from, w->path, lines, &end, e);
}

/* The new file, locked: nobody appends to it before its mark is right. */
static int write_new(struct rewrite *w, const char *path, struct err *e)
{
  struct lines second = {w, keep, pass_over, NULL, NULL};
  struct stat old;
  w->to = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (w->to < 0)
    return err_set(e, ERR_FAILED, "%s: cannot write: %s", path,
                   strerror(errno));
  int code = file_lock(w->to, path, e);
  if (code || (code = pass(w, &second, e)))
    return code;
  insert(w, NULL);
  flush(w);
  if (!w->failed && (fstat(w->from, &old) ||
                     fchmod(w->to, old.st_mode & 07777) || fsync(w->to)))
    w->failed = errno;
  return w->failed ? err_set(e, ERR_FAILED, "%s: cannot write: %s; the journal "
                             "is as it was", path, strerror(w->failed))
                   : 0;
}

/* --- in place of the old one --------------------------------------------- */

static int keep_damaged(const struct rewrite *w, struct err *e)
{
  char path[PATH_MAX + 16];
  unsigned n = 1;
  while (snprintf(path, sizeof path, "%s.damaged-%u", w->path, n++),
         link(w->path, path))
    if (errno != EEXIST)
      return err_set(e, ERR_FAILED, "%s: cannot keep it as %s: %s", w->path,
                     path, strerror(errno));
  say(w, ": damaged lines that are taken out: %zu; the journal as it was is kept as "
      "%s", w->edit->damaged, path);
  return 0;
}

/* The mark may be behind, but never ahead: it is set first. The index, too,
 * knows the length. */
static int put_in_place(struct rewrite *w, const char *path, struct err *e)
{
  int code = w->edit->damaged ? keep_damaged(w, e) : 0;
  if (code)
    return code;
  int mark = mark_open(w->path);
  mark_set(mark, w->bytes);
  if (mark >= 0)
    close(mark);
  jindex_remove(w->path);
  struct stat now;
  if (rename(path, w->path))
    return err_set(e, ERR_FAILED, "%s: cannot replace: %s", w->path,
                   strerror(errno));
  if (!fstat(w->to, &now))
    jindex_store(w->path, &now, &w->index);
  return file_flush_folder(w->path, e);
}

static int replace(struct rewrite *w, struct err *e)
{
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s.new", w->path) >= (int)sizeof path - 16)
    return err_set(e, ERR_FAILED, "%s: path too long", w->path);
  int code = write_new(w, path, e);
  int other = w->edit->dropped || w->edit->inserted || w->edit->damaged ||
              w->cut;
  if (!code && other)
    code = put_in_place(w, path, e);
  else
    unlink(path);
  if (w->to >= 0)
    close(w->to);
  str_free(&w->text);
  jindex_free(&w->index);
  return code;
}

/* Open and lock the file that is at the path: another may have replaced it
 * while this one waited. 1: there is none. */
static int open_locked(struct rewrite *w, struct err *e)
{
  for (;;) {
    struct stat ours, there;
    w->from = open(w->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (w->from < 0 && errno == ENOENT)
      return 0;
    if (w->from < 0)
      return err_set(e, ERR_FAILED, "%s: cannot open for writing: %s", w->path,
                     strerror(errno));
    if (file_ordinary(w->from, w->path, e) ||
        file_lock(w->from, w->path, e))
      return ERR_FAILED;
    if (!fstat(w->from, &ours) && !stat(w->path, &there) &&
        ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
      return 0;
    close(w->from);
  }
}

int journal_rewrite(const char *path, const struct journal_editor *editor,
                    struct journal_edit *out, struct err *e)
{
  struct rewrite w = {.path = path, .editor = editor, .edit = out, .from = -1,
                      .to = -1};
  struct lines first = {&w, look, complain, NULL, NULL};
  *out = (struct journal_edit){0};
  int code = open_locked(&w, e);
  if (!code && w.from >= 0 && !(code = pass(&w, &first, e)))
    code = replace(&w, e);
  if (w.from >= 0)
    close(w.from);
  return code;
}
