/* points.h - a problem's record of a night as a point (inside of report only).
 *
 * A row of a table can be read as well: it is a night's row without `kind`.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_points_h
#define tuner_report_points_h

#include "tuner/report/nights.h"

void point_read(struct names *names, const struct record *r,
                struct point *out);

/* Add what a problem cost, and what the end of a night says of all of it. */
void cost_add(struct night_cost *c, const struct record *problem);
void cost_end(struct night_cost *c, const struct record *end);

#endif
