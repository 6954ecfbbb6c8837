/* kernel_hash.h - the kernels of a configuration as one word.
 *
 * A stored row was found with the family's files as they were then. Most changes
 * of these leave most kernels alone: a row is stale only where the text
 * rendered today, or what launching it takes, is another. Head comments do not
 * count, so the same kernels have the same hash whatever files they are made by.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_kernel_hash_h
#define gen_kernel_hash_h

#include "gen/family.h"

/* Of the text behind its head comment, and of buffers and launches. */
int kernel_hash(struct family *f, const struct problem *p,
                const struct config *c, char out[HASH_TEXT], struct err *e);

/* Are the kernels others than those of a row? `files` is the family's hash as
 * the row has it, `kernel` the hash of its kernels, or "" where it has none:
 * then only the files tell. */
int kernel_changed(struct family *f, const struct problem *p,
                   const struct config *c, const char *files,
                   const char *kernel);

#endif
