/* rng.h - a small seeded random generator: xoshiro256** (Blackman, Vigna,
 * "Scrambled linear pseudorandom number generators", 2018), seeded through
 * splitmix64 (Steele, Lea, Flood, OOPSLA 2014). The same seed gives the same
 * numbers on every machine.
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

/* splitmix64's output function: a bijection, good enough to turn a counter
 * into a random number. Here, as inputs ask for every element's. */
static inline uint64_t rng_mix(uint64_t x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* splitmix64's n-th number, from 0, of a seed. */
static inline uint64_t rng_nth(uint64_t seed, uint64_t n)
{
  return rng_mix(seed + (n + 1) * 0x9e3779b97f4a7c15u);
}

/* [0, 1), by the upper 53 of 64 bits. */
static inline double rng_fraction(uint64_t bits)
{
  return (double)(bits >> 11) * 0x1p-53;
}

#endif
