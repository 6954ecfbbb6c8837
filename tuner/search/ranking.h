/* ranking.h - what a search was told, the best first. Zero-initialise it. */
// SPDX-License-Identifier: MIT
#ifndef tuner_ranking_h
#define tuner_ranking_h

#include <stddef.h>

#include "gen/space.h"

struct result {
  struct config config;
  double cost; /* INFINITY: it failed */
  double y;    /* what a model learns of it: the caller's */
};

struct ranking {
  struct result *list; /* failures are the last, as they came */
  size_t n, ok, room;  /* ok: those that did not fail */
};

/* Behind those of the same cost. Is it the best now? */
int ranking_add(struct ranking *r, const struct config *c, double cost);
void ranking_clear(struct ranking *r);
void ranking_free(struct ranking *r);

#endif
