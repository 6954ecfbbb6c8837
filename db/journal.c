/* journal.c - see journal.h. */
// SPDX-License-Identifier: MIT
#include "db/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "db/lines.h"
#include "db/mark.h"

struct journal {
  int fd, mark; /* mark: -1 where it cannot be written */
  char *path;
  struct lines_end end; /* of what journal_follow() has read */
  int begun;
};

static int make_folder(const char *path, struct err *e)
{
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (!slash || slash == folder)
    return 0;
  *slash = 0;
  return file_mkdirs(folder, e);
}

/* The file alone: a descriptor, or -1 with e set. */
static int open_file(const char *path, int make, struct err *e)
{
  int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | make, 0666);
  if (fd < 0)
    err_set(e, ERR_FAILED,
            "%s: cannot open for writing: %s; "
            "choose a folder that you may write to with --db",
            path, strerror(errno));
  else if (file_ordinary(fd, path, e)) {
    close(fd);
    fd = -1;
  }
  return fd;
}

int journal_open(struct journal **out, const char *path, struct err *e)
{
  *out = NULL;
  int code = make_folder(path, e);
  if (code)
    return code;
  int fd = open_file(path, O_CREAT, e);
  if (fd < 0)
    return ERR_FAILED;
  if ((code = file_flush_folder(path, e))) {
    close(fd);
    return code;
  }
  struct journal *j = mem_alloc(sizeof *j);
  *j = (struct journal){fd, mark_open(path), mem_copy(path), {0}, 0};
  *out = j;
  return 0;
}

void journal_close(struct journal *j)
{
  if (!j)
    return;
  close(j->fd);
  if (j->mark >= 0)
    close(j->mark);
  free(j->path);
  free(j);
}

/* Is another file at the journal's path: was it rewritten? */
static int is_replaced(const struct journal *j)
{
  struct stat ours, there;
  return !fstat(j->fd, &ours) && !stat(j->path, &there) &&
         (ours.st_ino != there.st_ino || ours.st_dev != there.st_dev);
}

/* Go over to the new file, of which nothing is read yet. */
static int reopen(struct journal *j, struct err *e)
{
  int fd = open_file(j->path, 0, e);
  if (fd < 0)
    return ERR_FAILED;
  close(j->fd);
  j->fd = fd;
  j->end = (struct lines_end){0};
  j->begun = 0;
  return 0;
}

/* Lock the file that is at the path: who rewrites it holds the lock of the old
 * one until the new one is there. */
static int lock(struct journal *j,
                int (*take)(int fd, const char *path, struct err *e),
                struct err *e)
{
  int code;
  while (!(code = take(j->fd, j->path, e)) && is_replaced(j))
    if ((code = reopen(j, e)))
      break;
  return code;
}

/* Does the file end inside a line, because a writer died there? */
static int is_torn(int fd, off_t size)
{
  char last;
  return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* Where nobody has written since the last reading, it needs no other. */
static void appended(struct journal *j, off_t before, const struct str *text)
{
  off_t now = before + (off_t)text->len;
  mark_set(j->mark, now);
  if (j->end.bytes != before)
    return;
  j->end.bytes = now;
  j->end.lines += 1 + (*text->at == '\n');
}

/* Append under the lock. What cannot be written whole is taken back, so that
 * a full disk leaves no half line; nobody else can have written behind it. */
static int append(struct journal *j, const struct str *line, struct err *e)
{
  struct stat now;
  if (fstat(j->fd, &now))
    return err_set(e, ERR_FAILED, "%s: %s", j->path, strerror(errno));
  if (!now.st_nlink)
    return err_set(e, ERR_FAILED,
                   "%s: was deleted while in use; start again", j->path);
  struct str text = {0};
  str_add(&text, is_torn(j->fd, now.st_size) ? "\n" : "");
  str_add_bytes(&text, line->at, line->len);
  str_add(&text, "\n");
  int code = 0;
  if (file_write(j->fd, text.at, text.len) || fdatasync(j->fd)) {
    code = err_set(e, ERR_FAILED,
                   "%s: cannot append: %s; the last result is not stored: "
                   "make room there or choose another folder with --db",
                   j->path, strerror(errno));
    if (ftruncate(j->fd, now.st_size))
      err_prefix(e, "half a line is left at the end");
  } else {
    appended(j, now.st_size, &text);
  }
  str_free(&text);
  return code;
}

int journal_append(struct journal *j, const struct record *r, struct err *e)
{
  struct str line = {0};
  record_format(r, &line);
  int code = 0;
  if (line.len > RECORD_LINE)
    code = err_set(e, ERR_FAILED,
                   "%s: a record of %zu bytes is longer than the limit of %d",
                   j->path, line.len, RECORD_LINE);
  else if (!(code = lock(j, file_lock, e))) {
    code = append(j, &line, e);
    file_unlock(j->fd);
  }
  str_free(&line);
  return code;
}

struct reading {
  const char *path;
  const struct journal_reader *reader;
  int damaged;
};

static void take(void *user, struct record *r, size_t line, uint64_t hash)
{
  (void)line;
  (void)hash;
  const struct journal_reader *reader = ((struct reading *)user)->reader;
  reader->record(reader->user, r);
}

static void say(const struct reading *now, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct reading *now, const char *format, ...)
{
  char text[PATH_MAX + 300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (now->reader->notice)
    now->reader->notice(now->reader->user, text);
}

static void notice(void *user, size_t line, int torn, const char *why)
{
  struct reading *now = user;
  now->damaged += !torn;
  if (torn && why)
    say(now, "%s:%zu: the last line was cut off and is dropped: its writer was "
        "killed before the result was reported, or the file was cut",
        now->path, line);
  else if (torn)
    say(now, "%s:%zu: the last line has lost its end and is used", now->path,
        line);
  else
    say(now, "%s:%zu: skipped a damaged line: %s", now->path, line, why);
}

/* Is it as long as it was? */
static void compare(const struct reading *now, off_t was, int bad,
                    const struct lines_end *end)
{
  if (bad)
    say(now, "%s.mark: is damaged, and says no more whether the journal was "
        "cut; the next result makes it new", now->path);
  else if (end->bytes < was)
    say(now, "%s: ends at byte %lld, and was %lld long: results at its end are "
        "lost, or were taken out, and will be measured again", now->path,
        (long long)(end->bytes < 0 ? 0 : end->bytes), (long long)was);
}

int journal_read(const char *path, const struct journal_reader *reader,
                 struct err *e)
{
  struct reading now = {path, reader, 0};
  struct lines lines = {&now, take, notice};
  struct lines_end end;
  int bad;
  off_t was = mark_get(path, &bad);
  if (lines_read(path, &lines, &end, e))
    return -1;
  compare(&now, was, bad, &end);
  return now.damaged;
}

/* Under the lock, which keeps out whoever may take back what it wrote. */
static int follow(struct journal *j, const struct journal_reader *reader,
                  off_t size, struct err *e)
{
  struct reading now = {j->path, reader, 0};
  struct lines lines = {&now, take, notice};
  int bad = 0;
  off_t was = j->begun ? j->end.bytes : mark_get(j->path, &bad);
  if (size < j->end.bytes)
    j->end.bytes = size;
  int code = lines_follow(j->fd, j->path, &lines, &j->end, e);
  if (!code)
    compare(&now, was, bad, &j->end);
  j->begun = 1;
  return code;
}

int journal_follow(struct journal *j, const struct journal_reader *reader,
                   struct err *e)
{
  struct stat now;
  if (!fstat(j->fd, &now) && j->begun && now.st_size == j->end.bytes &&
      !is_replaced(j))
    return 0;
  int code = lock(j, file_share, e);
  if (!code && fstat(j->fd, &now))
    code = err_set(e, ERR_FAILED, "%s: %s", j->path, strerror(errno));
  if (!code)
    code = follow(j, reader, now.st_size, e);
  file_unlock(j->fd);
  return code;
}
