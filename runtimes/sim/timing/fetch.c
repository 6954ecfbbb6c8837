/* fetch.c - see fetch.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/fetch.h"

#include <stdlib.h>

#include "base/mem.h"
#include "runtimes/sim/timing/server.h"

void fetch_open(struct fetch *f, const struct card *c, size_t dwords,
                struct totals *totals)
{
  cache_init(&f->cache, CACHE_LRU, c->icache, FETCH_DWORDS * sizeof(uint32_t),
             c->icache_ways);
  f->met = mem_array(dwords / FETCH_DWORDS + 1, sizeof *f->met);
  f->latency = c->scalar_miss;
  f->totals = totals;
}

void fetch_close(struct fetch *f)
{
  cache_free(&f->cache);
  free(f->met);
}

double fetch_line(struct fetch *f, size_t line, double t)
{
  int hit;
  struct cache_line *found = cache_touch(&f->cache, line, &hit);
  if (!hit && f->met[line]) {
    found->ready = t + f->latency;
    f->totals->icache_misses++;
  }
  f->met[line] = 1;
  return later(found->ready, t);
}
