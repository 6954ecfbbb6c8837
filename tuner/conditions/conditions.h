/* conditions.h - the state of a real card while something is measured on it.
 *
 * Several readings (card.h) are taken while kernels run and folded into one: the
 * medians of clocks and power, the highest temperature, and all that held the
 * clock down at any of them. They go into the row of the journal:
 *
 *   sclk_mhz mclk_mhz power_w temp_c    clocks of core and memory, board power,
 *                                       the hottest sensor of the die
 *   throttled  the sum of 1 power, 2 temperature, 4 current, 8 another reason;
 *              0: the card says that it did not throttle
 *   driver firmware                     versions, as texts
 *
 * A name is there only where its value is known; a simulated card has none.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_conditions_conditions_h
#define tuner_conditions_conditions_h

#include "db/record.h"
#include "tuner/conditions/card.h"

enum {CONDITIONS_MOST = 32}; /* readings kept: of more, the last */

struct conditions {
  size_t n; /* readings added */
  struct reading list[CONDITIONS_MOST], first;
};

void conditions_add(struct conditions *c, const struct reading *r);
struct reading conditions_fold(const struct conditions *c);

/* The folded reading and the card's versions, as fields of a row. */
void conditions_note(const struct reading *r, const struct card *card,
                     struct record *row);

/* The fields of one row that say these things, into another. */
void conditions_copy(const struct record *from, struct record *to);

/* What a row says of them, in words, appended to out; nothing where it says
 * nothing: "1606 MHz, memory 1000 MHz, 190 W, 71 C, throttled (power)". */
void conditions_format(const struct record *row, struct str *out);

/* "power and temperature", of a sum. */
void throttle_format(int throttle, struct str *out);

#endif
