/* jindex.h - where a journal's lines of each problem are (inside db only).
 *
 * STORE/ARCH/FAMILY.index, beside FAMILY.journal; of a journal of another name,
 * NAME.index. It saves reading a journal whole to find the rows of one problem,
 * and can be deleted at any time: the next run makes another.
 *
 * It says of which state of the journal it is: inode, length, time of change.
 * Who appends, under the journal's lock, extends an index of the state before
 * by one entry, and leaves any other alone. So an index that is behind (a
 * writer was killed, or is older than this file), ahead (the journal was cut)
 * or of another journal is told by comparing; a sum over head and entries tells
 * a damaged one. Not noticed is a journal that is changed within the clock tick
 * of its last append (4 ms), until the lines that were changed are read: each
 * line is checked and its problem compared when it is used.
 *
 * The file: struct jindex_head, then the entries, in this machine's byte order;
 * one of another order is not taken for an index. Entry i is of line i + 1.
 * Written in place, the head last; nothing in it is flushed to the disk.
 */
// SPDX-License-Identifier: MIT
#ifndef db_jindex_h
#define db_jindex_h

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/str.h"

#define JINDEX_DAMAGED ((uint64_t)1 << 63)

struct jindex_line {
  uint64_t at;  /* byte where it begins; JINDEX_DAMAGED added where it is */
  uint32_t key; /* jindex_key() of its problem */
  uint32_t crc; /* its checksum */
};

/* Zero-initialise. */
struct jindex {
  struct jindex_line *lines;
  size_t n, room;
  uint64_t sum;   /* over the lines */
  uint64_t bytes; /* of the journal, up to the end of the last whole line */
};

/* The head; what it tells is of use, too, where it is of another state. */
struct jindex_head {
  uint64_t magic;
  uint64_t inode, seconds, nanoseconds, size; /* of the journal, by fstat() */
  uint64_t bytes, n, sum;                     /* as in struct jindex */
  uint64_t check;                             /* of this head */
};

/* Of a problem as it stands in a line (record_escape); n 0 where a line has
 * none. Problems may share one. */
uint32_t jindex_key(const char *problem, size_t n);

/* The next line, n bytes from byte `at` on and a newline; crc 0 and bad not 0
 * where it is damaged. */
void jindex_add(struct jindex *x, const char *line, size_t n, uint64_t at,
               uint32_t crc, int bad);
void jindex_free(struct jindex *x);
/* The sum over the first n lines. */
uint64_t jindex_sum(const struct jindex *x, size_t n);

/* 1: x is that of the journal's present state, which is given. 0: there is none
 * such; *told is of another state, or all 0 where there is no sound head. */
int jindex_load(const char *journal, const struct stat *now, struct jindex *x,
               struct jindex_head *told);
/* From the bytes of an index: the same. */
int jindex_parse(const char *bytes, size_t n, const struct stat *now,
                struct jindex *x, struct jindex_head *told);

/* Under the journal's lock. Where it cannot be written there will be none. */
void jindex_store(const char *journal, const struct stat *now,
                 const struct jindex *x);
/* The line of n bytes and a newline was appended. */
void jindex_extend(const char *journal, const struct stat *before,
                  const struct stat *now, const char *line, size_t n);
void jindex_remove(const char *journal);

#endif
