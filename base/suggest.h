/* suggest.h - the nearest known name, for "did you mean". */
// SPDX-License-Identifier: MIT
#ifndef base_suggest_h
#define base_suggest_h

#include <stddef.h>

/* The name nearest to `wrong` by edit distance (a swap of neighbours counts
 * one), or NULL where none is within a third of its length, at least 1. */
const char *suggest(const char *wrong, const char *const *names, size_t n);

#endif
