/* rng.h - a small seeded random generator: xoshiro256** (Blackman, Vigna,
 * "Scrambled linear pseudorandom number generators", 2018), seeded through
 * splitmix64. The same seed gives the same numbers on every machine.
 */
// SPDX-License-Identifier: MIT
#ifndef base_rng_h
#define base_rng_h

#include <stdint.h>

struct rng {
  uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* 0..n-1, no bias; n > 0 */
double rng_unit(struct rng *r);                /* [0, 1), 53 bits */

#endif
