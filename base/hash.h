/* hash.h - the content hash: XXH3, 128 bits, as 32 hexadecimal digits.
 *
 * It names things (compiled code, template files), it does not protect them.
 * xxHash is used header-only, so the binary needs no shared library for it.
 */
// SPDX-License-Identifier: MIT
#ifndef base_hash_h
#define base_hash_h

#include <stddef.h>
#include <stdint.h>

enum {HASH_TEXT = 33}; /* with the NUL */

void hash_hex(const void *bytes, size_t n, char out[HASH_TEXT]);
uint64_t hash_64(const void *bytes, size_t n);

#endif
