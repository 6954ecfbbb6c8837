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
  size_t n;
};

static void add(struct line *line, const char *text, size_t n)
{
  size_t room = sizeof line->text - line->n;
  n = n < room ? n : room;
  memcpy(line->text + line->n, text, n);
  line->n += n;
}

static void parse(const struct lines *l, struct line *line, size_t number,
                  int torn)
{
  struct record *r;
  struct err why;
  if (line->n && record_parse(line->text, line->n, &r, &why)) {
    l->damage(l->user, number, torn, why.text);
  } else if (line->n) {
    l->record(l->user, r, number, hash_64(line->text, line->n));
    if (torn)
      l->damage(l->user, number, torn, NULL);
  }
  line->n = 0;
}

static void take(const struct lines *l, struct line *line, const char *block,
                 size_t n, size_t *number)
{
  const char *end;
  for (; (end = memchr(block, '\n', n)); n -= (size_t)(end + 1 - block),
       block = end + 1) {
    add(line, block, (size_t)(end - block));
    parse(l, line, ++*number, 0);
  }
  add(line, block, n);
}

int lines_follow(int fd, const char *path, const struct lines *l,
                 struct lines_end *end, struct err *e)
{
  struct line *line = mem_alloc(sizeof *line);
  char *block = mem_alloc(BLOCK);
  ssize_t n;
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
    parse(l, line, end->lines + 1, 1);
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
