/* tlb.h - which pages a CU knows the place of, as the loads of the replay need
 * it.
 *
 * Each CU keeps the places of the pages that it touched last (UTCL1). One unit
 * of the card (UTCL2) looks up all others for all CUs, at a pace; the time that
 * a single lookup takes is left out. Where the columns of a matrix are a page
 * or more apart, the groups of a CU have as many pages under way as they have
 * columns. If these are more pages than the CU keeps, each piece of a column is
 * looked up anew.
 *
 * One page in a few is followed, in a cache that is smaller by the same factor.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_tlb_h
#define sim_tlb_h

#include "runtimes/sim/timing/card.h"

struct tlb;

struct tlb *tlb_new(const struct card *c);
void tlb_free(struct tlb *b);

/* A CU wants something at the address at t cycles. Returns when its page is
 * known. */
double tlb_find(struct tlb *b, uint64_t cu, uint64_t address, double t);

#endif
