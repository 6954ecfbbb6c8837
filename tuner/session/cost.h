/* cost.h - the figure by which candidates are ordered.
 *
 * Where the device's times are measured or modelled that is time_us. On a card
 * whose model was held to no measurements nothing is timed: source=counted, no
 * time_us, and static_cost in cycles (runtimes/sim/timing/untimed.h).
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_cost_h
#define tuner_cost_h

#include <stddef.h>

#include "db/record.h"

double cost_of(const struct record *r, double missing);

/* Is the figure a time? */
int cost_is_time(const struct record *r);

/* "12.3 ms", or "1234 cycles of static cost". */
void cost_text(const struct record *r, char *out, size_t room);
void cost_format(double cost, int is_time, char *out, size_t room);

#endif
