/* hash.c - see hash.h. */
// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void hash_hex(const void *bytes, size_t n, char out[HASH_TEXT])
{
  XXH128_hash_t h = XXH3_128bits(bytes, n);
  snprintf(out, HASH_TEXT, "%016llx%016llx", (unsigned long long)h.high64,
           (unsigned long long)h.low64);
}

uint64_t hash_64(const void *bytes, size_t n)
{
  return XXH3_64bits(bytes, n);
}
