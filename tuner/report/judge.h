/* judge.h - is a difference of two medians more than noise?
 *
 * A problem was timed in two nights: medians a and b of na and nb launches.
 * Judged is d = ln(b / a), by
 *
 *     t = d / sqrt(pi/2 * s^2 * (1/na + 1/nb) + drift^2)
 *
 * s is the relative spread of one launch, from the median absolute deviations
 * (MAD) of both nights and of nights before them: 1.4826 * MAD / median is a
 * standard deviation on a normal distribution, and sqrt(pi/2) is how much worse
 * than the mean the median is (Hampel, JASA 69, 1974; as in base/stats.h).
 * Timing stops when a median seems known, so a few launches that agree by
 * chance make a problem look calmer than it is. Hence nights count by their
 * launches; s is drawn towards the median spread of all problems as if
 * JUDGE_PRIOR launches had shown that one (Smyth, Stat. Appl. Genet. Mol. Biol.
 * 3, 2004); and t is held against Student's distribution, with 0.37 degrees of
 * freedom for a launch: the MAD's efficiency (Rousseeuw and Croux, JASA 88,
 * 1993), and more where the drift, which is known, outweighs s (Welch and
 * Satterthwaite).
 *
 * drift is what a card does between two nights with the same kernel: as it did
 * between earlier nights (nights_drift(), drift.h), and at least
 * JUDGE_DRIFT.
 *
 * Of many problems some differ by chance. Holm's step-down procedure (Scand. J.
 * Statistics 6, 1979) keeps the chance that a night in which nothing changed
 * raises any alarm under JUDGE_ALPHA. Benjamini and Hochberg's would find a
 * little more, but bounds only the share of false ones among the alarms, and
 * only where problems vary independently; those of one night share a card.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_judge_h
#define tuner_report_judge_h

#include <stddef.h>

/* A hundred unchanged nights: 0.1 false alarms expected. */
#define JUDGE_ALPHA 0.001

/* Two runs of one kernel on a warm gfx906 differ by 0.14 % (published for
 * processes in turn on an MI50); for a difference, times sqrt(2). */
#define JUDGE_DRIFT 0.002

/* How much spreads differ among 15792 kernels recorded on an MI50 (median
 * 0.7 %, 90th percentile 1.5 %: a deviation of 0.6 of their logarithms) is what
 * as many degrees of freedom would make: trigamma(2.2 / 2) = (2 * 0.6)^2. */
#define JUDGE_PRIOR 2.2

struct timed {
  double us, mad_us;
  unsigned n;
};

/* What is known of the spread of a problem's launches: zero, then added to. */
struct noise {
  double sum; /* of squared spreads, by their freedom */
  double freedom;
};

void noise_add(struct noise *s, const struct timed *t);

/* Two nights' medians of a problem, and its noise, both nights included. */
struct pair_timed {
  struct timed before, after;
  struct noise noise;
};

struct judged {
  double d, se, freedom;
  double p;  /* two-sided, before correction */
  int alarm; /* beyond the noise, after correction */
};

/* The relative spread of one launch. */
double judge_spread(const struct timed *t);

/* Standard error of ln(b/a) where a launch spreads by s: without drift. */
double judge_error(const struct timed *a, const struct timed *b, double s);

void judge_all(const struct pair_timed *list, size_t n, double drift,
               struct judged *out);

/* How large d must be, alone against the strictest of n levels. */
double judge_least(const struct judged *j, size_t n);

/* Which of n p-values are rejected at level alpha by Holm: alarm[i] is 0 or
 * 1. */
void judge_holm(const double *p, size_t n, double alpha, int *alarm);

/* P(|t| > x) of Student's t. */
double student_tails(double x, double freedom);

#endif
