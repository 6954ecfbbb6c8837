/* cost.h - what problems took, and so what others will take.
 *
 * Told are processor and device seconds of each candidate that a night tried.
 * Asked for a problem, the book answers by what that problem took last, to which later
 * passes over winners of near problems are added, as they try few candidates; else by the
 * mean of its family and arch, else by that of all.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_cost_h
#define tuner_sweep_cost_h

#include <stddef.h>
#include <stdint.h>

#include "db/record.h"

struct cost { /* of one candidate */
  double cpu_s, device_s;
};

struct cost_row {
  uint64_t key; /* of a problem, of a family and arch, or 0: of all */
  double cpu_s, device_s, candidates; /* sums */
};

struct cost_book {
  struct cost_row *rows; /* open addressing; candidates 0: empty */
  size_t n, room;
};

/* A night's record of a problem; those that tried nothing tell nothing. */
void cost_tell(struct cost_book *b, const struct record *r);
/* All nights of the sweep that count: the last few. */
void cost_tell_nights(struct cost_book *b, const char *store,
                      const char *sweep);
/* 0 where nothing is known. */
int cost_ask(const struct cost_book *b, const char *arch, const char *family,
             const char *problem, struct cost *out);
void cost_free(struct cost_book *b);

#endif
