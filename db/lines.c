/* lines.c - see lines.h. */
// SPDX-License-Identifier: MIT
#include "db/lines.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"

enum {BLOCK = 65536};

/* A line that is being put together. Of one that is too long no more is kept
 * than tells that it is. */
struct line {
  char text[RECORD_LINE + 1];
  size_t n, length; /* kept; of the line */
  uint64_t at;      /* byte where it begins */
};

static void add(struct line *line, const char *text, size_t n)
{
  size_t room = sizeof line->text - line->n;
  line->length += n;
  n = n < room ? n : room;
  memcpy(line->text + line->n, text, n);
  line->n += n;
}

/* Is it a line of another problem, and sound? */
static int is_others(const struct lines *l, const struct line *line, int bad)
{
  size_t n = 0;
  if (!l->only || bad)
    return 0;
  const char *problem = record_field(line->text, line->n, "problem", &n);
  return jindex_key(problem, n) != l->only->key;
}

/* Two problems may have the same key. */
static int is_wanted(const struct lines *l, const struct record *r)
{
  return !l->only || !strcmp(record_text(r, "problem"), l->only->problem);
}

static void give(const struct lines *l, const struct line *line, size_t number)
{
  struct record *r;
  struct err why;
  if (record_parse(line->text, line->n, &r, &why))
    l->damage(l->user, number, 0, why.text);
  else if (is_wanted(l, r))
    l->record(l->user, r, number, hash_64(line->text, line->n));
  else
    record_free(r);
}

/* The last line, without its newline. */
static void give_torn(const struct lines *l, const struct line *line,
                      size_t number)
{
  struct record *r;
  struct err why;
  if (record_parse(line->text, line->n, &r, &why)) {
    l->damage(l->user, number, 1, why.text);
    return;
  }
  if (is_wanted(l, r))
    l->record(l->user, r, number, hash_64(line->text, line->n));
  else
    record_free(r);
  l->damage(l->user, number, 1, NULL);
}

static void parse(const struct lines *l, struct line *line, size_t number)
{
  uint32_t crc = 0;
  int bad = (l->only || l->index) && line->n &&
            record_check(line->text, line->n, &crc, NULL);
  if (l->index)
    jindex_add(l->index, line->text, line->length, line->at, crc, bad);
  if (line->n && !is_others(l, line, bad))
    give(l, line, number);
}

static void take(const struct lines *l, struct line *line, const char *block,
                 size_t n, size_t *number)
{
  const char *end;
  for (; (end = memchr(block, '\n', n)); n -= (size_t)(end + 1 - block),
       block = end + 1) {
    add(line, block, (size_t)(end - block));
    parse(l, line, ++*number);
    line->at += line->length + 1;
    line->n = line->length = 0;
  }
  add(line, block, n);
}

int lines_follow(int fd, const char *path, const struct lines *l,
                 struct lines_end *end, struct err *e)
{
  struct line *line = mem_alloc(sizeof *line);
  char *block = mem_alloc(BLOCK);
  ssize_t n;
  line->at = (uint64_t)end->bytes;
  while ((n = pread(fd, block, BLOCK, end->bytes)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      break;
    take(l, line, block, (size_t)n, &end->lines);
    end->bytes += n;
  }
  int failed = n < 0 ? errno : 0;
  if (!failed && line->n)
    give_torn(l, line, end->lines + 1);
  free(block);
  free(line);
  if (failed)
    return err_set(e, ERR_FAILED, "%s: cannot read: %s", path,
                   strerror(failed));
  return 0;
}

int lines_read(const char *path, const struct lines *l, struct lines_end *end,
               struct err *e)
{
  struct err why = {0};
  int fd = file_open(path, &why);
  *end = (struct lines_end){fd < 0 ? -1 : 0, 0};
  if (fd < 0 && errno == ENOENT)
    return 0;
  if (fd < 0)
    return err_set(e, why.code, "%s", why.text);
  int code = lines_follow(fd, path, l, end, e);
  close(fd);
  return code;
}

/* The i-th line of an index; -1 where the file has no such bytes. */
static int read_line(int fd, const struct jindex *x, size_t i,
                     struct line *line)
{
  uint64_t from = x->lines[i].at & ~JINDEX_DAMAGED;
  uint64_t next = i + 1 < x->n ? x->lines[i + 1].at & ~JINDEX_DAMAGED
                               : x->bytes;
  line->at = from;
  line->length = (size_t)(next - from - 1);
  line->n = line->length < sizeof line->text ? line->length
                                             : sizeof line->text;
  for (size_t at = 0; at < line->n;) {
    ssize_t n = pread(fd, line->text + at, line->n - at, (off_t)(from + at));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    at += (size_t)n;
  }
  return 0;
}

int lines_pick(int fd, const char *path, const struct lines *l,
               const struct jindex *x, struct err *e)
{
  struct line *line = mem_alloc(sizeof *line);
  int code = 0;
  for (size_t i = 0; i < x->n && !code; i++) {
    const struct jindex_line *at = &x->lines[i];
    if (at->key != l->only->key && !(at->at & JINDEX_DAMAGED))
      continue;
    if (read_line(fd, x, i, line))
      code = err_set(e, ERR_FAILED, "%s: cannot read: %s", path,
                     strerror(errno));
    else if (line->n)
      give(l, line, i + 1);
  }
  free(line);
  return code;
}
