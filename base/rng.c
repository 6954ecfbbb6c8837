/* rng.c - see rng.h. */
// SPDX-License-Identifier: MIT
#include "base/rng.h"

static uint64_t rotate(uint64_t x, int k)
{
  return x << k | x >> (64 - k);
}

static uint64_t splitmix(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void rng_seed(struct rng *r, uint64_t seed)
{
  for (int i = 0; i < 4; i++)
    r->s[i] = splitmix(&seed);
}

uint64_t rng_next(struct rng *r)
{
  uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
  uint64_t limit = -n % n, x; /* 2^64 mod n: draws under it would be biased */
  do
    x = rng_next(r);
  while (x < limit);
  return x % n;
}

double rng_unit(struct rng *r)
{
  return (double)(rng_next(r) >> 11) * 0x1p-53;
}
