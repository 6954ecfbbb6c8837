/* cache.c - see cache.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void cache_init(struct cache *c, double bytes, double line, double ways)
{
  c->ways = (unsigned)ways;
  c->sets = (size_t)(bytes / line / ways);
  if (c->sets == 0)
    c->sets = 1;
  c->at = mem_array(c->sets * c->ways, sizeof *c->at);
}

void cache_free(struct cache *c)
{
  free(c->at);
  c->at = NULL;
}

struct cache_line *cache_touch(struct cache *c, uint64_t line, int *hit)
{
  struct cache_line *set = c->at + line % c->sets * c->ways;
  unsigned i = 0;
  while (i < c->ways - 1 && set[i].line != line + 1)
    i++;
  *hit = set[i].line == line + 1;
  struct cache_line found = set[i];
  memmove(set + 1, set, i * sizeof *set);
  if (!*hit)
    found = (struct cache_line){line + 1, 0};
  set[0] = found;
  return set;
}
