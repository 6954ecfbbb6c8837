/* journal.c - see journal.h. */
// SPDX-License-Identifier: MIT
#include "db/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "db/lines.h"

struct journal {
  int fd;
  char *path;
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

int journal_open(struct journal **out, const char *path, struct err *e)
{
  *out = NULL;
  int code = make_folder(path, e);
  if (code)
    return code;
  int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return err_set(e, ERR_FAILED,
                   "%s: cannot open for writing: %s; "
                   "choose a folder that you may write to with --db",
                   path, strerror(errno));
  if ((code = file_ordinary(fd, path, e))
      || (code = file_flush_folder(path, e))) {
    close(fd);
    return code;
  }
  struct journal *j = mem_alloc(sizeof *j);
  *j = (struct journal){fd, mem_copy(path)};
  *out = j;
  return 0;
}

void journal_close(struct journal *j)
{
  if (!j)
    return;
  close(j->fd);
  free(j->path);
  free(j);
}

static int write_all(int fd, const struct str *text)
{
  for (size_t at = 0; at < text->len;) {
    ssize_t n = write(fd, text->at + at, text->len - at);
    if (n < 0 && errno != EINTR)
      return -1;
    at += n > 0 ? (size_t)n : 0;
  }
  return 0;
}

/* Does the file end inside a line, because a writer died there? */
static int is_torn(int fd, off_t size)
{
  char last;
  return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
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
                   "%s: was deleted or replaced while in use; start again",
                   j->path);
  struct str text = {0};
  str_add(&text, is_torn(j->fd, now.st_size) ? "\n" : "");
  str_add_bytes(&text, line->at, line->len);
  str_add(&text, "\n");
  int code = 0;
  if (write_all(j->fd, &text) || fdatasync(j->fd)) {
    code = err_set(e, ERR_FAILED,
                   "%s: cannot append: %s; the last result is not stored: "
                   "make room there or choose another folder with --db",
                   j->path, strerror(errno));
    if (ftruncate(j->fd, now.st_size))
      err_prefix(e, "half a line is left at the end");
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
  else if (!(code = file_lock(j->fd, j->path, e))) {
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

static void take(void *user, struct record *r, size_t line)
{
  (void)line;
  const struct journal_reader *reader = ((struct reading *)user)->reader;
  reader->record(reader->user, r);
}

static void notice(void *user, size_t line, int torn, const char *why)
{
  struct reading *now = user;
  now->damaged += !torn;
  if (!now->reader->notice)
    return;
  struct str text = {0};
  if (torn)
    str_addf(&text, "%s:%zu: the last line was cut off while being written; "
             "it was never reported and is dropped", now->path, line);
  else
    str_addf(&text, "%s:%zu: skipped a damaged line: %s", now->path, line,
             why);
  now->reader->notice(now->reader->user, text.at);
  str_free(&text);
}

int journal_read(const char *path, const struct journal_reader *reader,
                 struct err *e)
{
  struct reading now = {path, reader, 0};
  struct lines lines = {&now, take, notice};
  return lines_read(path, &lines, e) ? -1 : now.damaged;
}
