/* draw.h - random problems of a family, and random configurations of them. */
// SPDX-License-Identifier: MIT
#ifndef tests_emitted_draw_h
#define tests_emitted_draw_h

#include "gen/space.h"

/* A random problem that the family accepts: listed values all alike, sizes
 * around the default; 0 where it cannot find one. */
int draw_problem(struct family *f, struct rng *r, struct problem *p);

/* The same problem for another version of the family: keys by name. */
int draw_translate(const struct family *from, const struct problem *p,
                   struct family *to, struct problem *out, struct err *e);

/* "--m 64 --n 32 ..." */
void draw_options(const struct family *f, const struct problem *p,
                  struct str *out);

#endif
