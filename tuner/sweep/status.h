/* status.h - how far a sweep is, for other terminals.
 *
 * While a sweep runs it keeps one record in STORE/nights/SWEEP/progress (of a
 * shard progress-I-of-N), replaced as a whole:
 *
 *   written          when
 *   stamp            of the night
 *   problems done failed trouble
 *   left_s           seconds that it should still take; missing: not known
 *   running          what is being tuned, a line each
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_sweep_status_h
#define tuner_sweep_status_h

#include "tuner/sweep/sweep.h"

/* It is no harm where it cannot be written. */
void status_write(const struct sweep *s);

/* One shard of the last night. */
struct sweep_status {
  char stamp[NIGHT_STAMP];
  int shard, shards;
  int runs, whole;           /* is it running? has it come to its end? */
  size_t problems, done, failed;
  double left_s;             /* < 0: not known */
  char written[32];          /* when; "": the sweep writes nothing */
  char *running;             /* lines; NULL: nothing */
};

/* All shards of the last night of the sweep of that name; *out is
 * status_free()'s. ERR_FAILED where there is no night. */
int status_read(const char *store, const char *sweep,
                struct sweep_status **out, size_t *n, struct err *e);
void status_free(struct sweep_status *list, size_t n);

#endif
