/* hbm.h - the channels of HBM as the replay sees them: data, rows and the
 * controller's queue.
 *
 * A channel sends data of one row while it opens others, and opens rows at a
 * pace of its own. Its controller serves first what is ready (FR-FCFS; Rixner
 * et al., Memory access scheduling, ISCA 2000): a request for a row that an
 * earlier request still queues for is served with it and opens nothing. A row
 * is closed behind the last request that queued for it.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_hbm_h
#define sim_hbm_h

#include "runtimes/sim/timing/card.h"

struct hbm;

struct hbm *hbm_new(const struct card *c); /* free() ends it */

/* Some lines of one block (card_block()) are wanted at t cycles. One of them
 * is looked at and counts as `weight`: 1 / the share of lines that are looked
 * at. Returns when HBM begins with it. */
double hbm_serve(struct hbm *h, uint64_t block, unsigned lines, double weight,
                 double t);

#endif
