/* l1.c - see l1.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/l1.h"

void l1_init(struct cache *l1, const struct card *c, unsigned sample)
{
  cache_init(l1, CACHE_LRU, c->l1 / sample, c->line, c->l1_ways);
  cache_fold(l1, 1);
}
