/* check.h - what is wrong with a program although its results may be right.
 *
 * A launch that is checked is executed by one thread, group by group, and each
 * instruction is looked at (struct watch of run/dispatch.h). docs/checkers.md
 * says what is found, and by which rules.
 *
 *   check_open() -> for each launch check_launch() .. check_launched() -> check_close()
 *
 * A finding is printed once for each pair of instructions.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_check_h
#define sim_check_h

#include <stdio.h>

#include "base/err.h"
#include "runtimes/sim/run/dispatch.h"

enum { /* ORDER CHECK */
  CHECK_RACE = 1 << 0,
  CHECK_WAIT = 1 << 1,
  CHECK_BARRIER = 1 << 2,
  CHECK_INIT = 1 << 3,
  CHECK_BOUNDS = 1 << 4,
  CHECK_KINDS = 5,
  CHECK_ALL = (1 << CHECK_KINDS) - 1, /* that are mistakes */
  CHECK_CONFLICTS = 1 << CHECK_KINDS, /* of LDS banks, by line */
};

struct check;

/* The kinds that a list of words asks for: "race,wait"; "all" mistakes. */
int check_words(const char *words, unsigned *kinds, struct err *e);

/* Findings are printed to `out`, which stays the caller's. */
struct check *check_open(unsigned kinds, FILE *out);
void check_launch(struct check *c, struct dispatch *d); /* sets d->watch */
void check_launched(struct check *c);
/* What the host does with the device's memory: hipMalloc, which writes nothing;
 * copies and fills; hipFree. c may be NULL. */
void check_allocated(struct check *c, const void *at, size_t bytes);
void check_written(struct check *c, const void *at, size_t bytes);
void check_freed(struct check *c, const void *at, size_t bytes);
/* An object is about to go; none of its kernels runs. */
void check_forget(struct check *c, const struct object *o);
uint64_t check_launches(const struct check *c);
/* Findings so far, of one kind or of several. */
uint64_t check_count(const struct check *c, unsigned kinds);
/* Print how many there were, and conflicts. */
void check_total(struct check *c);
void check_close(struct check *c);

#endif
