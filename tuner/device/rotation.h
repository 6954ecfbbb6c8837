/* rotation.h - which copy of the buffers a launch uses.
 *
 * Timed launches go round several copies, so that by the time one comes up again
 * the last-level cache holds none of it. Copies are not alike: on an H200 a
 * product took 101.0 us over one and 102.4 us over the other, for memory's
 * channels meet otherwise. So each candidate must be timed over all of them.
 * Launches merely in turn do not see to that: with two copies, and one launch
 * before each timed one, all of those were over the second.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_rotation_h
#define tuner_rotation_h

#include <stddef.h>

/* Copies at most, and candidates whose launches alternate. */
enum {ROTATION_MOST = 7, ROTATION_CANDIDATES = 8};

struct rotation {
  size_t next; /* the launch's number */
  size_t last[ROTATION_CANDIDATES]; /* copy that was timed, from 1; 0: none */
};

/* Copies that are wanted of `bytes` where the cache holds `cache` bytes: a prime
 * number, so that whatever the number of launches between two timed ones of a
 * candidate, these get to all copies. */
size_t rotation_copies(double bytes, double cache);

/* The largest number of copies like that, of which there are n. */
size_t rotation_fewer(size_t n);

/* Candidate `which` is about to be timed, after `leads` other launches; the copy
 * will not be the one of its last time. n: copies. */
void rotation_begin(struct rotation *r, size_t n, size_t which, size_t leads);

/* The next launch's copy, 0..n - 1. */
size_t rotation_take(struct rotation *r, size_t n);

#endif
