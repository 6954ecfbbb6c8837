/* seen.h - a set of configurations. Zero-initialise, seen_free(). */
// SPDX-License-Identifier: MIT
#ifndef tuner_seen_h
#define tuner_seen_h

#include <stddef.h>

#include "gen/family.h"

struct seen {
  struct config *slots;
  unsigned char *used;
  size_t n, room;
};

int seen_has(const struct seen *s, const struct config *c);
int seen_add(struct seen *s, const struct config *c); /* 1: it was new */
void seen_free(struct seen *s);

#endif
