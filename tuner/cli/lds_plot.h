/* lds_plot.h - LDS accesses as a picture: what each bank does, cycle by cycle.
 *
 * A panel an access. Across are the banks, down the cycles; a box is a lane
 * with the banks that it takes. Cycles of one phase have one colour.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_lds_plot_h
#define tuner_lds_plot_h

#include "base/str.h"
#include "arch/lds_banks.h"
#include "gen/lds_access.h"

/* A script for gnuplot_draw(). */
void lds_plot(const struct lds_layout *y, const struct lds_access *list,
              size_t n, const char *title, struct str *script);

#endif
