/* cache.h - a set-associative cache of line addresses, least recently used
 * goes first. It holds no data: values come from the functional device. Each
 * line carries the time at which it is there, so that a second miss on a line
 * under way waits for the first one's data.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_cache_h
#define sim_cache_h

#include <stddef.h>
#include <stdint.h>

struct cache_line {
  uint64_t line;  /* address / line size, plus 1; 0: empty */
  double ready;
};

struct cache {
  size_t sets;
  unsigned ways;
  struct cache_line *at; /* sets * ways, most recent first in its set */
};

void cache_init(struct cache *c, double bytes, double line, double ways);
void cache_free(struct cache *c);

/* The entry of `line`, moved to the front. Where it was not there, the least
 * recent entry of its set is replaced and *hit is 0. */
struct cache_line *cache_touch(struct cache *c, uint64_t line, int *hit);

#endif
