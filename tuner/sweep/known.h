/* known.h - what the store has of a sweep's problems, and why each is tuned.
 *
 * A winner stays where it was made with the same templates, compiler, runtime
 * and data seed, on the same device, by a search of at least so many
 * candidates. Rows of another source (modelled, measured) are never looked at.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_known_h
#define tuner_sweep_known_h

#include "tuner/session/target.h"
#include "tuner/sweep/problems.h"

/* Set why, changed and row of those of one arch, which `t` is for; store: the
 * folder. Notices are of damaged lines. */
int known_look(struct sweep_problems *p, size_t arch, const struct target *t,
               const struct options *line, const char *store,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e);

#endif
