/* body.h - a kernel's main loop: where it stands, what a turn of a workgroup
 * loads and costs.
 *
 * One group's waves are executed for two turns. Its loads then have a shape,
 * the pieces of memory that all its waves ask for, and a step from turn to
 * turn, beside what scalar registers add. Barriers between loads part a turn:
 * of loops that compilers or Tensile unrolled each part loads for a time of its
 * own.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_body_h
#define sim_body_h

#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/run/dispatch.h"

enum { BODY_LOADS = 64 };

/* Bytes that a group loads, from where its first wave's first lane does. */
struct piece {
  int64_t at;
  uint32_t bytes;
};

struct body_load {
  uint32_t pc;
  int64_t step; /* a turn, beside what the scalar unit adds */
  uint64_t first; /* where the first wave's first lane loads, while reading */
  int narrow; /* spread.h; of a wave's lines */
  unsigned part; /* of the turn, from 0 */
  struct piece *pieces; /* in order, apart */
  size_t n, room;
};

struct body {
  const struct dispatch *d;
  const struct prices *prices;
  unsigned block_bytes, channels; /* of the L2, for `narrow` */
  uint32_t first, last; /* dwords of the loop: target, and the branch */
  struct body_load loads[BODY_LOADS];
  unsigned n, parts;
  double valu, lds; /* cycles of a turn of a group */
};

/* Find the loop in which group 0 of the launch stays, and its loads. The first
 * four fields are the caller's; g, one of its groups, is used up. 0: there is
 * none, or its loads do not all look alike. */
int body_read(struct body *b, struct group *g);
void body_free(struct body *b);

/* Bring w, alone of its group, to the loop and through it once. at[]: each
 * load's first lane, less what scalar registers hold. 0: it does not get
 * there, or loads something else. */
int body_join(const struct body *b, struct wave *w, uint64_t at[BODY_LOADS]);

/* Number of the load at pc, or -1. */
int body_load_at(const struct body *b, uint32_t pc);

/* The part of an address of the load at pc that w's scalar registers hold. */
uint64_t body_scalar(const struct body *b, const struct wave *w, uint32_t pc);

static inline const struct price *body_price(const struct body *b, uint32_t pc)
{
  return price_of(b->prices, pc);
}

#endif
