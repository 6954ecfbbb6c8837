/* published.h - what others measured of cards whose times are not modelled here.
 *
 * `tune calibrate` puts it beside what can be counted without a clock: cycles of an
 * LDS instruction by the lane groups of lds_layout.c, and facts of the table of
 * architectures. The rest is what a model of these cards must be held against.
 */
// SPDX-License-Identifier: MIT
#ifndef arch_published_h
#define arch_published_h

#include "arch/arch.h"

struct published {
  const char *what, *unit, *source;
  double value; /* measured, or reached */
  double ours;  /* 0: it is a matter of time */
};

/* The n-th figure of the architecture; 0 past the last. */
int published_at(const struct arch *a, size_t n, struct published *out);

#endif
