/* merge_nights.h - nights of other stores among those of one.
 *
 * A night is known by its head. What is the same night, whole in one store and
 * cut in another, becomes one with all records; another night that began in the
 * same second is named to have begun a second later. Shards stay files of their
 * own: whoever reads the store takes those that began together as one night.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_merge_nights_h
#define tuner_store_merge_nights_h

#include "db/night.h"
#include "tuner/store/files.h"

struct merged_nights {
  size_t nights;  /* that came in, files */
  size_t records; /* of these, and of nights that were there */
};

/* Nights of one sweep and stamp; *out is added to. */
int merge_nights(const char *store, const struct store_file *const *files,
                 size_t n, void (*notice)(void *user, const char *text),
                 void *user, struct merged_nights *out, struct err *e);

#endif
