/* l1.h - the L1 of a compute unit, and what it lost before it had it.
 *
 * A set has few ways, and rows that are a large power of two apart share one: a
 * line may be replaced before its data are there. Who asked for it and asks
 * again meanwhile waits for the same data; the others of the CU ask the L2
 * again. (So CLBlast's staging loads are timed right, which take a few bytes of
 * a line each from eight rows, and rocBLAS's kernels, whose groups would share
 * too much otherwise: docs/model.md, "CLBlast's Xgemm".)
 */
// SPDX-License-Identifier: MIT
#ifndef sim_l1_h
#define sim_l1_h

#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/card.h"

struct l1 {
  struct cache cache;
  struct cache_line *lost; /* before their data came, each in one place of
                              2^bits; NULL: none so far */
  unsigned bits;
  double until; /* when the last of those data come */
};

/* sample: one line in so many is asked for (replay.h). */
void l1_init(struct l1 *l, const struct card *c, unsigned sample);
void l1_free(struct l1 *l);

/* The entry of `line`, for which `asker`, a wave or a part of a group's turn, asks at time t; its
 * `ready` is when the data come. *hit is 0 where the caller has to ask the L2
 * for them, and to put that in. */
struct cache_line *l1_touch(struct l1 *l, uint64_t line, uint16_t asker,
                            double t, int *hit);

#endif
