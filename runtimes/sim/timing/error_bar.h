/* error_bar.h - how far off a modelled time may be.
 *
 * Kernels of each kind were recorded on real cards and modelled (tests/suites/
 * bars). Four in five of them took between the modelled time divided by 1 + bar
 * and that times 1 + bar.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_error_bar_h
#define sim_error_bar_h

struct error_bar {
  const char *kind; /* those of the table in error_bar.c */
  double bar;
};

/* What tells kinds of kernels apart. */
struct error_signs {
  const char *bound; /* of the report */
  double l1_hits;    /* of the lines asked for, 0..1 */
  double lines_take; /* a line that misses the L1 takes so many times what it
                        would if all channels were used evenly */
  int uses_lds;
};

const struct error_bar *error_bar(const struct error_signs *s);

#endif
