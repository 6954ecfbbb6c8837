/* lds_solver.h - tune FAMILY --solve: the layout of a tile, by arithmetic. */
// SPDX-License-Identifier: MIT
#ifndef tuner_lds_solver_h
#define tuner_lds_solver_h

#include "tuner/options/options.h"

/* The tile and its walks are the problem of the family (`lds`, or one with its
 * keys and tunables), the widths of both sides come from --set. Works for
 * every arch of arch/lds_layout.c, whatever compilers and devices there are.
 * Prints the answer. */
int lds_solver_run(const struct options *r, struct err *e);

#endif
