/* jindex.c - see jindex.h. */
// SPDX-License-Identifier: MIT
#include "db/jindex.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "db/record.h"

static const uint64_t magic = 0x3178646e69767774; /* "twvindx1" */

enum {HEAD = sizeof(struct jindex_head), ENTRY = sizeof(struct jindex_line)};

static int name(const char *journal, char path[PATH_MAX])
{
  static const char suffix[] = ".journal";
  size_t n = strlen(journal), m = sizeof suffix - 1;
  if (n > m && !strcmp(journal + n - m, suffix) && journal[n - m - 1] != '/')
    n -= m;
  return snprintf(path, PATH_MAX, "%.*s.index", (int)n, journal) < PATH_MAX;
}

/* A word can be told from what the sum is of: each step is undone by another,
 * so two sums that differ stay different. */
static uint64_t step(uint64_t sum, uint64_t word)
{
  sum = (sum ^ word) * 0x9e3779b97f4a7c15;
  return sum << 32 | sum >> 32;
}

static uint64_t add_line(uint64_t sum, const struct jindex_line *l)
{
  return step(step(sum, l->at), (uint64_t)l->crc << 32 | l->key);
}

static uint64_t check(const struct jindex_head *h)
{
  const uint64_t words[] = {h->inode, h->seconds, h->nanoseconds, h->size,
                            h->bytes, h->n, h->sum};
  uint64_t sum = h->magic;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    sum = step(sum, words[i]);
  return sum;
}

static struct jindex_head head_of(const struct stat *now, uint64_t bytes,
                                 uint64_t n, uint64_t sum)
{
  struct jindex_head h = {
      .magic = magic, .inode = now->st_ino,
      .seconds = (uint64_t)now->st_ctim.tv_sec,
      .nanoseconds = (uint64_t)now->st_ctim.tv_nsec,
      .size = (uint64_t)now->st_size, .bytes = bytes, .n = n, .sum = sum};
  h.check = check(&h);
  return h;
}

static int is_sound(const struct jindex_head *h)
{
  return h->magic == magic && h->check == check(h) && h->bytes <= h->size &&
         h->n <= h->bytes; /* a line has a byte */
}

/* Is it of this state of the journal? */
static int is_of(const struct jindex_head *h, const struct stat *now)
{
  const struct jindex_head wanted = head_of(now, h->bytes, h->n, h->sum);
  return !memcmp(h, &wanted, HEAD);
}

uint32_t jindex_key(const char *problem, size_t n)
{
  return n ? (uint32_t)hash_64(problem, n) : 0;
}

static struct jindex_line entry(const char *line, size_t n, uint64_t at,
                               uint32_t crc, int bad)
{
  size_t length = 0;
  const char *problem = bad ? NULL : record_field(line, n, "problem", &length);
  return (struct jindex_line){bad ? at | JINDEX_DAMAGED : at,
                             jindex_key(problem, length), crc};
}

void jindex_add(struct jindex *x, const char *line, size_t n, uint64_t at,
               uint32_t crc, int bad)
{
  if (x->n == x->room) {
    x->room = x->room ? 2 * x->room : 1024;
    x->lines = mem_resize(x->lines, x->room * sizeof *x->lines);
  }
  x->lines[x->n] = entry(line, n, at, crc, bad);
  x->sum = add_line(x->sum, &x->lines[x->n++]);
  x->bytes = at + n + 1;
}

uint64_t jindex_sum(const struct jindex *x, size_t n)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum = add_line(sum, &x->lines[i]);
  return sum;
}

void jindex_free(struct jindex *x)
{
  free(x->lines);
  *x = (struct jindex){0};
}

/* --- reading ------------------------------------------------------------- */

/* Lines stand one behind the other, from the first byte to the last. */
static int in_order(const struct jindex *x)
{
  uint64_t at = 0;
  for (size_t i = 0; i < x->n; i++) {
    uint64_t from = x->lines[i].at & ~JINDEX_DAMAGED;
    if (from >= x->bytes || (i ? from <= at : from != 0))
      return 0;
    at = from;
  }
  return x->n || !x->bytes;
}

int jindex_parse(const char *bytes, size_t n, const struct stat *now,
                struct jindex *x, struct jindex_head *told)
{
  *x = (struct jindex){0};
  *told = (struct jindex_head){0};
  if (n < HEAD)
    return 0;
  memcpy(told, bytes, HEAD);
  if (!is_sound(told)) {
    *told = (struct jindex_head){0};
    return 0;
  }
  if (!is_of(told, now) || (n - HEAD) / ENTRY < told->n)
    return 0;
  *x = (struct jindex){mem_array(told->n + 1, ENTRY), told->n, told->n + 1, 0,
                      told->bytes};
  memcpy(x->lines, bytes + HEAD, told->n * ENTRY);
  x->sum = jindex_sum(x, x->n);
  if (x->sum == told->sum && in_order(x))
    return 1;
  jindex_free(x);
  return 0;
}

/* The journal's length bounds that of its index: a line has a byte. */
static size_t most(const struct stat *now)
{
  return HEAD + (size_t)now->st_size * ENTRY;
}

int jindex_load(const char *journal, const struct stat *now, struct jindex *x,
               struct jindex_head *told)
{
  char path[PATH_MAX];
  struct str text = {0};
  *x = (struct jindex){0};
  *told = (struct jindex_head){0};
  int found = name(journal, path) &&
              !file_read(path, most(now), &text, NULL) &&
              jindex_parse(text.at, text.len, now, x, told);
  str_free(&text);
  return found;
}

/* --- writing ------------------------------------------------------------- */

static int put(int fd, const void *bytes, size_t n, uint64_t at)
{
  for (const char *from = bytes; n;) {
    ssize_t done = pwrite(fd, from, n, (off_t)at);
    if (done <= 0)
      return -1;
    from += done;
    at += (uint64_t)done;
    n -= (size_t)done;
  }
  return 0;
}

static int open_index(const char *journal, int flags)
{
  char path[PATH_MAX];
  if (!name(journal, path))
    return -1;
  return open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | flags, 0666);
}

/* Begun by making the old one unusable. */
void jindex_store(const char *journal, const struct stat *now,
                 const struct jindex *x)
{
  int fd = open_index(journal, O_CREAT);
  const struct jindex_head h = head_of(now, x->bytes, x->n, x->sum);
  if (fd < 0)
    return;
  if (ftruncate(fd, 0) || put(fd, x->lines, x->n * ENTRY, HEAD) ||
      put(fd, &h, HEAD, 0))
    jindex_remove(journal); /* takes no room on a full disk */
  close(fd);
}

void jindex_extend(const char *journal, const struct stat *before,
                  const struct stat *now, const char *line, size_t n)
{
  struct jindex_head h;
  int fd = open_index(journal, 0);
  uint32_t crc;
  if (fd < 0)
    return;
  if (pread(fd, &h, HEAD, 0) == HEAD && is_sound(&h) && is_of(&h, before) &&
      h.bytes == h.size && !record_check(line, n, &crc, NULL)) {
    struct jindex_line l = entry(line, n, h.bytes, crc, 0);
    uint64_t at = HEAD + h.n * ENTRY;
    h = head_of(now, h.bytes + n + 1, h.n + 1, add_line(h.sum, &l));
    if (!put(fd, &l, ENTRY, at))
      put(fd, &h, HEAD, 0);
  }
  close(fd);
}

void jindex_remove(const char *journal)
{
  char path[PATH_MAX];
  if (name(journal, path))
    unlink(path);
}
