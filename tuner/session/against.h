/* against.h - `--against rocblas`: a library's product beside ours. */
// SPDX-License-Identifier: MIT
#ifndef tuner_session_against_h
#define tuner_session_against_h

#include "tuner/session/task.h"
#include "tuner/session/target.h"

/* Before anything is tuned: is there such a library for this task, and can it
 * open the target's device? */
int against_check(const struct task *k, const struct target *t, struct err *e);

/* Check the library's product and time it and the configuration of `row` in
 * turn, on the target's device, with the same code as candidates. *out is the
 * caller's: library, status, reason or time_us, mad_us, n, ours_us, ratio
 * (the library's time over ours), kernel. */
int against_run(const struct task *k, const struct target *t,
                const struct record *row, struct record **out, struct err *e);

#endif
