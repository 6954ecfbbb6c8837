/* replay.h - the loads of a kernel's main loop, for all groups that the card
 * holds at once, by their addresses alone.
 *
 * What the L2 still has of a matrix when the next workgroup wants it depends on
 * hundreds of turns of a loop in hundreds of groups, which is too much to
 * execute. But from turn to turn the addresses of the lanes differ only by what
 * the scalar unit adds, and by a constant step. One group's waves are therefore
 * executed for two turns, to know the shape of each load (main_loop.h), and the
 * first wave of every other group for one turn, to know where its shapes stand.
 * From then on only what controls the loop runs (loop_control.h), and the shapes
 * move.
 *
 * Groups are dealt out to the CUs in turn, to each as many as it holds, and
 * later generations as well: where a group leaves the loop, the next group of
 * the grid that is for this place follows. (Kernels of rocBLAS whose groups on
 * every 16th CU ask one channel of the L2 are slowed as much in their 30th
 * generation as in their first.)
 *
 * Time is coarse. All loads of a part of a turn (main_loop.h) start with that
 * part; the next part begins when they are back and the CU has had the time for
 * its groups' arithmetic. Groups that wait for each other's lines stay
 * together, other groups drift apart, and that decides how much they share. The
 * replay begins in the middle of the launch, where the groups of a CU no longer
 * start together. Kernels without such a loop, or whose groups do not all look
 * alike, are not replayed.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_replay_h
#define sim_replay_h

#include "runtimes/sim/timing/cost.h"
#include "runtimes/sim/run/dispatch.h"

/* Of each block of so many lines only one is looked at, and reported as if it
 * were the block's first: caches are then as full as with all of them. It
 * divides the interleave of the channels. */
enum {REPLAY_SAMPLE = 4};

/* Some lines of such a block, which `line`, its first, stands for. */
struct replay_load {
  uint64_t slot;  /* of the group among those that run */
  uint64_t group; /* of the grid */
  uint32_t pc;    /* the instruction */
  uint64_t line;
  unsigned lines; /* that are wanted */
  int camping;     /* of many on few channels (channel_camping.h) */
  int lone;       /* half of 128 bytes, of which it does not ask for the other
                     half, nor did in the turn before */
  double t;       /* when */
};

struct replay {
  const struct dispatch *d;
  const struct prices *prices;
  struct group **groups;  /* the first of the grid; replay_run() uses them up */
  uint64_t ngroups;
  unsigned per_cu;          /* of them on a CU */
  unsigned line_bytes;
  unsigned channels;      /* of the L2: take turns by REPLAY_SAMPLE lines */
  double start;           /* cycles between two groups of a CU */
  double unfair, drift;   /* replay_unfair, replay_drift of card_table.h */
  void *user;
  /* Returns when it is known where in memory the address is. */
  double (*translate)(void *user, uint64_t slot, uint64_t address, double t);
  /* Returns when the lines are there. */
  double (*load)(void *user, const struct replay_load *l);
  /* Half of the work is done: what was counted so far was warming up. */
  void (*warm)(void *user);
  /* Results, since then: cycles and number of all parts of turns; cycles of one
   * that the arithmetic alone would take. */
  double cycles, parts, arithmetic;
};

/* 0: the kernel is not of that kind, and little or nothing was reported. */
int replay_run(struct replay *r);

#endif
