/* write_combining.h - what becomes of stores in the L2, which all CUs share.
 *
 * The L2 keeps what is stored, byte by byte, until it needs the place for other
 * lines; then HBM writes the line. One CU does not tell whether a line has
 * become whole by then, because other groups may store to the rest of it. The
 * functional rounds of miss_rate.c therefore also collect the addresses of the
 * stores of all groups that the card holds at once, without storing.
 *
 * Where a 32-byte half of a line is written in part, HBM has to read it, merge
 * it and write it back: its check bits cover whole words.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_write_combining_h
#define sim_write_combining_h

#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/vmem.h"
#include "runtimes/sim/run/wave.h"

struct write_combining;

/* ncode: dwords of the object. */
struct write_combining *write_combining_open(const struct card *c, size_t ncode);
void write_combining_close(struct write_combining *s);

/* Step over the instruction of `w`, a vector memory one that changes memory:
 * nothing changes. */
void write_combining_skip(struct write_combining *s, struct wave *w);

/* Fill the rows of the stores that were met: lines that HBM writes for one
 * stored, and those of them that are written in part. */
void write_combining_write_out(const struct write_combining *s, struct miss_rate *out);

#endif
