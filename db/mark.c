/* mark.c - see mark.h. */
// SPDX-License-Identifier: MIT
#include "db/mark.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "db/record.h"

enum {
  DIGITS = 19,
  MOST = 256, /* bytes of a mark */
  TRIES = 3,  /* to read one that is just being written */
};

static void name(const char *journal, char path[PATH_MAX])
{
  if (snprintf(path, PATH_MAX, "%s.mark", journal) >= PATH_MAX)
    *path = 0;
}

int mark_open(const char *journal)
{
  char path[PATH_MAX];
  name(journal, path);
  return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
}

/* Always as long as before, so that one write replaces it. What cannot be
 * written is a result less that would be missed. */
void mark_set(int fd, off_t bytes)
{
  struct record *r = record_new();
  struct str text = {0};
  record_set(r, "bytes", "%0*lld", DIGITS, (long long)bytes);
  record_format(r, &text);
  str_add(&text, "\n");
  ssize_t unused = pwrite(fd, text.at, text.len, 0);
  (void)unused;
  str_free(&text);
  record_free(r);
}

/* One line, and nothing else. */
static int parse(const struct str *text, off_t *bytes)
{
  struct record *r;
  const char *line = str_text(text);
  if (!text->len || line[text->len - 1] != '\n' ||
      record_parse(line, text->len - 1, &r, NULL))
    return -1;
  const char *number = record_text(r, "bytes");
  int good = strlen(number) == DIGITS &&
             strspn(number, "0123456789") == DIGITS;
  *bytes = good ? strtoll(number, NULL, 10) : 0;
  record_free(r);
  return good ? 0 : -1;
}

/* An empty one was just made, or is as good as none. */
off_t mark_get(const char *journal, int *bad)
{
  char path[PATH_MAX];
  struct str text = {0};
  off_t bytes = 0;
  name(journal, path);
  *bad = file_exists(path);
  for (int i = 0; i < TRIES && *bad; i++) {
    str_clear(&text);
    *bad = file_read(path, MOST, &text, NULL) ||
           (text.len && parse(&text, &bytes));
  }
  str_free(&text);
  return bytes;
}
