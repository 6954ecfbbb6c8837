/* tlb.c - see tlb.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/tlb.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/server.h"

/* One page in SAMPLE is followed. */
enum {LOG = 2, SAMPLE = 1 << LOG};

struct tlb {
  unsigned page_log; /* of the bytes of a page */
  double cycles, free; /* of a lookup; when the unit that does them is */
  uint64_t ncus;
  struct cache *cus;
};

struct tlb *tlb_new(const struct card *c)
{
  struct tlb *b = mem_alloc(sizeof *b);
  double kept = c->tlb_pages / SAMPLE;
  b->page_log = (unsigned)__builtin_ctzll((uint64_t)c->tlb_page);
  assert((uint64_t)1 << b->page_log == (uint64_t)c->tlb_page);
  b->cycles = 1 / c->tlb_rate;
  b->ncus = (uint64_t)c->cus;
  b->cus = mem_array(b->ncus, sizeof *b->cus);
  for (uint64_t n = 0; n < b->ncus; n++)
    cache_init(&b->cus[n], CACHE_LRU, kept * c->tlb_page, c->tlb_page, kept);
  return b;
}

void tlb_free(struct tlb *b)
{
  for (uint64_t n = 0; n < b->ncus; n++)
    cache_free(&b->cus[n]);
  free(b->cus);
  free(b);
}

double tlb_find(struct tlb *b, uint64_t cu, uint64_t address, double t)
{
  uint64_t page = address >> b->page_log;
  int hit;
  if (rng_even(page, LOG) != 0)
    return t;
  cache_touch(&b->cus[cu], page, &hit);
  return hit ? t : server_take(&b->free, t, b->cycles * SAMPLE);
}
