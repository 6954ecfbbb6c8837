/* shadow.h - what is known of memory, piece by piece.
 *
 * A table from the number of a piece of addresses to what the caller keeps of
 * it, which is all zeros when it is new.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_check_shadow_h
#define sim_check_shadow_h

#include <stddef.h>
#include <stdint.h>

enum {SHADOW_RECENT = 64};

struct shadow_piece {
  uint64_t number; /* plus 1; 0: none */
  void *at;
};

struct shadow {
  size_t bytes; /* of what is kept of a piece */
  size_t n, room;
  struct shadow_piece *pieces; /* a hash table */
  struct shadow_piece recent[SHADOW_RECENT];
};

void *shadow_find(struct shadow *s, uint64_t number);

/* That of a piece; it is made where there is none. */
static inline void *shadow_at(struct shadow *s, uint64_t number)
{
  const struct shadow_piece *p = &s->recent[number % SHADOW_RECENT];
  return p->number == number + 1 ? p->at : shadow_find(s, number);
}

/* NULL: there is none. */
void *shadow_look(struct shadow *s, uint64_t number);

static inline void *shadow_known(struct shadow *s, uint64_t number)
{
  const struct shadow_piece *p = &s->recent[number % SHADOW_RECENT];
  return p->number == number + 1 ? p->at : shadow_look(s, number);
}

/* Forget all; `gone` (may be NULL) frees what a piece points to. */
void shadow_empty(struct shadow *s, void (*gone)(void *at));

#endif
