/* lines.c - see lines.h. */
// SPDX-License-Identifier: MIT
#include "db/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* Read a line; keeps no more bytes of it than tell that it is too long. */
static size_t read_line(FILE *file, char line[RECORD_LINE + 1], int *end)
{
  size_t n = 0;
  int c;
  while ((c = getc_unlocked(file)) != EOF && c != '\n')
    if (n <= RECORD_LINE)
      line[n++] = (char)c;
  *end = c == EOF;
  return n;
}

static void parse(const struct lines *l, const char *text, size_t n,
                  size_t number, int torn)
{
  struct record *r;
  struct err why;
  if (record_parse(text, n, &r, &why))
    l->damage(l->user, number, torn, why.text);
  else
    l->record(l->user, r, number);
}

int lines_read(const char *path, const struct lines *l, struct err *e)
{
  struct err why = {0};
  int fd = file_open(path, &why);
  if (fd < 0 && errno == ENOENT)
    return 0;
  if (fd < 0)
    return err_set(e, why.code, "%s", why.text);
  FILE *file = fdopen(fd, "r");
  if (!file) {
    close(fd);
    return err_set(e, ERR_FAILED, "%s: cannot read: %s", path,
                   strerror(errno));
  }
  char *text = mem_alloc(RECORD_LINE + 1);
  int end = 0;
  for (size_t number = 1; !end; number++) {
    size_t n = read_line(file, text, &end);
    if (n)
      parse(l, text, n, number, end);
  }
  int failed = ferror(file) ? errno : 0;
  free(text);
  fclose(file);
  if (failed)
    return err_set(e, ERR_FAILED, "%s: cannot read: %s", path,
                   strerror(failed));
  return 0;
}
