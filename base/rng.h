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

/* 2^64 by the golden ratio, odd. */
static const uint64_t rng_golden = 0x9e3779b97f4a7c15u;

/* splitmix64's n-th number, from 0, of a seed. */
static inline uint64_t rng_nth(uint64_t seed, uint64_t n)
{
  return rng_mix(seed + (n + 1) * rng_golden);
}

/* A number of `bits` bits, 1 to 64, for each n: of neighbours about as many get
 * each (multiplicative hashing; Knuth, The Art of Computer Programming 3,
 * 6.4). */
static inline uint64_t rng_even(uint64_t n, unsigned bits)
{
  return n * rng_golden >> (64 - bits);
}

/* [0, 1), by the upper 53 of 64 bits. */
static inline double rng_fraction(uint64_t bits)
{
  return (double)(bits >> 11) * 0x1p-53;
}

#endif
