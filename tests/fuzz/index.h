/* index.h - what must hold of a journal's index for any bytes at all. */
// SPDX-License-Identifier: MIT
#ifndef tests_fuzz_index_h
#define tests_fuzz_index_h

#include "db/jindex.h"
#include "tests/fuzz/store.h"

/* Any bytes, with the state of a journal that they name: what is taken for an
 * index has its lines in order, within the journal. */
static inline int index_bytes(const char *bytes, size_t n)
{
  struct stat now = {0};
  struct jindex_head head = {0}, told;
  struct jindex x;
  uint64_t at = 0;
  if (n >= sizeof head)
    memcpy(&head, bytes, sizeof head);
  now.st_ino = head.inode;
  now.st_ctim.tv_sec = (time_t)head.seconds;
  now.st_ctim.tv_nsec = (long)head.nanoseconds;
  now.st_size = (off_t)head.size;
  int found = jindex_parse(bytes, n, &now, &x, &told);
  MUST(found || (!x.n && !x.lines));
  MUST(x.bytes <= head.size);
  for (size_t i = 0; i < x.n; i++) {
    uint64_t from = x.lines[i].at & ~JINDEX_DAMAGED;
    MUST(from < x.bytes && (i ? from > at : !from));
    at = from;
  }
  jindex_free(&x);
  return found;
}

static inline void index_record(void *user, struct record *r)
{
  ++*(size_t *)user;
  MUST(!strcmp(record_text(r, "problem"), "m=1"));
  record_free(r);
}

static inline void index_notice(void *user, const char *text)
{
  (void)user;
  MUST(*text);
}

/* The journal DIR/g.journal of two problems, as it was made before. */
static inline void index_journal(const char *path)
{
  struct journal *j;
  struct err e;
  if (!access(path, F_OK))
    return;
  MUST(!journal_open(&j, path, &e));
  for (int i = 0; i < 6; i++) {
    struct record *r = record_new();
    record_set(r, "i", "%d", i);
    record_set(r, "problem", "m=%d", i % 2);
    MUST(!journal_append(j, r, &e));
    record_free(r);
  }
  journal_close(j);
}

/* The bytes as entries of an index whose sums and state are right: whatever
 * they point at, what is given is a sound record of the problem. */
static inline int index_entries(const char *dir, const char *bytes, size_t n)
{
  char path[512];
  struct stat now;
  struct jindex x = {.n = n / sizeof *x.lines};
  struct jindex_head told;
  struct err e;
  size_t records = 0;
  struct journal_reader reader = {&records, index_record, index_notice};
  snprintf(path, sizeof path, "%s/g.journal", dir);
  index_journal(path);
  MUST(!stat(path, &now));
  x.lines = malloc(n + 1);
  MUST(x.lines);
  memcpy(x.lines, bytes, x.n * sizeof *x.lines);
  x.sum = jindex_sum(&x, x.n);
  x.bytes = (uint64_t)now.st_size;
  jindex_store(path, &now, &x);
  jindex_free(&x);
  MUST(!journal_find(path, "m=1", &reader, &e));
  MUST(records <= 6);
  int found = jindex_load(path, &now, &x, &told);
  jindex_free(&x);
  return found;
}

#endif
