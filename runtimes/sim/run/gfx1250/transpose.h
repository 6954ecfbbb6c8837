/* transpose.h - elements of a few bits in a row of dwords. */
// SPDX-License-Identifier: MIT
#ifndef sim_transpose_h
#define sim_transpose_h

#include <stdint.h>

/* Element n, which may lie in two of the dwords. */
static inline uint32_t element_get(const uint32_t *words, unsigned n, unsigned bits)
{
  unsigned at = n * bits, shift = at % 32;
  uint64_t two = words[at / 32];
  if (shift + bits > 32)
    two |= (uint64_t)words[at / 32 + 1] << 32;
  return (uint32_t)(two >> shift) & (uint32_t)(((uint64_t)1 << bits) - 1);
}

/* Where there are zeros so far. */
static inline void element_put(uint32_t *words, unsigned n, unsigned bits,
                               uint32_t value)
{
  unsigned at = n * bits, shift = at % 32;
  words[at / 32] |= value << shift;
  if (shift + bits > 32)
    words[at / 32 + 1] |= value >> (32 - shift);
}

#endif
