/* guess.h - how long a configuration may take, by what its family says of it.
 *
 * Nothing is compiled or run: workgroups are dealt out to the compute units, as
 * many beside each other as registers and LDS allow, and a step of theirs takes as
 * long as its operations, its LDS traffic, its share of the memory's bandwidth or
 * the wait for its loads, whichever is longest, by the peaks of the arch's table.
 * It says by about which factor two configurations of one problem differ; it is no
 * time to show. A search begins with what it likes, and learns how far to trust it
 * (search.h). Estimates of packs (ship/estimate.h) are of kernels that were timed
 * and compare their times on two problems; here two kernels are compared that
 * nobody has timed, so that all that tells them apart has to be in it.
 *
 * Sequence: guess_open -> { guess_us } -> guess_close.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_guess_h
#define tuner_guess_h

#include "arch/arch.h"
#include "gen/family.h"

struct guess; /* keeps what it was asked once */

/* NULL where the family has no `work`. All that it takes outlives it. */
struct guess *guess_open(struct family *f, const struct problem *p,
                         const struct arch *a);
/* Microseconds; INFINITY where the family's functions fail. */
double guess_us(struct guess *g, const struct config *c);
void guess_close(struct guess *g); /* NULL is fine */

#endif
