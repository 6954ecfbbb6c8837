/* memo.c - a hash table with linear probing, at most half full: see memo.h. */
// SPDX-License-Identifier: MIT
#include "gen/memo.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

enum {FIRST = 64}; /* entries; always a power of two */

static int equal(struct memo_state a, struct memo_state b)
{
  return a.low == b.low && a.high == b.high;
}

/* The entry of this state, or the free one where it belongs. Both halves may be small
 * numbers that go up together: mixing one keeps them from cancelling each other. */
static struct memo_entry *entry(const struct memo *m, struct memo_state state)
{
  size_t i = (size_t)rng_mix(rng_mix(state.low) ^ state.high) & (m->room - 1);
  while (m->entries[i].count1 && !equal(m->entries[i].state, state))
    i = (i + 1) & (m->room - 1);
  return &m->entries[i];
}

static void grow(struct memo *m)
{
  struct memo old = *m;
  m->room = old.room ? 2 * old.room : FIRST;
  m->entries = mem_array(m->room, sizeof *m->entries);
  for (size_t i = 0; i < old.room; i++)
    if (old.entries[i].count1)
      *entry(m, old.entries[i].state) = old.entries[i];
  free(old.entries);
}

int memo_get(const struct memo *m, struct memo_state state, uint64_t *count)
{
  if (!m->room)
    return 0;
  const struct memo_entry *at = entry(m, state);
  *count = at->count1 - 1;
  return at->count1 != 0;
}

void memo_put(struct memo *m, struct memo_state state, uint64_t count)
{
  if (memo_full(m))
    return;
  if (2 * (m->n + 1) > m->room)
    grow(m);
  *entry(m, state) = (struct memo_entry){state, count + 1};
  m->n++;
}

void memo_free(struct memo *m)
{
  free(m->entries);
  *m = (struct memo){0};
}
