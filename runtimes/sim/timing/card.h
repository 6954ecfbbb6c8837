/* card.h - the constants of one simulated card.
 *
 * The table is card_table.h. Each row is a field of struct card; all fields are
 * double so that one type serves. card_constants() gives the table to people:
 * name, value, unit and source of every row.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_card_h
#define sim_card_h

#include <stddef.h>
#include <stdint.h>

struct card {
  const char *name;
#define CARD(name, mi50, mi60, vii, pro_vii, unit, source) double name;
#include "runtimes/sim/timing/card_table.h"
#undef CARD
};

/* The block that a line is in: channels of L2 and HBM take turns by them. */
static inline uint64_t card_block(const struct card *c, uint64_t line)
{
  return line / (uint64_t)(c->l2_interleave / c->line);
}

static inline double card_cycles(const struct card *c, double ns)
{
  return ns * c->clock_mhz / 1e3;
}

/* That one of so many equal servers takes for a line, of so many GB/s that
 * they have together. */
static inline double card_line_cycles(const struct card *c, double servers,
                                      double gbs)
{
  return c->line * servers * c->clock_mhz / (gbs * 1e3);
}

struct constant {
  const char *name, *unit, *source;
  size_t offset; /* of the double in struct card */
};

const struct constant *card_constants(size_t *n);

/* By name, NULL where there is none. */
const struct card *card_find(const char *name);

#endif
