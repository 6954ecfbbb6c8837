/* cache.h - a set-associative cache of line addresses.
 *
 * It holds no data: values come from the functional device. Each line carries
 * the time at which its data arrive, so that a second miss on a line that is
 * under way waits for the data of the first.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_cache_h
#define sim_cache_h

#include <stddef.h>
#include <stdint.h>

struct cache_line {
  uint64_t line : 48;  /* address / line size, plus 1; 0: empty */
  uint64_t asker : 16; /* the workgroup that had it brought (l1.h) */
  double ready;
};

/* What goes first where a set is full. */
enum cache_policy {CACHE_LRU, CACHE_RANDOM};

struct cache {
  enum cache_policy policy;
  size_t sets, mask;  /* mask: sets - 1 where they are a power of two, else 0 */
  unsigned ways;
  unsigned low, high; /* bits of a set's number; cache_fold() */
  uint64_t replaced;  /* lines, by chance */
  struct cache_line *at; /* sets * ways; by LRU: most recent first in its set */
  struct cache_line lost; /* by LRU: what the last miss replaced */
};

void cache_init(struct cache *c, enum cache_policy policy, double bytes,
                double line, double ways);
void cache_free(struct cache *c);

/* Sets are not taken in turn: a line's number modulo `plain` gives some of
 * them, all of the address above tells which of those it is, so that lines at
 * strides of a large power of two spread over all. Both `plain` and the sets
 * are powers of two. */
void cache_fold(struct cache *c, size_t plain);

/* The entry of `line`. Where it was not there, it takes an empty entry of its
 * set or replaces one, and *hit is 0. */
struct cache_line *cache_touch(struct cache *c, uint64_t line, int *hit);

#endif
