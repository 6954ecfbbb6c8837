/* l1.h - the L1 of a compute unit.
 *
 * Sets are chosen by all of a line's address, folded by exclusive or, and the
 * least recently used line of a set goes first. A workgroup finds only lines
 * that it had brought itself; others of the CU ask the L2 again. Folded sets are
 * what CLBlast's staging loads are timed right with, which take a few bytes of a
 * line each from eight rows that lie a power of two apart; lines of each
 * group's own, rocBLAS's kernels, whose groups would share too much otherwise
 * (docs/model.md, "Lines of each group's own"). The whitepaper has the ways and
 * LRU, not how sets are chosen.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_l1_h
#define sim_l1_h

#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/card.h"

/* To be asked by cache_touch_own() with a number of the workgroup that no other of
 * the CU has. sample: one line in so many is looked at, which stands for its block
 * of so many, and asked for by the number of the block; 1: all. */
void l1_init(struct cache *l1, const struct card *c, unsigned sample);

#endif
