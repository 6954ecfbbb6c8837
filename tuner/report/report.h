/* report.h - the morning after: what a night found, beside the one before.
 *
 * Sequence: report_open -> report_markdown, report_junit, report_json,
 * report_page -> report_free. Each writer appends one whole document.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_report_h
#define tuner_report_report_h

#include "tuner/report/compare.h"
#include "tuner/report/facts.h"
#include "tuner/report/trend.h"

/* What is asked for; texts stay the caller's. */
struct report_request {
  const char *store;     /* its folder */
  const char *sweep;     /* nights_open() */
  const char *night;     /* the one to report; NULL: the last */
  const char *against;   /* a night, "shipped", a folder; NULL: the one
                          * before */
  const char *templates; /* folder of families, or NULL */
  double gate;           /* percent; negative: none */
  night_notice *notice;
  void *user;
};

struct report {
  struct report_request asked;
  struct nights nights; /* the last is the one that is reported */
  struct night_info tables; /* what it is compared with, if no night */
  struct str with; /* "the night of 2026-11-23 01:00 UTC" */
  struct comparison comparison;
  struct trends trends;
  struct fact *facts;
  struct str unknown;   /* families that are not there */
  struct str *warnings; /* what to know before any comparison, sentences */
  size_t nwarnings;
  size_t stale;         /* winners of the night whose kernels have changed */
  size_t crossed;       /* the gate: comparison_gate() */
};

int report_open(struct report *out, const struct report_request *asked,
                struct err *e);
void report_free(struct report *r);

/* --- parts that several writers share ------------------------------------ */

/* The night itself. */
const struct night_info *report_night(const struct report *r);

/* "2026-11-24 01:00 UTC" of a stamp; the stamp itself where it is none. */
void report_when(const char *stamp, char *out, size_t room);

/* Subject i: "gemm on gfx906, m=512,n=512". */
void report_name(const struct report *r, size_t i, struct str *out);

/* Its results before and now; NULL where there is none. */
const struct point *report_before(const struct report *r, size_t i);
const struct point *report_after(const struct report *r, size_t i);

/* One count for each line of a summary: what and how many. */
struct tally {
  const char *name; /* as JSON has it: "slower" */
  const char *what; /* "slower" */
  size_t n;
};
/* Tally i; 0 past the last. */
int report_tally(const struct report *r, size_t i, struct tally *out);

/* "12.3 ms" and the like to a text. */
void report_time(double us, struct str *out);
/* " +- 12 %", or nothing: how sure a modelled time is. */
void report_error(const struct point *p, struct str *out);
void report_seconds(double s, struct str *out); /* "3 h 12 min" */

/* Which devices and sources the winners are of: "simulated MI50 (...):
 * modelled". */
void report_devices(const struct report *r, struct str *out);

/* Sentences of how it was judged, of coverage, and of cost. */
void report_method(const struct report *r, struct str *out);
void report_coverage(const struct report *r, struct str *out);
void report_cost(const struct report *r, struct str *out);

/* --- documents ----------------------------------------------------------- */

void report_markdown(const struct report *r, struct str *out);
void report_junit(const struct report *r, struct str *out);
void report_json(const struct report *r, struct str *out);

#endif
