/* cache.c - see cache.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/cache.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

void cache_init(struct cache *c, enum cache_policy policy, double bytes,
                double line, double ways)
{
  c->policy = policy;
  c->replaced = 0;
  c->ways = (unsigned)ways;
  c->sets = (size_t)(bytes / line / ways);
  if (c->sets == 0)
    c->sets = 1;
  c->mask = c->sets & (c->sets - 1) ? 0 : c->sets - 1;
  c->low = c->high = 0;
  c->at = mem_array(c->sets * c->ways, sizeof *c->at);
}

void cache_free(struct cache *c)
{
  free(c->at);
  c->at = NULL;
}

void cache_fold(struct cache *c, size_t plain)
{
  assert(plain > 0 && plain < c->sets);
  c->low = (unsigned)__builtin_ctzll(plain);
  c->high = (unsigned)__builtin_ctzll(c->sets) - c->low;
  assert((size_t)1 << c->low == plain);
  assert((size_t)1 << (c->low + c->high) == c->sets);
}

/* By exclusive or, as hardware does; of a single bit without the loop, whose forty turns
 * took a tenth of a launch's simulation. */
static size_t folded(const struct cache *c, uint64_t line)
{
  uint64_t plain = ((uint64_t)1 << c->low) - 1;
  uint64_t rest = ((uint64_t)1 << c->high) - 1, fold = 0, up = line >> c->low;
  if (c->high == 1)
    fold = (uint64_t)__builtin_parityll(up);
  else
    for (; up; up >>= c->high)
      fold ^= up & rest;
  return fold << c->low | (line & plain);
}

/* To the front of its set, from place i or instead of the last. */
static struct cache_line *bring_up(struct cache *c, struct cache_line *set,
                                   unsigned i, uint64_t line, int hit)
{
  struct cache_line first = set[i];
  if (!hit) {
    c->lost = set[i];
    first = (struct cache_line){.line = line + 1};
  }
  for (unsigned k = i; k > 0; k--)
    set[k] = set[k - 1];
  set[0] = first;
  return set;
}

/* Lines never leave but for others, so that a set fills from the front and its
 * last entry tells whether it is full. */
static struct cache_line *put_by_chance(struct cache *c, struct cache_line *set,
                                        uint64_t line)
{
  unsigned i = 0;
  if (set[c->ways - 1].line)
    i = (unsigned)(rng_nth(0, c->replaced++) % c->ways);
  else
    while (set[i].line)
      i++;
  set[i] = (struct cache_line){.line = line + 1};
  return &set[i];
}

/* Without a division, which takes longer than all else here. */
static size_t set_of(const struct cache *c, uint64_t line)
{
  if (c->high)
    return folded(c, line);
  return c->mask ? line & c->mask : line % c->sets;
}

struct cache_line *cache_touch(struct cache *c, uint64_t line, int *hit)
{
  size_t n = set_of(c, line);
  struct cache_line *set = c->at + n * c->ways;
  unsigned i = 0;
  while (i < c->ways - 1 && set[i].line != line + 1)
    i++;
  *hit = set[i].line == line + 1;
  if (c->policy == CACHE_LRU)
    return bring_up(c, set, i, line, *hit);
  return *hit ? &set[i] : put_by_chance(c, set, line);
}
