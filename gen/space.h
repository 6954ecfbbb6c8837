/* space.h - the legal configurations of a family for one problem and arch.
 *
 * The space is never laid out as a cartesian product. space_open() tabulates
 * each rule once over just the tunables that it reads (found by watching it
 * read); after that, counting, drawing and neighbours are table look-ups in
 * C: a space of 10^8 points counts in about a second.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_space_h
#define gen_space_h

#include "base/rng.h"
#include "gen/family.h"

struct space;

int space_open(struct space **out, struct family *f, const struct problem *p,
               struct err *e);
/* A space without a family: n tunables of so many values each, of which just
 * these points (copied, each once) are legal: a recorded space. */
struct space *space_open_list(const size_t *values, size_t n,
                              const struct config *points, size_t npoints);
void space_close(struct space *s);

size_t space_tunables(const struct space *s); /* dimensions */
size_t space_values(const struct space *s, size_t tunable);
/* Of a difference in it, as its family says (gen/family.h); 0 where that is not said. */
double space_weight(const struct space *s, size_t tunable);
uint64_t space_product(const struct space *s); /* without rules, saturating */
uint64_t space_count(struct space *s);         /* legal points */

/* NULL where c is legal, else the reason of the first rule against it (or,
 * where a rule too large to be tabulated fails in Lua, the error). It lives
 * until the next call. */
const char *space_rule(const struct space *s, const struct config *c);

/* How many points of the product each rule alone excludes is asked by
 * explain: reason i, or NULL past the last; *excluded saturates, and is
 * UINT64_MAX for a rule over too many tunables to be tabulated. */
const char *space_reason(const struct space *s, size_t i, uint64_t *excluded);

/* A uniformly drawn legal point; returns 0 where the space is empty. */
int space_random(struct space *s, struct rng *r, struct config *c);

/* The first legal point in enumeration order, and the next; 0 at the end.
 * The order is the same in every run, and the space's own. */
int space_first(const struct space *s, struct config *c);
int space_next(const struct space *s, struct config *c);

/* The first of them that has the given value of each tunable that is fixed; 0
 * where there is none, or where it takes too long to find one. */
int space_first_with(const struct space *s, const struct config *given,
                     const uint8_t *fixed, struct config *c);

/* All legal points that differ from c in exactly one tunable, in random
 * order if r is given; *out is one allocation to free(). */
size_t space_neighbours(const struct space *s, const struct config *c,
                        struct rng *r, struct config **out);

#endif
