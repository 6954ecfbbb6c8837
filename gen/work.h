/* work.h - what a workgroup of a configuration does, by the family's `work`.
 *
 * The fields are trace.h's, as numbers; `flops` may count the time of other
 * instructions, too, as the operations for which it would have been enough. Six more
 * may be there, which say what holds a kernel up and are of no use to packs, whose
 * kernels have been timed:
 *
 *   fetched     bytes of the lines of memory that a step loads of
 *   exchanged   bytes that a step writes to LDS and reads from it, each lane's
 *               counted, as often as conflicts repeat it
 *   ahead       steps that loads run ahead of what is done with them
 *   registers   VGPRs of a thread, at a guess
 *   waits       of its barriers and of what it reads first, the part that a step
 *               waits for; 0.3 where the family does not say
 *   latency     cycles from a load to its data, as the family's kernels see it
 */
// SPDX-License-Identifier: MIT
#ifndef gen_work_h
#define gen_work_h

#include "gen/family.h"

struct work {
  double steps, flops, bytes, results, written;
  double fetched, exchanged, ahead, registers; /* 0 where the family does not say */
  double waits;
  double latency; /* 0 where the family does not say */
};

/* Has the family the field `work`? */
int family_works(const struct family *f);

/* ERR_FAILED where the function fails, or returns no such numbers. */
int family_work(struct family *f, const struct problem *p,
                const struct config *c, struct work *out, struct err *e);

#endif
