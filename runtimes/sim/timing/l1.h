/* l1.h - the L1 of a compute unit, and what is on the way to it.
 *
 * Of a set's number most bits are the line's own (l1_plain), and the others all of
 * the address above, folded by exclusive or: eight rows a large power of two apart
 * fit, as CLBlast's kernels ask for, which stage a few bytes of a line each from
 * eight rows; 64 do not, as was measured. The least recently used line goes first.
 *
 * A line that is there serves the whole CU. One that is under way serves the
 * workgroup that asked for it; others ask the L2 again. So it is, too, where its
 * set has lost the line before its data came. (CLBlast's kernels are timed right
 * so, and rocBLAS's, whose groups would share too much otherwise: docs/model.md,
 * "What is under way serves the group that asked".)
 */
// SPDX-License-Identifier: MIT
#ifndef sim_l1_h
#define sim_l1_h

#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/card.h"

struct l1 {
  struct cache cache;
  struct cache_line *apart; /* what groups wait for that is not in the cache, each
                               in one place of 2^bits; NULL: nothing so far */
  unsigned bits;
  double until; /* when the last of those data come, or later */
};

/* sample: one line in so many is looked at (replay.h), which stands for its block of
 * so many and is asked for by the block's number; 1: all. */
void l1_init(struct l1 *l, const struct card *c, unsigned sample);
void l1_free(struct l1 *l);

/* The entry of `line` for `group`, a number that no other workgroup of the CU has,
 * at time t; its `ready` is when the data come. *hit is 0 where the caller has to
 * ask the L2 for them, and to put that in. */
struct cache_line *l1_touch(struct l1 *l, uint64_t line, uint16_t group,
                            double t, int *hit);

#endif
