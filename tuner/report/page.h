/* page.h - the report as one HTML page that opens from a file.
 *
 * The page has all its parts inside: style, scripts, D3 (Debian's node-d3, when
 * tune was built where it is installed) and data. It asks nothing of a network.
 *
 * Data that grows with problems times nights is binary, in base64: times as the
 * nearest of 65535 steps of a logarithmic scale (0.04 % apart), the spread and
 * what is to be told of each point as a byte. What must be exact stands in the
 * JSON beside it. Two rules keep a page under 10 MB: it has the last 100 nights
 * and of older ones the last of each week, at most PAGE_POINTS points in all;
 * and the fastest candidates of each problem, as many as PAGE_BYTES leave room
 * for. The page says how many of how many it has.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_page_h
#define tuner_report_page_h

#include "tuner/report/candidates.h"
#include "tuner/report/report.h"

enum {
  PAGE_NIGHTS = 100,
  PAGE_POINTS = 1050000,
  PAGE_BYTES = 9400000, /* what is left of it is for candidates */
};

/* ERR_FAILED where tune was built without D3, with what to install. */
int report_page(struct report *r, struct str *out, struct err *e);

/* --- inside of report only ----------------------------------------------- */

/* Which nights the page shows: places in r->nights.list, oldest first; the
 * caller frees *out. */
size_t page_nights(const struct report *r, size_t **out);

/* The JSON of the page, in which no '<' stands. */
void page_data(const struct report *r, const struct candidates *c,
               struct str *out);

void page_base64(const void *bytes, size_t n, struct str *out);

/* A time as a step of the scale: 0 is none. */
unsigned page_step(double us);

#endif
