/* main_loop.h - a kernel's main loop: where it stands, what a turn of a
 * workgroup loads and costs.
 *
 * One group's waves are executed for two turns. That gives the shape of each
 * load, which is the pieces of memory that all waves of the group ask for, and
 * a step: by how much the load moves from turn to turn, beside what scalar
 * registers add. Barriers between loads divide a turn into parts, and so does
 * each round of a loop within the turn. In a loop that a compiler or Tensile
 * unrolled each part has loads of its own, and the next part begins when they
 * are back.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_main_loop_h
#define sim_main_loop_h

#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/run/dispatch.h"

/* Loads of one turn: one that a loop within it repeats counts each time. */
enum {MAIN_LOOP_LOADS = 192};

/* Bytes that a group loads, from where its first wave's first lane does. */
struct piece {
  int64_t at;
  uint32_t bytes;
};

struct main_loop_load {
  uint32_t pc;
  int64_t step; /* a turn, beside what the scalar unit adds */
  uint64_t first; /* where the first wave's first lane loads, while reading */
  int camping; /* channel_camping.h; of a wave's lines */
  unsigned part; /* of the turn, from 0 */
  struct piece *pieces; /* in order, apart */
  size_t n, room;
};

struct main_loop {
  const struct dispatch *d;
  const struct prices *prices;
  unsigned block_bytes, channels; /* of the L2, for `camping` */
  uint32_t first, last; /* dwords of the loop: target, and the branch */
  struct main_loop_load loads[MAIN_LOOP_LOADS];
  unsigned n, parts;
  double valu, lds; /* cycles of a turn of a group */
};

/* Find the loop in which group 0 of the launch stays, and its loads, in the order
 * of a turn. Of loops within each other it is the outermost, unless a turn of
 * that has too many loads. The first four fields are the caller's; g, one of its
 * groups, is used up. 0: there is none, or its loads do not all look alike. */
int main_loop_read(struct main_loop *b, struct group *g);
void main_loop_free(struct main_loop *b);

/* Bring w, alone of its group, to the loop and through it once. at[]: each
 * load's first lane, less what scalar registers hold. 0: it does not get
 * there, or loads something else. */
int main_loop_join(const struct main_loop *b, struct wave *w, uint64_t at[MAIN_LOOP_LOADS]);

/* Number of the load at pc, the next after `met` others of the turn; or -1. */
int main_loop_load_at(const struct main_loop *b, uint32_t pc, unsigned met);

/* The part of an address of the load at pc that w's scalar registers hold. */
uint64_t main_loop_scalar(const struct main_loop *b, const struct wave *w, uint32_t pc);

static inline const struct price *main_loop_price(const struct main_loop *b, uint32_t pc)
{
  return price_of(b->prices, pc);
}

#endif
