/* hbm.h - the channels of HBM as the replay sees them: data, rows and the
 * controller's queue.
 *
 * A channel sends data of one row while it opens others, but opens them at a
 * pace of its own. Its controller serves first what is ready (FR-FCFS; Rixner
 * et al., Memory access scheduling, ISCA 2000): what wants a row that an
 * earlier request still queues for opens none. Behind the last of them it is
 * closed.
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
