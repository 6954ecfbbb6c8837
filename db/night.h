/* night.h - what one run of a sweep found: STORE/nights/SWEEP/STAMP.night.
 *
 * A night is a journal (journal.h): its first record is the head, then comes
 * one for each problem that was finished, then the end. Each is on the disk
 * before night_add() returns; a night without an end was cut short. The field
 * `kind` says which of the three a record is: night, problem or end.
 *
 *   head      sweep begun shard program file made_with problems
 *   problem   the winner's row, if there is one, as the table has it (with the
 *             card's conditions: tuner/conditions/conditions.h), and
 *             status   ok: there is a winner; failed: there is none; cut: the
 *                      time was up before there was one
 *             reason   of failed and cut: a sentence
 *             why      new, changed, incumbent, near or kept: what was done, and
 *                      for `changed` in changed= the fields that changed
 *             candidates known n_ok n_wrong ...   of this night, by status word
 *             wall_s compile_s device_s search_s own_s cpu_s  what it cost
 *             count    how often a program asked for it
 *   end       ended problems wall_s busy_s cores
 *
 * STAMP is when the night began, 20261124T010000Z, with -I-of-N behind it for
 * shard I of N. Nights of a sweep sort by their names as they began.
 *
 * A sweep's lock (SWEEP/lock, of a shard SWEEP/lock-I-of-N) is held while it
 * runs, by the process that opened the night for writing.
 */
// SPDX-License-Identifier: MIT
#ifndef db_night_h
#define db_night_h

#include "db/record.h"

enum {NIGHT_STAMP = 64}; /* bytes of a stamp with its shard, and its NUL */

/* The sweep of a file: "sweeps/mi50.lua" is mi50. */
void night_sweep(const char *path, char out[NIGHT_STAMP]);

/* --- writing ------------------------------------------------------------- */

struct night;

/* Which night it is. Names match [a-z0-9._-]+; shard "1/1": all of it. */
struct night_name {
  const char *store, *sweep;
  int shard, shards; /* from 1 */
};

/* Go on in the last night of this sweep and shard, if it has no end and its
 * head has the same `file` and `made_with`; otherwise begin one with `head`,
 * whose kind, sweep, shard and begun are set here. ERR_FAILED with a sentence where another process
 * has the sweep under way. notice (may be NULL) is told of damage, and of a
 * clock that is behind that of the last night. */
int night_open(struct night **out, const struct night_name *name,
               const struct record *head,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e);
void night_close(struct night *n); /* NULL is nothing */

int night_add(struct night *n, const struct record *problem, struct err *e);
int night_end(struct night *n, const struct record *end, struct err *e);

/* The winner's row of a problem's record: what the night adds is left out. NULL
 * where there is no winner; the caller owns it. */
struct record *night_winner(const struct record *problem);

const char *night_path(const struct night *n);
const char *night_begun(const struct night *n); /* as dates of the journal */
size_t night_had(const struct night *n); /* problems of a night that goes on */

/* The record of this problem, if the night that goes on has it. */
const struct record *night_find(const struct night *n, const char *arch,
                                const char *family, const char *problem);

/* Is another process running this sweep and shard? Not to be asked by the one
 * that does: it would lose the lock. */
int night_runs(const struct night_name *name);

/* --- reading ------------------------------------------------------------- */

/* The stamps of a sweep's nights, oldest first; of all shards. *out is one
 * allocation to free(). A sweep that has none has 0. */
size_t night_list(const char *store, const char *sweep,
                  char (**out)[NIGHT_STAMP]);

/* The names of the sweeps that have nights, sorted; as night_list(). */
size_t night_sweeps(const char *store, char (**out)[NIGHT_STAMP]);

struct night_read {
  struct record *head; /* NULL where the file has none */
  struct record *end;  /* NULL: the night was cut short */
  struct record **problems; /* of two of the same problem the last */
  size_t n;
  int damaged; /* lines that could not be read */
};

int night_load(struct night_read *out, const char *store, const char *sweep,
               const char *stamp,
               void (*notice)(void *user, const char *text), void *user,
               struct err *e);
void night_free(struct night_read *r);

#endif
