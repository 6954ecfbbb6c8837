/* seen.h - the set of configurations that a search has proposed.
 * Zero-initialise, seen_free(). */
// SPDX-License-Identifier: MIT
#ifndef tuner_seen_h
#define tuner_seen_h

#include <stddef.h>

#include "gen/space.h"

struct seen {
  struct config *slots;
  unsigned char *used;
  size_t n, room;
};

int seen_has(const struct seen *s, const struct config *c);
int seen_add(struct seen *s, const struct config *c); /* 1: it was new */
void seen_free(struct seen *s);

/* Is c legal and not in the set? */
int seen_not(const struct seen *s, const struct space *space,
             const struct config *c);
/* Draw a legal configuration that is not in the set; 0 where there is none,
 * or so few that many draws in a row met others. */
int seen_draw(const struct seen *s, struct space *space, struct rng *r,
              struct config *c);

#endif
