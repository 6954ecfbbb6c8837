/* config_set.h - a set of configurations, numbered in the order in which they came:
 * those that a search has proposed, or that something is known of.
 * Zero-initialise it; config_set_free() at the end. */
// SPDX-License-Identifier: MIT
#ifndef tuner_config_set_h
#define tuner_config_set_h

#include <stddef.h>

#include "gen/space.h"

struct config_set {
  struct config *slots;
  size_t *numbers; /* of each slot; 0: it is free */
  size_t n, room;
};

int config_set_has(const struct config_set *s, const struct config *c);
/* Its number, from 1 on; 0 where it is not in the set. */
size_t config_set_number(const struct config_set *s, const struct config *c);
int config_set_add(struct config_set *s, const struct config *c); /* 1: it was new */
void config_set_free(struct config_set *s);

/* Is c legal and not in the set? */
int config_set_lacks(const struct config_set *s, const struct space *space,
                     const struct config *c);
/* Draw a legal configuration that is not in the set; 0 where there is none,
 * or so few that many draws in a row met others. */
int config_set_draw(const struct config_set *s, struct space *space, struct rng *r,
                    struct config *c);

#endif
