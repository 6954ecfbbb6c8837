/* compare.h - a night beside the one before, or beside tables.
 *
 * Every problem of either gets one verdict. Compared are results of the same
 * device and source only: modelled and measured never, and two cards neither.
 * Measured ones are judged together (judge.h); of modelled ones, which have no
 * noise, any difference is a difference.
 *
 * Sequence: compare -> comparison_* -> comparison_free.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_compare_h
#define tuner_report_compare_h

#include "tuner/report/judge.h"
#include "tuner/report/nights.h"

/* ORDER VERDICT */
enum verdict {
  VERDICT_NONE,    /* in neither */
  VERDICT_SLOWER,
  VERDICT_FASTER,
  VERDICT_SAME,    /* within the noise */
  VERDICT_KEPT,    /* the same measurement: it was not run again */
  VERDICT_FAILED,  /* there was a winner, and now there is none */
  VERDICT_FAILS,   /* still none */
  VERDICT_MENDED,  /* there was none, and now there is one */
  VERDICT_CUT,     /* its time was up before there was a winner */
  VERDICT_NEW,     /* it was not in what is compared with */
  VERDICT_MISSING, /* it is not in this night */
  VERDICT_SOURCE,  /* one is measured, the other modelled */
  VERDICT_DEVICE,  /* it ran on another device */
  VERDICTS
};

struct compared {
  enum verdict verdict;
  struct judged judged; /* of slower, faster, same; measured: with p */
};

/* The clocks of a night: medians over its problems; 0: not recorded. */
struct clocks {
  double sclk_mhz, mclk_mhz, power_w, temp_c;
  size_t throttled; /* problems */
};

struct comparison {
  const struct nights *nights;
  const struct night_info *before, *after; /* before NULL: the first night */
  const char *with; /* what before is, in words */
  size_t earlier; /* nights of nights->list before `after` */
  size_t n;       /* subjects */
  struct compared *list;
  size_t count[VERDICTS];
  size_t tests;     /* measured pairs judged together */
  double drift;     /* used: relative */
  double least;     /* relative: the median of what each of them must exceed */
  double shift;     /* ln: the median difference of all of them */
  struct clocks clocks[2];
  int clocks_differ; /* by more than CLOCKS_DIFFER, or one throttled */
};

#define CLOCKS_DIFFER 0.01

/* `earlier` nights of nights->list tell the drift. `with` stays the
 * caller's. */
void compare(struct comparison *out, const struct nights *nights,
             const struct night_info *before, const struct night_info *after,
             size_t earlier, const char *with);
void comparison_free(struct comparison *c);

/* Subjects with this verdict, the largest difference first; the caller frees
 * *out. */
size_t comparison_list(const struct comparison *c, enum verdict v,
                       uint32_t **out);

/* How much longer it takes than before, in percent: -3 is 3 % faster. */
double compared_percent(const struct compared *c);

/* What a gate of so many percent lets not pass: problems that are slower by at
 * least that, and new failures. */
size_t comparison_gate(const struct comparison *c, double percent);

/* One word or two: "slower", "new failure". */
const char *verdict_words(enum verdict v);

#endif
