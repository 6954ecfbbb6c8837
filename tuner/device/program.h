/* program.h - another program, run to its end: what it said, within a deadline.
 *
 * The program runs below a worker of its own (worker.h), which ends with it. What
 * it wants on its input is given whole, and its two outputs are kept in memory.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_program_h
#define tuner_program_h

#include "base/err.h"
#include "base/str.h"

enum {
  PROGRAM_MISSING = 127,     /* exit status of one that is not found */
  PROGRAM_LARGEST = 32 << 20, /* bytes kept of each output */
};

struct program_said {
  int status; /* exit status; -1: it was ended by a signal */
  struct str out, words; /* standard output and error; program_free() */
};

/* argv ends with NULL; input may be NULL. ERR_FAILED where it did not end in
 * time, or could not be begun. */
int program_run(const char *const *argv, const struct str *input,
                double seconds, struct program_said *said, struct err *e);
void program_free(struct program_said *said);

#endif
