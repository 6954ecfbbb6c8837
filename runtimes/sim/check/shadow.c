/* shadow.c - a hash table with open addresses; see shadow.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/check/shadow.h"

#include <stdlib.h>

#include "base/mem.h"

enum {FIRST_ROOM = 1 << 8};

static size_t slot(const struct shadow_piece *pieces, size_t room,
                   uint64_t number)
{
  size_t at = (size_t)(number * 0x9e3779b97f4a7c15 >> 32) & (room - 1);
  while (pieces[at].number && pieces[at].number != number)
    at = (at + 1) & (room - 1);
  return at;
}

static void enlarge(struct shadow *s)
{
  size_t room = s->room ? 2 * s->room : FIRST_ROOM;
  struct shadow_piece *pieces = mem_array(room, sizeof *pieces);
  for (size_t n = 0; n < s->room; n++)
    if (s->pieces[n].number)
      pieces[slot(pieces, room, s->pieces[n].number)] = s->pieces[n];
  free(s->pieces);
  s->pieces = pieces;
  s->room = room;
}

void *shadow_find(struct shadow *s, uint64_t number)
{
  if (2 * s->n >= s->room)
    enlarge(s);
  struct shadow_piece *p = &s->pieces[slot(s->pieces, s->room, number + 1)];
  if (!p->number) {
    *p = (struct shadow_piece){number + 1, mem_alloc(s->bytes)};
    s->n++;
  }
  s->recent[number % SHADOW_RECENT] = *p;
  return p->at;
}

void *shadow_look(struct shadow *s, uint64_t number)
{
  if (!s->n)
    return NULL;
  size_t at = slot(s->pieces, s->room, number + 1);
  if (!s->pieces[at].number)
    return NULL;
  s->recent[number % SHADOW_RECENT] = s->pieces[at];
  return s->pieces[at].at;
}

void shadow_empty(struct shadow *s, void (*gone)(void *at))
{
  for (size_t n = 0; n < s->room; n++) {
    if (gone && s->pieces[n].number)
      gone(s->pieces[n].at);
    free(s->pieces[n].at);
  }
  free(s->pieces);
  *s = (struct shadow){.bytes = s->bytes};
}
