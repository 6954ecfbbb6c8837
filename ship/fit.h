/* fit.h - a kernel for a problem that was not tuned (inside ship only).
 *
 * The rule stands in tuned.h. */
// SPDX-License-Identifier: MIT
#ifndef ship_fit_h
#define ship_fit_h

#include "ship/query.h"

struct fit {
  const struct pack_winner *winner; /* NULL: none serves */
  double us;                        /* estimated */
  unsigned band;                    /* of its distance */
};

/* Set the quotients of what was tried, of a pack that is being made. */
void fit_prepare(const struct index *v, struct pack_tried *tried);

/* The best of the query's class but `without` (may be NULL). */
struct fit fit_find(const struct query *r, const struct index *v,
                    const struct pack_winner *without);

#endif
