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
#include "db/jindex.h"
#include "db/lines.h"
#include "db/mark.h"

struct journal {
  int fd, mark; /* mark: -1 where it cannot be written */
  char *path;
  struct lines_end end; /* of what journal_follow() has read */
  int begun;
  char *problem;          /* NULL: records of all problems */
  struct lines_only only; /* with problem */
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
  *j = (struct journal){.fd = fd, .mark = mark_open(path),
                        .path = mem_copy(path)};
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
  free(j->problem);
  free(j);
}

static struct lines_only only_of(const char *problem)
{
  struct str text = {0};
  record_escape(problem, &text);
  struct lines_only only = {problem, jindex_key(text.at, text.len)};
  str_free(&text);
  return only;
}

void journal_only(struct journal *j, const char *problem)
{
  free(j->problem);
  j->problem = mem_copy(problem);
  j->only = only_of(j->problem);
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
static void appended(struct journal *j, const struct stat *before,
                     const struct str *text)
{
  off_t size = before->st_size + (off_t)text->len;
  struct stat now;
  mark_set(j->mark, size);
  if (!fstat(j->fd, &now))
    jindex_extend(j->path, before, &now, text->at, text->len - 1);
  if (j->end.bytes != before->st_size)
    return;
  j->end.bytes = size;
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
    appended(j, &now, &text);
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

/* What a journal is known to have been. */
struct known {
  off_t bytes;
  int bad; /* its mark is damaged */
};

/* Is it as long as it was? */
static void compare(const struct reading *now, const struct known *was,
                    const struct lines_end *end)
{
  if (was->bad)
    say(now, "%s.mark: is damaged, and says no more whether the journal was "
        "cut; the next result makes it new", now->path);
  if (end->bytes < was->bytes)
    say(now, "%s: ends at byte %lld, and was %lld long: results at its end are "
        "lost, or were taken out, and will be measured again", now->path,
        (long long)(end->bytes < 0 ? 0 : end->bytes), (long long)was->bytes);
}

int journal_read(const char *path, const struct journal_reader *reader,
                 struct err *e)
{
  struct reading now = {path, reader, 0};
  struct lines lines = {&now, take, notice, NULL, NULL};
  struct lines_end end;
  struct known was;
  was.bytes = mark_get(path, &was.bad);
  if (lines_read(path, &lines, &end, e))
    return -1;
  compare(&now, &was, &end);
  return now.damaged;
}

/* --- of one problem ------------------------------------------------------ */

/* An open journal that is locked. */
struct picking {
  int fd, alone; /* alone: the lock keeps others out, too */
  int writes;    /* may make the index */
  struct lines lines;
  struct lines_end *end;
  struct known *was;
};

/* Read it whole, and say where its lines are others than those that an index of
 * an earlier state was made of. */
static int scan(const struct picking *p, const struct stat *file,
                const struct jindex_head *told, struct err *e)
{
  const struct reading *now = p->lines.user;
  struct jindex x = {0};
  struct lines lines = p->lines;
  lines.index = &x;
  *p->end = (struct lines_end){0}; /* what was appended moved it */
  int code = lines_follow(p->fd, now->path, &lines, p->end, e);
  if (!code && !now->damaged && told->n && told->n <= x.n &&
      jindex_sum(&x, told->n) != told->sum)
    say(now, "%s: its first %llu lines are not those that were written: "
        "another program changed them, or results are lost", now->path,
        (unsigned long long)told->n);
  if (!code && p->writes)
    jindex_store(now->path, file, &x);
  jindex_free(&x);
  return code;
}

/* -1: the index must be made, which takes the whole lock. */
static int pick(const struct picking *p, struct err *e)
{
  const struct reading *now = p->lines.user;
  struct stat file;
  struct jindex x;
  struct jindex_head told;
  int code = 0;
  if (fstat(p->fd, &file))
    return err_set(e, ERR_FAILED, "%s: %s", now->path, strerror(errno));
  if (jindex_load(now->path, &file, &x, &told)) {
    *p->end = (struct lines_end){(off_t)x.bytes, x.n};
    code = lines_pick(p->fd, now->path, &p->lines, &x, e);
    if (!code) /* a torn line */
      code = lines_follow(p->fd, now->path, &p->lines, p->end, e);
  } else {
    code = p->writes && !p->alone ? -1 : scan(p, &file, &told, e);
  }
  if ((off_t)told.size > p->was->bytes)
    p->was->bytes = (off_t)told.size;
  jindex_free(&x);
  return code;
}

int journal_find(const char *path, const char *problem,
                 const struct journal_reader *reader, struct err *e)
{
  struct reading now = {path, reader, 0};
  struct lines_only only = only_of(problem);
  struct lines_end end = {-1, 0};
  struct known was;
  struct err why = {0};
  int code = 0, fd = file_open(path, &why);
  if (fd < 0 && errno != ENOENT)
    return err_set(e, why.code, "%s", why.text);
  was.bytes = mark_get(path, &was.bad);
  if (fd >= 0 && !(code = file_share(fd, path, e))) {
    struct picking p = {.fd = fd, .lines = {&now, take, notice, &only, NULL},
                        .end = &end, .was = &was};
    end.bytes = 0;
    code = pick(&p, e);
  }
  if (fd >= 0)
    close(fd);
  if (!code)
    compare(&now, &was, &end);
  return code;
}

/* --- following ----------------------------------------------------------- */

/* Under the lock, which keeps out whoever may take back what it wrote. */
static int follow(struct journal *j, const struct journal_reader *reader,
                  int alone, struct err *e)
{
  struct reading now = {j->path, reader, 0};
  struct lines lines = {&now, take, notice, j->problem ? &j->only : NULL, NULL};
  struct stat file;
  struct known was = {j->end.bytes, 0};
  int code = 0;
  if (!j->begun)
    was.bytes = mark_get(j->path, &was.bad);
  if (fstat(j->fd, &file))
    return err_set(e, ERR_FAILED, "%s: %s", j->path, strerror(errno));
  if (file.st_size < j->end.bytes)
    j->end.bytes = file.st_size;
  if (j->problem && !j->begun) {
    struct picking p = {j->fd, alone, 1, lines, &j->end, &was};
    code = pick(&p, e);
  } else {
    code = lines_follow(j->fd, j->path, &lines, &j->end, e);
  }
  if (code >= 0)
    j->begun = 1;
  if (!code)
    compare(&now, &was, &j->end);
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
  if (!code && (code = follow(j, reader, 0, e)) < 0) {
    file_unlock(j->fd); /* two who both wait for more would wait for ever */
    code = lock(j, file_lock, e);
    if (!code)
      code = follow(j, reader, 1, e);
  }
  file_unlock(j->fd);
  return code;
}
