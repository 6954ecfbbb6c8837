/* numbered.h - journals of numbered records, for the tests of db/. */
// SPDX-License-Identifier: MIT
#ifndef tests_db_numbered_h
#define tests_db_numbered_h

#include <fcntl.h>

#include "db/journal.h"
#include "tests/base/folder.h"

enum {MOST = 20000};

struct seen {
  int n, at[MOST]; /* the fields named "i", in order */
  struct str notices;
};

static inline void take(void *user, struct record *r)
{
  struct seen *s = user;
  assert_true(s->n < MOST);
  s->at[s->n++] = (int)record_number(r, "i", -1);
  record_free(r);
}

static inline void note(void *user, const char *text)
{
  str_addf(&((struct seen *)user)->notices, "%s\n", text);
}

/* The number of damaged lines. */
static inline int read_all(const char *path, struct seen *s)
{
  struct journal_reader reader = {s, take, note};
  struct err e = {0};
  s->n = 0;
  str_clear(&s->notices);
  int damaged = journal_read(path, &reader, &e);
  if (damaged < 0)
    fail_msg("%s", e.text);
  return damaged;
}

/* Record i is of the problem "m=<i % 3>,k=a b": a blank is escaped. */
static inline int append(struct journal *j, int i, struct err *e)
{
  struct record *r = record_new();
  record_set(r, "i", "%d", i);
  record_set(r, "problem", "m=%d,k=a b", i % 3);
  record_set(r, "text", "problem=m=1,k=a%%20b, candidate %d", i);
  int code = journal_append(j, r, e);
  record_free(r);
  return code;
}

static inline struct journal *must_open(const char *path)
{
  struct journal *j;
  struct err e = {0};
  if (journal_open(&j, path, &e))
    fail_msg("%s", e.text);
  return j;
}

static inline void must_append(const char *path, int from, int to)
{
  struct journal *j = must_open(path);
  struct err e = {0};
  for (int i = from; i < to; i++)
    if (append(j, i, &e))
      fail_msg("%s", e.text);
  journal_close(j);
}

/* Bytes that no journal wrote. */
static inline void raw_append(const char *path, const char *text, size_t n)
{
  int fd = open(path, O_WRONLY | O_APPEND | O_CREAT, 0644);
  assert_true(fd >= 0 && write(fd, text, n) == (ssize_t)n);
  close(fd);
}

#endif
