/* cache.h - compiled code, found again by what it was made from.
 *
 * Each entry is one file, DIR/HH/HASH. The hash is that of everything that the
 * compiler was given, and of its version. A reader finds the file whole or not
 * at all; the file holds a hash of its contents, so that a damaged entry is a
 * miss. Any number of processes may use one cache. The cache never fails a run:
 * where it cannot be read or written, code is compiled again.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_cache_h
#define tuner_cache_h

#include "base/hash.h"
#include "base/str.h"

/* $XDG_CACHE_HOME/tune, or ~/.cache/tune; "" where there is neither, and
 * nothing is cached: a folder that others can write to holds no code to run. */
void cache_folder(struct str *out);

void cache_key(const char *text, const char *options, const char *compiler,
               char key[HASH_TEXT]);

int cache_take(const char *folder, const char *key, struct str *code); /* 1 */
void cache_put(const char *folder, const char *key, const struct str *code);

/* Remove the oldest entries until at most `bytes` are left. */
void cache_trim(const char *folder, size_t bytes);

/* The user's cache, at the end of a run: 1 GiB at most. */
void cache_keep_small(void);

#endif
