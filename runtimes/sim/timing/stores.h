/* stores.h - what becomes of stores in the L2, which all compute units share.
 *
 * The L2 keeps what is stored, byte by byte, until it needs the place; then
 * HBM writes the line. Whether a line has become whole by then is not known
 * from one CU: other groups may store to the rest of it. So the stores of all
 * groups that the card holds at once are looked at, in the functional rounds
 * of share.c, without being done.
 *
 * A 32-byte half of a line that is written in part has to be read, merged and
 * written back: HBM's check bits cover whole words.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_stores_h
#define sim_stores_h

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/vmem.h"
#include "runtimes/sim/run/wave.h"

struct stores;

/* ncode: dwords of the object. */
struct stores *stores_open(const struct card *c, size_t ncode);
void stores_close(struct stores *s);

/* Step over the instruction of `w`, a vector memory one that changes memory:
 * nothing changes. */
void stores_skip(struct stores *s, struct wave *w);

/* Fill the rows of the stores that were met: lines that HBM writes for one
 * stored, and those of them that are written in part. */
void stores_write_out(const struct stores *s, struct share *out);

#endif
