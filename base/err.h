/* err.h - an error: a code for the program, a sentence for the person.
 *
 * Functions that can fail because of the world (not because of our own
 * mistakes, which are asserts) take a `struct err *` last and return 0 or the
 * code that they put there. The sentence says what, where, and what to do
 * next: "gemm.lua:12: 'tile_n' is not a tunable; did you mean 'tile_m'?"
 */
// SPDX-License-Identifier: MIT
#ifndef base_err_h
#define base_err_h

#include <stdarg.h>

enum err_code {
  ERR_NONE = 0,
  ERR_FAILED = 1, /* could not be done: file, device, compiler, memory */
  ERR_USAGE = 2,  /* the request itself is wrong */
  ERR_GATE = 3,   /* all was done, and a gate that was asked for is crossed */
  ERR_INTERRUPTED = 130,
};

struct err {
  int code; /* an err_code; also the program's exit status */
  char text[2000];
};

/* Set e from a printf format; returns code. e may be NULL. */
int err_set(struct err *e, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put "text: " in front of what e says already; returns e->code, or
 * ERR_FAILED where e is NULL. */
int err_prefix(struct err *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
