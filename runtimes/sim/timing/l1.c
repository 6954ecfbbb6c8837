/* l1.c - see l1.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/l1.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

/* Places for lines that were lost, for each that the L1 holds: enough, and few
 * enough for those of all CUs to fit into the caches of this machine. */
enum {PLACES = 4};

void l1_init(struct l1 *l, const struct card *c, unsigned sample)
{
  *l = (struct l1){.bits = 1};
  while (1u << l->bits < PLACES * c->l1 / c->line / sample)
    l->bits++;
  cache_init(&l->cache, CACHE_LRU, c->l1, c->line, c->l1_ways);
}

void l1_free(struct l1 *l)
{
  cache_free(&l->cache);
  free(l->lost);
}

/* Where line `plus` - 1 of that asker is kept. */
static struct cache_line *place(const struct l1 *l, uint64_t plus,
                                uint16_t asker)
{
  return &l->lost[rng_even(plus << 16 | asker, l->bits)];
}

static void keep(struct l1 *l, struct cache_line lost)
{
  if (!l->lost)
    l->lost = mem_array((size_t)1 << l->bits, sizeof *l->lost);
  l->until = lost.ready > l->until ? lost.ready : l->until;
  *place(l, lost.line, lost.asker) = lost;
}

struct cache_line *l1_touch(struct l1 *l, uint64_t line, uint16_t asker,
                            double t, int *hit)
{
  struct cache_line *at = cache_touch(&l->cache, line, hit);
  if (*hit)
    return at;
  at->asker = asker;
  if (l->cache.lost.ready > t)
    keep(l, l->cache.lost);
  if (l->until <= t)
    return at;
  const struct cache_line *lost = place(l, line + 1, asker);
  *hit = lost->line == line + 1 && lost->asker == asker && lost->ready > t;
  if (*hit)
    at->ready = lost->ready;
  return at;
}
