/* facts.h - what the families say of the problems of a night.
 *
 * Of each winner of the last night: a short name for its problem, whether its
 * kernels are others by now, what of the peak it reaches, and where it lies
 * under the roofline. Families outlive their rows and rows their families: what
 * does not fit has its problem's full text, and nothing else.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_facts_h
#define tuner_report_facts_h

#include "tuner/report/nights.h"

struct fact {
  char *brief;  /* never NULL; "the default problem" where nothing differs */
  int fits;     /* the family knows problem and configuration */
  int stale;    /* its kernels have changed since */
  double flops, bytes;   /* of one launch; 0: not said */
  double flop_peak;      /* GFLOP/s of that device; 0: not known */
  double byte_peak;      /* GB/s of its memory; 0: another or not known */
  double share;          /* of the peak that bounds it; 0: not known */
  const char *unit;      /* of the rate: "GFLOP/s"; NULL: none */
};

/* One for each subject; facts_free(). folder: of templates, or NULL. unknown
 * (may be NULL) gets the names of families that are not there. */
struct fact *facts_read(const struct nights *s, const char *folder,
                        struct str *unknown);
void facts_free(struct fact *list, size_t n);

#endif
