/* store.h - what must hold of the store's parsers for any bytes at all. */
// SPDX-License-Identifier: MIT
#ifndef tests_fuzz_store_h
#define tests_fuzz_store_h

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/journal.h"
#include "db/table.h"

/* An invariant does not hold: stop where a debugger or a fuzzer sees it. */
#define MUST(condition)                                                        \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      abort();                                                                 \
    }                                                                          \
  } while (0)

/* A line is refused with a reason, or is exactly what its record formats to. */
static inline int store_line(const char *bytes, size_t n)
{
  struct record *r;
  struct err e = {0};
  if (record_parse(bytes, n, &r, &e)) {
    MUST(!r && e.code == ERR_FAILED && *e.text);
    return 0;
  }
  struct str again = {0};
  record_format(r, &again);
  MUST(again.len == n && !memcmp(again.at, bytes, n));
  str_free(&again);
  record_free(r);
  return 1;
}

/* The bytes as a line whose checksum is right, so that what is behind it is
 * reached. */
static inline int store_summed(const char *bytes, size_t n)
{
  char *line = malloc(n + 14);
  uint32_t crc = 0;
  MUST(line);
  memcpy(line, bytes, n);
  memcpy(line + n, " crc=00000000", 13);
  if (record_check(line, n + 13, &crc, NULL))
    snprintf(line + n, 14, " crc=%08x", (unsigned)crc);
  int good = store_line(line, n + 13);
  free(line);
  return good;
}

struct store_count {
  size_t records, notices;
};

static inline void store_record(void *user, struct record *r)
{
  ((struct store_count *)user)->records++;
  record_free(r);
}

static inline void store_notice(void *user, const char *text)
{
  MUST(*text);
  ((struct store_count *)user)->notices++;
}

static inline size_t store_lines(const char *bytes, size_t n)
{
  size_t lines = 0;
  for (size_t at = 0; at < n;) {
    const char *end = memchr(bytes + at, '\n', n - at);
    size_t length = end ? (size_t)(end - bytes) - at : n - at;
    lines += length > 0;
    at += length + 1;
  }
  return lines;
}

/* The bytes as a journal and as a table, DIR/a/f.table: every line that is
 * not empty is either a record or has a notice. A table may have one line more,
 * the last; of several that count rows, or where it does not fit, one notice
 * speaks for all. */
static inline void store_file(const char *dir, const char *bytes, size_t n)
{
  char path[512];
  struct err e = {0};
  struct store_count journal = {0}, table = {0};
  struct journal_reader reader = {&journal, store_record, store_notice};
  struct table *t;
  snprintf(path, sizeof path, "%s/a", dir);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/a/f.table", dir);
  unlink(path); /* ext4 flushes a file that is cut to nothing and rewritten */
  FILE *file = fopen(path, "wb");
  MUST(file && fwrite(bytes, 1, n, file) == n && !fclose(file));
  size_t lines = store_lines(bytes, n);
  MUST(journal_read(path, &reader, &e) >= 0);
  MUST(journal.records + journal.notices >= lines);
  MUST(journal.records <= lines && journal.notices <= lines + 1);
  MUST(!table_load(&t, dir, "a", "f", store_notice, &table, &e));
  MUST(table_size(t) + 1 >= lines || table.notices > 0);
  MUST(table_size(t) <= journal.records);
  table_free(t);
}

#endif
