/* cluster.h - workgroups of a launch that run together.
 *
 * A cluster is a box of up to 16 neighbouring workgroups, all of which are
 * resident at the same time. They have a barrier of their own, and their loads of
 * one line can become one request to the L2 (multicast): M0's lower 16 bits say
 * which workgroups, by rank, x first, are to receive what is loaded. Each of them
 * executes the load; what it gets is its own. A mask of 0, or no cluster: an
 * ordinary load. A mask without the group that loads: nothing is delivered there
 * (the reading of rocjitsu's tests, cdna5_cluster_test.cpp).
 */
// SPDX-License-Identifier: MIT
#ifndef sim_cluster_h
#define sim_cluster_h

#include "runtimes/sim/run/dispatch.h"

enum {CLUSTER_MOST = 16};

struct request; /* of a line, by some of the groups */

struct cluster {
  uint32_t size;
  struct group *groups[CLUSTER_MOST]; /* by rank; NULL: it has ended */
  uint32_t live;                      /* a bit a group that has not ended */
  struct barrier barrier;
  struct request *requests; /* a hash table of `room`, `used` of which are */
  size_t room, used;
};

/* Groups of a cluster of this launch; 1: it has none. */
uint32_t cluster_size(const struct dispatch *d);

/* The registers in which a wave finds its place: TTMP6, 7 and 9, and hardware
 * register IB_STS2. */
void cluster_place(struct wave *w);
uint32_t cluster_status(const struct wave *w);

/* Does this load deliver anything to its own group? Counts what it asks the L2
 * for: access.addr[0] of the active lanes, access.bytes each. */
int cluster_receives(struct wave *w);
/* What a plain load asks for. */
void cluster_count(struct wave *w);

/* The same two for what lies at [at, at + bytes) and is asked for line by line, by a
 * mask of its own, of which `load` is the number among the wave's. */
int cluster_named(const struct wave *w, uint32_t mask);
void cluster_ask(struct wave *w, uint32_t mask, uint32_t load, uint64_t at,
                 uint64_t bytes);

/* Run all clusters of the launch, one after the other. */
int cluster_run_all(const struct dispatch *d, struct counts *counts,
                    struct fault *fault);

/* Say at w who waits for whom: nobody will ever arrive at its barrier. */
void barrier_blocked(struct wave *w);
/* Waves that wait for a phase which has ended go on: does any? */
int barrier_release(struct group *g);
/* A wave or a group has ended, and cannot be waited for. */
void barrier_leave(struct group *g);
void cluster_end(struct cluster *c, uint32_t rank);

#endif
