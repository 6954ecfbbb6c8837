/* fetch.h - the instruction cache, as the waves of one CU see it.
 *
 * A launch is taken for one of many, as a tuner times them: code that no wave
 * of this launch has fetched yet is in the cache from the launch before. Waves
 * wait only for lines that other code drove out, which happens in loops and
 * kernels that are longer than the cache. Other CUs that share the cache run
 * the same code and change nothing.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_fetch_h
#define sim_fetch_h

#include "runtimes/sim/timing/cache.h"
#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/totals.h"

enum {FETCH_DWORDS = 16}; /* a line: 64 bytes (AMD GCN whitepaper 2012) */

struct fetch {
  struct cache cache;
  uint8_t *met; /* a line of the object's code: some wave has fetched it */
  double latency; /* cycles of a miss */
  struct totals *totals; /* gets the misses */
};

/* dwords: of the object's code. */
void fetch_open(struct fetch *f, const struct card *c, size_t dwords,
                struct totals *totals);
void fetch_close(struct fetch *f);

/* When the line is there that a wave asks for at t. */
double fetch_line(struct fetch *f, size_t line, double t);

#endif
