/* tlb.h - where in memory pages are, as the replay's loads find it out.
 *
 * Each CU keeps what it learned of the pages that it touched last (UTCL1). The
 * others one unit of the card looks up for all CUs (UTCL2), at a pace; how long
 * one takes by itself is left out. Matrices whose columns are a page or more
 * apart have as many pages under way as a CU's groups have columns, and where
 * those are more than it keeps, each piece of a column is looked up anew.
 *
 * One page in a few is followed, with as large a share of what a CU keeps.
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
