/* config_set.c - a hash set with linear probing: see config_set.h. */
// SPDX-License-Identifier: MIT
#include "tuner/search/config_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum {TRIES = 10000}; /* draws before a space counts as exhausted */

/* The slot that holds c, or the free one where it belongs. */
static size_t find(const struct config_set *s, const struct config *c)
{
  size_t i = hash_64(c, sizeof *c) % s->room;
  while (s->numbers[i] && memcmp(&s->slots[i], c, sizeof *c) != 0)
    i = (i + 1) % s->room;
  return i;
}

static void grow(struct config_set *s)
{
  struct config_set old = *s;
  s->room = old.room ? 2 * old.room : 64;
  s->slots = mem_array(s->room, sizeof *s->slots);
  s->numbers = mem_array(s->room, sizeof *s->numbers);
  for (size_t i = 0; i < old.room; i++)
    if (old.numbers[i]) {
      size_t at = find(s, &old.slots[i]);
      s->slots[at] = old.slots[i];
      s->numbers[at] = old.numbers[i];
    }
  config_set_free(&old);
}

int config_set_has(const struct config_set *s, const struct config *c)
{
  return config_set_number(s, c) > 0;
}

size_t config_set_number(const struct config_set *s, const struct config *c)
{
  return s->room ? s->numbers[find(s, c)] : 0;
}

int config_set_add(struct config_set *s, const struct config *c)
{
  if (2 * (s->n + 1) > s->room)
    grow(s);
  size_t i = find(s, c);
  if (s->numbers[i])
    return 0;
  s->slots[i] = *c;
  s->numbers[i] = ++s->n;
  return 1;
}

int config_set_lacks(const struct config_set *s, const struct space *space,
                     const struct config *c)
{
  return !config_set_has(s, c) && !space_rule(space, c);
}

int config_set_draw(const struct config_set *s, struct space *space, struct rng *r,
                    struct config *c)
{
  for (int i = 0; i < TRIES; i++) {
    if (!space_random(space, r, c))
      return 0;
    if (!config_set_has(s, c))
      return 1;
  }
  return 0;
}

void config_set_free(struct config_set *s)
{
  free(s->slots);
  free(s->numbers);
  *s = (struct config_set){0};
}
