/* estimate.h - how long a kernel may take, by what is known without running it
 * (inside ship only).
 *
 * Workgroups are dealt out to the compute units, of which the busiest ends last.
 * As many as fit there run at a time, a round; each takes its steps one after the
 * other, and begins and ends its results. A step takes as long as its loads are
 * away, or as its operations, or its bytes, of all that run: the square root of
 * the sum of the squares of these, since none hides the others wholly; and so do
 * the whole and what memory needs for the bytes that the problem moves. Launches
 * and scratch memory come on top.
 *
 * What all estimates have wrong in common cancels: the times of near problems are
 * divided by their estimates, and the quotients multiply what comes out (fit.c).
 */
// SPDX-License-Identifier: MIT
#ifndef ship_estimate_h
#define ship_estimate_h

struct effort {
  double groups;   /* workgroups of the first launch */
  double resident; /* of these, on a compute unit at a time; at least 1 */
  double steps;    /* of a workgroup */
  double us;       /* of a step's operations, on a compute unit alone */
  double bytes;    /* that a step loads */
  double results;  /* of a workgroup */
  double written;  /* bytes of a result */
  double moved;    /* bytes, by the whole problem at least */
  double scratch;  /* bytes */
  unsigned launches;
};

/* Microseconds on a card of so many compute units. */
double estimate_us(const struct effort *w, double cus);

#endif
