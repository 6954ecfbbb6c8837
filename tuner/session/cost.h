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

/* How sure a modelled time is: with a chance of 80 % a card takes between the
 * time divided by 1 + this and that times 1 + this (runtimes/sim/timing/
 * error_bar.h). 0 where the record does not say, as for measured times. */
double cost_error(const struct record *r);

/* "+- 12 %", or "" where the error is not known. */
void cost_error_text(const struct record *r, char *out, size_t room);

/* Is the difference of two times within what is known of both? Of modelled ones
 * the errors count, of measured ones the noise. */
int cost_tie(const struct record *a, const struct record *b);

#endif
