/* l1.c - see l1.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/l1.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

/* PLACES apart from the cache, for each line that the L1 holds: enough, and few
 * enough for those of all CUs to fit into the caches of this machine. LONG: cycles
 * for which places are looked at after one was taken whose time is not known yet;
 * who asks again later than that asks the L2 again. */
enum {PLACES = 4, LONG = 3000};

void l1_init(struct l1 *l, const struct card *c, unsigned sample)
{
  *l = (struct l1){.bits = 1};
  while (1u << l->bits < PLACES * c->l1 / c->line / sample)
    l->bits++;
  cache_init(&l->cache, CACHE_LRU, c->l1 / sample, c->line, c->l1_ways);
  cache_fold(&l->cache, (size_t)(c->l1_plain / sample));
}

void l1_free(struct l1 *l)
{
  cache_free(&l->cache);
  free(l->apart);
}

/* Where line `plus` - 1 of that group is kept. */
static struct cache_line *place(const struct l1 *l, uint64_t plus,
                                uint16_t group)
{
  return &l->apart[rng_even(plus << 16 | group, l->bits)];
}

static struct cache_line *keep(struct l1 *l, struct cache_line line, double until)
{
  if (!l->apart)
    l->apart = mem_array((size_t)1 << l->bits, sizeof *l->apart);
  l->until = until > l->until ? until : l->until;
  struct cache_line *at = place(l, line.line, line.asker);
  *at = line;
  return at;
}

/* What the group waits for apart from the cache; NULL: nothing. */
static struct cache_line *awaited(const struct l1 *l, uint64_t line,
                                  uint16_t group, double t)
{
  if (l->until <= t)
    return NULL;
  struct cache_line *at = place(l, line + 1, group);
  return at->line == line + 1 && at->asker == group && at->ready > t ? at : NULL;
}

/* The line is in the cache for another group, which still waits for it. */
static struct cache_line *ask_too(struct l1 *l, uint64_t line, uint16_t group,
                                  double t, int *hit)
{
  struct cache_line *mine = awaited(l, line, group, t);
  *hit = mine != NULL;
  if (mine)
    return mine;
  return keep(l, (struct cache_line){.line = line + 1, .asker = group}, t + LONG);
}

struct cache_line *l1_touch(struct l1 *l, uint64_t line, uint16_t group,
                            double t, int *hit)
{
  struct cache_line *at = cache_touch(&l->cache, line, hit);
  if (*hit && (at->ready <= t || at->asker == group))
    return at;
  if (*hit)
    return ask_too(l, line, group, t, hit);
  const struct cache_line *mine = awaited(l, line, group, t);
  *hit = mine != NULL;
  *at = (struct cache_line){.line = line + 1, .asker = group,
                            .ready = mine ? mine->ready : 0};
  if (l->cache.lost.ready > t)
    keep(l, l->cache.lost, l->cache.lost.ready);
  return at;
}
