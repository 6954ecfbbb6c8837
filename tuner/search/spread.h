/* spread.h - random configurations that lie far apart. */
// SPDX-License-Identifier: MIT
#ifndef tuner_spread_h
#define tuner_spread_h

#include <stddef.h>

#include "gen/space.h"

/* Of a few that `draw` draws, the one that is farthest from all of the list: by the
 * sum over the tunables of how far apart their values are, of all that there are. 0
 * where draw draws none. */
int spread_draw(const struct space *space, const struct config *list, size_t n,
                int (*draw)(void *user, struct config *c), void *user,
                struct config *out);

#endif
