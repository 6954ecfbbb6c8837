/* claims.h - what a process has under way, known to the others.
 *
 * A claim is a lock on one byte of a file that stays empty. Nobody waits for
 * one, and the kernel drops those of a process that ends, however it ends; so
 * none is left behind by the dead. They are the process's, not its children's,
 * and closing any descriptor of the file drops them all.
 */
// SPDX-License-Identifier: MIT
#ifndef db_claims_h
#define db_claims_h

#include <stdint.h>

#include "base/err.h"

struct claims;

/* Makes the file where it is missing; its folder must be there. */
int claims_open(struct claims **out, const char *path, struct err *e);
void claims_close(struct claims *c); /* drops all; NULL is nothing */

/* 1: it is ours (also: still; also where the file system has no locks),
 * 0: it is another process's. */
int claims_take(struct claims *c, uint64_t what);
void claims_drop(struct claims *c, uint64_t what);

#endif
