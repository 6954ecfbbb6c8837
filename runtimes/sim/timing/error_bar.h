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
  const char *kind; /* "valu", "lds", "l2", "hbm", "latency", "reuse", "any" */
  double bar;
};

/* Of a kernel with this bound, of whose lines asked for this part hits the L1.
 * Kernels that caches bound are of one of two kinds: those that stage what they
 * share in the LDS ("l2"), and those that share it through the L1 ("reuse"). */
const struct error_bar *error_bar(const char *bound, double l1_hits);

#endif
