/* query.h - the keys that an application asks for, as a pack has them
 * (inside ship only). */
// SPDX-License-Identifier: MIT
#ifndef ship_query_h
#define ship_query_h

#include "ship/index.h"

struct query {
  const struct pack_arch *arch;
  const struct pack_family *family;
  const struct pack_class *class_; /* NULL: the pack has no such class */
  /* Whole numbers, places of words, bits of other numbers; 0 past the last. */
  int64_t keys[TUNED_KEYS];
  int64_t parts[TUNED_KEYS]; /* query_part() of each */
  uint64_t hash;             /* of these */
};

/* A tuned_code. Keys that are left at 0 are completed where the class is
 * known. */
int query_read(struct query *r, const struct index *v,
                 const struct pack_arch *arch, const char *family,
                 const struct tuned_key *keys, size_t nkeys);

/* The winner that has exactly this problem, or NULL. */
const struct pack_winner *query_winner(const struct query *r,
                                       const struct index *v);

/* What of a key is part of the problem: of a family whose kernels serve other
 * problems a number is handed to them, and only whether it is 0 counts. */
int64_t query_part(const struct pack_family *f, const struct pack_key *k,
                     int64_t value);
/* And what of it is part of the class. */
int64_t query_class_part(const struct pack_family *f,
                           const struct pack_key *k, int64_t value);

/* Hashes are built from these parts, key by key, from 0 on. */
static inline uint64_t query_mix(uint64_t hash, int64_t part)
{
  hash = (hash ^ (uint64_t)part) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

#endif
