/* issue.h - when an instruction issues and what it then occupies. */
// SPDX-License-Identifier: MIT
#ifndef sim_issue_h
#define sim_issue_h

#include "runtimes/sim/cu.h"

/* The first turn of SIMD i at or after t. */
double issue_turn(double t, unsigned i);

/* The unit that the wave's next instruction wants: one bit, or 0 for what
 * the instruction buffer handles itself (s_waitcnt, s_nop, s_barrier). */
unsigned issue_kind(const struct cu *u, const struct slot *s);

/* The earliest time for it, by what is known now. */
double issue_when(const struct cu *u, const struct slot *s);

/* Bring s->ready up to date with s->at and the wait counters. */
void issue_prepare(struct cu *u, struct slot *s);

/* Execute it at time t. */
void issue(struct cu *u, struct slot *s, double t);

/* A wave of this CU may issue at its ready time again (cu.c). */
void cu_wake(struct cu *u, const struct slot *s);

#endif
